import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import type { Attributes } from '#platform/telemetry/tracing.ts'
import type { ClaimedSubmission } from '#submissions/submission-claims.ts'
import { LEASE_SECONDS, releaseLease, renewLease } from '#submissions/submission-leases.ts'

/** `mayBeStored`: an earlier run that the restored database does not know may have stored the file. */
export type SubmissionRun = { submission: SubmissionRow; leaseId: string; mayBeStored?: boolean }

/** A third of the lease: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = 8_000

/** Pause before the lease is released again after the database did not respond. */
const RELEASE_PAUSE_MILLISECONDS = 1_000

type Needs = Pick<Deps, 'db' | 'log' | 'tracing'>

/**
 * In the upload's trace. The signal of `work` is aborted at `shutdown`, or when the lease is lost: then
 * another worker has taken over, and it must write nothing. After a failure the lease is released, at once at
 * a shutdown, else with a delay.
 */
export function runUnderLease<T>(
  name: SubmissionWork,
  submission: ClaimedSubmission,
  deps: Needs,
  shutdown: AbortSignal,
  work: (run: SubmissionRun, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { id, leaseId, isFromBackup: mayBeStored, traceparent } = submission
  const run = { submission, leaseId, mayBeStored }
  const span = { name, kind: 'consumer', attributes: spanAttributes(submission) } as const
  return deps.tracing.resume(traceparent, span, async () => {
    const lost = new AbortController()
    const timer = setInterval(() => {
      renewLease(deps.db, id, leaseId).then(
        (isOurs) => isOurs || lost.abort(),
        (error: unknown) => deps.log.warn({ err: error, submissionId: id }, 'a lease could not be renewed'),
      )
    }, RENEWAL_MILLISECONDS)
    try {
      return await work(run, AbortSignal.any([lost.signal, shutdown])).finally(() => clearInterval(timer))
    } catch (error) {
      await release(run, deps, shutdown)
      throw error
    }
  })
}

/** Leaves out the file name, because traces leave the installation. */
export const spanAttributes = ({ id }: Pick<SubmissionRow, 'id'>): Attributes => ({
  'veridict.submission.id': id,
})

/** Repeats until shutdown: else the submission waits for the lease's end, because this process is alive. */
async function release(
  { submission, leaseId }: SubmissionRun,
  { db }: Needs,
  shutdown: AbortSignal,
): Promise<void> {
  const leaseEnd = performance.now() + LEASE_SECONDS * 1000
  for (;;) {
    try {
      return await releaseLease(db, submission.id, leaseId, { isDelayed: !shutdown.aborted })
    } catch (error) {
      if (!isDatabaseDown(error) || performance.now() > leaseEnd) return
    }
    await sleep(RELEASE_PAUSE_MILLISECONDS, undefined, { signal: shutdown }).catch(() => {})
    if (shutdown.aborted) return
  }
}
