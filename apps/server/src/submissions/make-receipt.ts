import type { Receipt } from '@veridict/contract/api/receipts'
import { receiptMessages } from '@veridict/contract/messages/receipts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import { conflict, found } from '#errors.ts'
import { scopeOf, personKey, type Uploader } from '#platform/access/viewer.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { ensureSigningKey, signContent } from '#platform/signing/receipt-keys.ts'
import { findPresentUploader, findSubmission, keepReceipt } from '#submissions/submissions.ts'

export type StoredFile = SubmissionRow & { recordsCount: number; targetPath: string }

/** The signed text of a receipt, as it is stored and sent. See docs/BEHAVIOUR.md#receipts. */
export async function makeReceipt(file: StoredFile, deps: Pick<Deps, 'db' | 'env'>): Promise<string> {
  // One after the other: each would take a connection of its own.
  const version = await findWholeVersion(deps.db, file.dictionaryVersionId)
  const uploadedBy = await uploaderOf(file, deps)
  const key = await ensureSigningKey(deps)
  const content = {
    fileName: file.fileName,
    sha256: file.sha256,
    size: file.bytes,
    recordsCount: file.recordsCount,
    dictionary: version.name,
    dictionaryVersion: version.revision,
    uploadedBy,
    uploadedAt: file.createdAt.toISOString(),
    status: SubmissionStatus.IngestionSuccess,
    storedAs: file.targetPath,
    portal: deps.env.publicUrl,
  }
  return JSON.stringify(signContent(content, key) satisfies Receipt)
}

async function uploaderOf(file: SubmissionRow, { db }: Pick<Deps, 'db'>): Promise<string> {
  const { uploadedByName, uploadedByEmail, tokenId } = file
  const { name, email } =
    uploadedByName === null
      ? await findPresentUploader(db, file)
      : { name: uploadedByName, email: uploadedByEmail }
  // With a space, which no e-mail has.
  return tokenId === null && email !== null ? email : `token ${name}`
}

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
    const scope = scopeOf(viewer, deps.env.historyScope)
    const submission = await found(findSubmission(deps.db, scope, id), 'File')
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
