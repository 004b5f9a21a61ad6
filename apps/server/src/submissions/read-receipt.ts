import { receiptMessages } from '@veridict/contract/messages/receipts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { scopeOf } from '#platform/access/scope.ts'
import { personKey, type Uploader } from '#platform/access/viewer.ts'
import { findSubmission, keepReceipt } from '#submissions/submissions.ts'
import { makeReceipt, type StoredFile } from '#submissions/make-receipt.ts'

/**
 * The text of the receipt of an accepted file that the viewer may see: the same at every call. It was stored
 * when the file was accepted; otherwise it is made now, when it is the turn of the viewer. Throws 404, and
 * 409 for a file that is not accepted. See docs/BEHAVIOUR.md#receipts.
 */
export const readReceipt = (
  id: number,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'limits'>,
): Promise<string> =>
  deps.limits.receipts.run(`${viewer.companyId} ${personKey(viewer)}`, async () => {
    const submission = await findSubmission(deps.db, scopeOf(viewer, deps.env.historyScope), id)
    if (submission === undefined) throw notFound('File')
    if (!isAccepted(submission)) throw conflict(receiptMessages.notAccepted)
    if (submission.receipt !== null) return submission.receipt
    const receipt = await makeReceipt(submission, deps)
    return inTransaction(deps.db, (trx) => keepReceipt(trx, id, receipt))
  })

/** An accepted file always has its path and number of records; the types of the columns do not say so. */
const isAccepted = (submission: SubmissionRow): submission is StoredFile =>
  submission.status === SubmissionStatus.IngestionSuccess &&
  submission.recordsCount !== null &&
  submission.targetPath !== null
