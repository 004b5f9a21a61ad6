import type { SubmissionRow } from '#db/tables.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { sourcePath, StorageCorruptError } from '#drivers/storage/storage.ts'
import { lockStorageFolderForShare } from '#repositories/submissions.ts'
import { safeFileName } from '#services/submissions/file-label.ts'

/**
 * By company folder and time of upload (UTC): `<folder>/<yyyy>/<MM>/<id>_<safe file name>`. The id makes it
 * unique.
 */
export function targetPathOf({ id, fileName, createdAt }: SubmissionRow, folder: string): string {
  const [year, month] = createdAt.toISOString().split('-')
  return `${folder}/${year}/${month}/${id}_${safeFileName(fileName)}`
}

/** With a part of the random storage key behind the id: `<id>_<8 digits>_<safe file name>`. */
export const otherTargetPathOf = ({ id, storageKey, fileName }: SubmissionRow, path: string): string =>
  `${path.slice(0, path.lastIndexOf('/') + 1)}${id}_${storageKey.slice(0, 8)}_${safeFileName(fileName)}`

/**
 * Copies a source that is missing back from the company's folder: a database that was restored may not know
 * that the file was ingested. Returns whether the source is there now.
 */
export async function restoreSource(
  submission: SubmissionRow,
  { db, storage }: Pick<Deps, 'db' | 'storage'>,
): Promise<boolean> {
  const path = sourcePath(submission.storageKey)
  if (await storage.exists(path)) return true
  const folder = await inTransaction(db, (trx) => lockStorageFolderForShare(trx, submission.companyId))
  const target = submission.targetPath ?? targetPathOf(submission, folder)
  if (!(await storage.exists(target))) return false
  try {
    await storage.put([{ path, source: storage.read(target), sha256: submission.sha256 }])
    return true
  } catch (error) {
    if (error instanceof StorageCorruptError) return false
    throw error
  }
}
