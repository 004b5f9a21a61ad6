import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Transaction } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#db/transaction.ts'
import { jobOf } from '#drivers/job-queue.ts'
import { conflict, notFound } from '#errors.ts'
import { scopeOf } from '#policies/scope.ts'
import type { Uploader } from '#policies/viewer.ts'
import { withoutLease } from '#repositories/submission-leases.ts'
import { lockSubmissionInScope, moveSubmission, type SubmissionChange } from '#repositories/submissions.ts'
import { created } from '#services/audit/changes.ts'
import { recordAudit } from '#services/audit/record-audit.ts'
import { hasSource, storageRefusal } from '#services/submissions/storage-refusal.ts'
import { findIngestedPath, restoreSource } from '#services/submissions/target-path.ts'
import { toStatusNews } from '#services/submissions/to-status-news.ts'
import { queueWebhook } from '#services/webhooks/queue-webhook.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'jobs' | 'bus' | 'ids' | 'env' | 'caller' | 'tracing'>

const { ValidationPassed, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

/**
 * Ingests a validated file again after a storage error: 5 → 3, without validating again. The row is locked,
 * so the second of two clicks, or of a click and the purge, finds another status. Throws 404; 409
 * `IngestionFileNotFound` if the source is gone (then 5 → 6); 409 with another sentence in every status but
 * 5; 503 while the storage is not available. See docs/BEHAVIOUR.md#retry.
 */
export async function retryIngestion(id: number, viewer: Uploader, deps: Needs): Promise<void> {
  const isThere = await inTransaction(deps.db, async (trx) => {
    const submission = await lockSubmissionInScope(trx, scopeOf(viewer, deps.env.historyScope), id)
    if (!submission) throw notFound('File')
    if (submission.status !== IngestionFailed) throw conflict(submissionMessages.retryNotPossible)
    const isKept = await hasSource(submission, deps.storage)
    const targetPath = await findIngestedPath(submission, trx, deps.storage).catch((error: unknown) => {
      throw storageRefusal(error)
    })
    const canIngest = isKept || targetPath !== null || (await restoreSource(submission, { ...deps, db: trx }))
    if (canIngest) await ingestAgain(id, { note: 'retry', targetPath }, trx, deps)
    else await leaveFailure(id, { to: IngestionFileNotFound, note: 'the file was gone' }, trx, deps)
    return canIngest
  })
  // Thrown after the commit, so that the move to 6 stays.
  if (!isThere) throw conflict(submissionMessages.ingestionFileNotFound)
}

/** 5 → 3. `targetPath`: where the file was found already. The row must be locked, and in status 5. */
export async function ingestAgain(
  id: number,
  { note, targetPath }: { note: string; targetPath: string | null },
  trx: Transaction<Database>,
  deps: Omit<Needs, 'storage'>,
): Promise<void> {
  const change = { attempts: 0, settledAt: null, ...(targetPath === null ? {} : { targetPath }) }
  const submission = await leaveFailure(id, { to: ValidationPassed, note, change }, trx, deps)
  await deps.jobs.add('ingestSubmission', jobOf(submission), trx)
}

async function leaveFailure(
  id: number,
  {
    to,
    note,
    change,
  }: {
    to: typeof ValidationPassed | typeof IngestionFileNotFound
    note: string
    change?: SubmissionChange
  },
  trx: Transaction<Database>,
  deps: Omit<Needs, 'storage'>,
): Promise<SubmissionRow> {
  const submission = await moveSubmission(trx, id, {
    from: IngestionFailed,
    to,
    change: { ...withoutLease, ...change },
    note,
  })
  if (!submission) throw new Error(`Submission ${id} moved although it was locked`)
  const { fileName: subject, companyId } = submission
  const detail = created({ submission: id })
  const action = to === ValidationPassed ? 'file.retried' : 'file.purged'
  await recordAudit({ action, subject, companyId, detail }, trx, deps)
  await deps.bus.publish(toStatusNews(submission), trx)
  await queueWebhook(submission, trx, deps)
  return submission
}
