import type { Deps } from '#deps.ts'
import { watchClock } from '#repositories/marks.ts'
import { recoverUnsettled } from '#services/submissions/recover-unsettled.ts'

/**
 * What every worker does every few seconds: looks after the clock, and after submissions that nobody works
 * on.
 */
export async function lookAfter(deps: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await watchClock(deps.db)
  await deps.jobs.hastenRecurring()
  const found = await recoverUnsettled(deps)
  // Also counts those that only wait for their turn, whose jobs exist already.
  if (found > 0) deps.log.debug({ found }, 'submissions without a worker have their jobs')
}
