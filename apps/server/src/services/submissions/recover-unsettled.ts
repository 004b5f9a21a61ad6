import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { findUnsettled } from '#repositories/submission-leases.ts'

/** In one go; the rest follow at the next look. */
const MAX_AT_ONCE = 200

/**
 * Gives every submission that waits, and that nobody works on, its job again: after a crash, a lost job or a
 * database that came back (reliability, I3 and F5). Harmless where the job exists already. One from before a
 * clock was set back waits for the time that it was given then, and is hastened (F28). Answers how many it
 * found.
 */
export async function recoverUnsettled(deps: Pick<Deps, 'db' | 'jobs'>): Promise<number> {
  const unsettled = await findUnsettled(deps.db, MAX_AT_ONCE)
  for (const { id, status, isAhead } of unsettled) {
    const job = status === SubmissionStatus.ValidationPassed ? 'ingestSubmission' : 'validateSubmission'
    await deps.jobs.add(job, { submissionId: id })
    if (isAhead) await deps.jobs.expedite(job, { submissionId: id })
  }
  return unsettled.length
}
