import type { Deps } from '#deps.ts'
import { checkClock } from '#repositories/marks.ts'
import { addRecurringJobs } from '#services/operations/add-recurring-jobs.ts'
import { recoverUnsettled } from '#services/submissions/recover-unsettled.ts'

/**
 * What every worker does every few seconds: looks after the clock, and after submissions that nobody works
 * on.
 */
export async function runMaintenance(deps: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await checkClock(deps.db)
  await addRecurringJobs(deps)
  const found = await recoverUnsettled(deps)
  // Also counts those that only wait for their turn, whose jobs exist already.
  if (found > 0) deps.log.debug({ found }, 'submissions without a worker have their jobs')
}
