import type { Deps } from '#deps.ts'
import { checkClock } from '#platform/database/marks.ts'
import { releaseDeadLeases } from '#submissions/submission-claims.ts'

/**
 * Every worker calls this every few seconds. It checks the clock, and lets submissions of dead workers wait
 * again.
 */
export async function runMaintenance({ db, jobs, log }: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await checkClock(db)
  const released = await releaseDeadLeases(db)
  if (released === 0) return
  log.debug({ released }, 'submissions without a worker wait again')
  await jobs.wake('validateSubmission')
  await jobs.wake('ingestSubmission')
}
