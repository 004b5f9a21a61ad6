import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import { ingestClaimed } from '#submissions/ingest-submission.ts'
import { claiming, isWaiting } from '#submissions/submission-claims.ts'
import { validateClaimed } from '#submissions/validate-submission.ts'

type Needs = Parameters<typeof validateClaimed>[1] & Pick<Deps, 'leases'>

/** Takes a certain submission, if it waits for this work. */
async function claim(work: SubmissionWork, id: number, { db, storage, leases }: Needs) {
  await storage.confirm()
  const { id: leaseId, holder } = leases.next()
  const choice = sql`${isWaiting[work]} and id = ${id} for no key update`
  return (await runPrepared(db, claiming({ leaseId, holder }, choice)))[0]
}

/** Claims a certain submission and validates it. Does nothing in another status, or while a worker has it. */
export async function validateSubmission(
  id: number,
  deps: Needs,
  shutdown: AbortSignal,
  options: { maxIngestedBytes?: number } = {},
): Promise<void> {
  const submission = await claim('validateSubmission', id, deps)
  if (submission !== undefined) await validateClaimed(submission, deps, shutdown, options)
}

/** Claims a certain submission and ingests it. Does nothing in another status, or while a worker has it. */
export async function ingestSubmission(id: number, deps: Needs, shutdown: AbortSignal): Promise<void> {
  const submission = await claim('ingestSubmission', id, deps)
  if (submission !== undefined) await ingestClaimed(submission, deps, shutdown)
}
