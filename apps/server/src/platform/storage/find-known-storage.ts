import type { Deps } from '#deps.ts'
import { createStorage, type StorageSettings } from '#platform/storage/create-storage.ts'
import { knownStorage, type KnownStorage } from '#platform/storage/known-storage.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { findStorageId } from '#platform/storage/storage-identity.ts'

/**
 * The storage of the settings for a command beside the portal. Throws `StorageUnavailableError` where it is
 * not the one of the database, and never gives it an id, as `openStorage` does.
 */
export async function findKnownStorage(
  settings: StorageSettings,
  { db }: Pick<Deps, 'db'>,
): Promise<KnownStorage> {
  const identify = async () => {
    const id = await findStorageId(db)
    if (id === undefined)
      throw new StorageUnavailableError('The database knows no storage yet. Start the portal once')
    return id
  }
  return knownStorage(await createStorage(settings), { identify, onChange: () => {} })
}
