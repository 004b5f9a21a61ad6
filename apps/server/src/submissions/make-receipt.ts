import type { Receipt } from '@veridict/contract/api/receipts'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { findWholeVersion } from '#dictionaries/dictionaries.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { ensureSigningKey, signContent } from '#platform/signing/receipt-keys.ts'
import { findUploader } from '#submissions/submissions.ts'

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
  const { name, email } = await findUploader(db, file)
  // With a space, which no e-mail has.
  return file.tokenId === null && email !== null ? email : `token ${name}`
}
