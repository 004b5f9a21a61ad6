import type { Deps } from '#deps.ts'
import { watchClock } from '#repositories/marks.ts'
import { recoverUnsettled } from '#services/submissions/recover-unsettled.ts'

/** What every worker does every few seconds: looks after the clock, and after submissions that nobody works on. */
export async function lookAfter(deps: Pick<Deps, 'db' | 'jobs' | 'log'>): Promise<void> {
  await watchClock(deps.db)
  const found = await recoverUnsettled(deps)
  if (found > 0) deps.log.info({ found }, 'submissions without a worker were given their jobs again')
}
