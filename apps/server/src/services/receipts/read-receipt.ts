import type { Receipt } from '@veridict/contract/api/receipts'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { conflict, notFound } from '#errors.ts'
import { scopeOf } from '#policies/scope.ts'
import { personKey, type Uploader } from '#policies/viewer.ts'
import { findVersion } from '#repositories/dictionary-versions.ts'
import { findSubmission, findUploaderAddress } from '#repositories/submissions.ts'
import { ensureSigningKey } from '#services/receipts/receipt-keys.ts'
import { signContent } from '#services/receipts/sign-content.ts'

/**
 * The receipt of an accepted file that the viewer may see, made and signed on demand, when it is the turn of
 * the viewer. Throws 404, and 409 for a file that is not accepted. See docs/BEHAVIOUR.md#receipts.
 */
export const readReceipt = (
  id: number,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'limits'>,
): Promise<Receipt> =>
  deps.limits.receipts.run(`${viewer.companyId} ${personKey(viewer)}`, () => makeReceipt(id, viewer, deps))

async function makeReceipt(id: number, viewer: Uploader, deps: Pick<Deps, 'db' | 'env'>): Promise<Receipt> {
  const submission = await findSubmission(deps.db, scopeOf(viewer, deps.env.historyScope), id)
  if (submission === undefined) throw notFound('File')
  if (!isAccepted(submission)) throw conflict(receiptMessages.notAccepted)
  // One after the other: each would take a connection of its own.
  const version = await findVersion(deps.db, submission.dictionaryVersionId)
  const uploadedBy = await findUploaderAddress(deps.db, submission)
  const key = await ensureSigningKey(deps)
  return signContent(
    {
      fileName: submission.fileName,
      sha256: submission.sha256,
      size: submission.bytes,
      recordsCount: submission.recordsCount,
      dictionary: version.name,
      dictionaryVersion: version.revision,
      uploadedBy,
      uploadedAt: submission.createdAt.toISOString(),
      status: submission.status,
      storedAs: submission.targetPath,
      portal: deps.env.publicUrl,
    },
    key,
  )
}

type Accepted = SubmissionRow & {
  status: typeof SubmissionStatus.IngestionSuccess
  recordsCount: number
  targetPath: string
}

/** An accepted file always has its path and number of records; the types of the columns do not say so. */
const isAccepted = (submission: SubmissionRow): submission is Accepted =>
  submission.status === SubmissionStatus.IngestionSuccess &&
  submission.recordsCount !== null &&
  submission.targetPath !== null
