import type { Deps } from '#deps.ts'
import { createStorage } from '#platform/storage/create-storage.ts'
import { knownStorage, type KnownStorage } from '#platform/storage/known-storage.ts'
import { identifyStorage } from '#platform/storage/identify-storage.ts'

/** The storage of the settings, used only while it is this database's. The log says when it is not. */
export async function openStorage(
  env: Deps['env'],
  { db, ids, log }: Pick<Deps, 'db' | 'ids' | 'log'>,
): Promise<KnownStorage> {
  return knownStorage(await createStorage(env), {
    identify: (storage) => identifyStorage(storage, { db, ids }),
    onChange: (reason) =>
      reason === null
        ? log.warn('the storage is available again')
        : log.error(
            { reason: reason.message, storage: env.storageUrl },
            'the storage is not available: files wait, and uploads are refused',
          ),
  })
}
