import type { Kysely } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { releaseLease, renewLease } from '#repositories/submission-leases.ts'

/** One run of work on a submission, under a lease that nobody else has. */
export type SubmissionRun = { submission: SubmissionRow; leaseId: string }

/** A third of a lease's life: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = 8_000

/**
 * Does `work` while the run's lease is renewed. `work` gets a signal that is aborted when the lease is lost (somebody else has
 * taken over: stop, and write nothing) or when `shutdown` is. A run that fails is given back at once, so that it can be taken up without waiting
 * for the lease to end.
 */
export async function keepingLease<T>(
  run: SubmissionRun,
  deps: { db: Kysely<Database>; log: Deps['log'] },
  shutdown: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const { submission, leaseId } = run
  const timer = setInterval(() => {
    renewLease(deps.db, submission.id, leaseId).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) => deps.log.warn({ err: error, submissionId: submission.id }, 'a lease could not be renewed'),
    )
  }, RENEWAL_MILLISECONDS)
  try {
    return await work(AbortSignal.any([lost.signal, shutdown]))
  } catch (error) {
    // Without a database there is nobody to give it back to; the lease ends by itself.
    await releaseLease(deps.db, submission.id, leaseId).catch(() => {})
    throw error
  } finally {
    clearInterval(timer)
  }
}
