import { setTimeout as sleep } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { isDatabaseDown } from '#db/database-down.ts'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { LEASE_SECONDS, releaseLease, renewLease } from '#repositories/submission-leases.ts'

/** One run of work on a submission, under a lease that nobody else has. */
export type SubmissionRun = { submission: SubmissionRow; leaseId: string }

/** A third of a lease's life: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = 8_000

/** How long to wait before a run is given back again to a database that did not answer. */
const RETURN_PAUSE_MILLISECONDS = 1_000

type Needs = { db: Kysely<Database>; log: Deps['log'] }

/**
 * Does `work` while the run's lease is renewed. `work` gets a signal that is aborted when the lease is lost
 * (somebody else has taken over: stop, and write nothing) or when `shutdown` is. A run that fails is given
 * back at once, so that it can be taken up without waiting for the lease to end.
 */
export async function runUnderLease<T>(
  run: SubmissionRun,
  deps: Needs,
  shutdown: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  const { submission, leaseId } = run
  const timer = setInterval(() => {
    renewLease(deps.db, submission.id, leaseId).then(
      (isOurs) => isOurs || lost.abort(),
      (error: unknown) =>
        deps.log.warn({ err: error, submissionId: submission.id }, 'a lease could not be renewed'),
    )
  }, RENEWAL_MILLISECONDS)
  try {
    return await work(AbortSignal.any([lost.signal, shutdown]))
  } catch (error) {
    clearInterval(timer)
    await giveBack(run, deps, shutdown)
    throw error
  } finally {
    clearInterval(timer)
  }
}

/**
 * Tried again while the database does not answer: a run that a short cut has ended would otherwise be left
 * until its lease ends, for this process lives. Not while we shut down, nor beyond the lease.
 */
async function giveBack(
  { submission, leaseId }: SubmissionRun,
  { db }: Needs,
  shutdown: AbortSignal,
): Promise<void> {
  const leaseEnd = performance.now() + LEASE_SECONDS * 1000
  for (;;) {
    try {
      return await releaseLease(db, submission.id, leaseId)
    } catch (error) {
      if (!isDatabaseDown(error) || performance.now() > leaseEnd) return
    }
    await sleep(RETURN_PAUSE_MILLISECONDS, undefined, { signal: shutdown }).catch(() => {})
    if (shutdown.aborted) return
  }
}
