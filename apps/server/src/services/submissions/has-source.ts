import type { SubmissionRow } from '#db/tables.ts'
import { sourcePath, type Storage } from '#drivers/storage/storage.ts'
import { storageRefusal } from '#services/submissions/storage-refusal.ts'

/** Whether the bytes of a submission are still in storage. Throws 503 when the storage cannot tell. */
export async function hasSource(
  { storageKey }: Pick<SubmissionRow, 'storageKey'>,
  storage: Storage,
): Promise<boolean> {
  try {
    return await storage.exists(sourcePath(storageKey))
  } catch (error) {
    throw storageRefusal(error)
  }
}
