import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import type { Db } from '#platform/database/tables.ts'
import { createStorage, type StorageSettings } from '#platform/storage/create-storage.ts'
import { type IdentifiableStorage, knownStorage } from '#platform/storage/known-storage.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'

/**
 * Returns the id of this database's storage. A new database takes an empty one and gives it an id, which it
 * records first: after a crash in between, the next call continues. Throws `StorageUnavailableError` if the
 * storage is another's. See docs/BEHAVIOUR.md#storage.
 */
export function identifyStorage(
  storage: IdentifiableStorage,
  { db, ids }: Pick<Deps, 'db' | 'ids'>,
): Promise<string> {
  return withIdentityLock(db, async (connection) => {
    const { id, isConfirmed } = await recordStorageId(connection, ids.uuid())
    if (isConfirmed) return id
    const found = await storage.id()
    const refusal = found === id ? null : await refusalOf(found, storage)
    if (refusal !== null)
      throw new StorageUnavailableError(`${refusal}. To use it all the same, set its id to ${id}`)
    if (found === null) await storage.setId(id)
    await connection.updateTable('storageIdentity').set({ isConfirmed: true }).execute()
    return id
  })
}

/** Why a storage cannot be that of a new database, or null. `found`: the id that it has. */
async function refusalOf(found: string | null, storage: IdentifiableStorage): Promise<string | null> {
  if (found !== null) return 'It belongs to another database'
  return (await storage.hasSources()) ? 'It has no id, and files of another database' : null
}

/** The storage of the settings, used only while it is this database's. The log says when it is not. */
export async function openStorage(env: Deps['env'], { db, ids, log }: Pick<Deps, 'db' | 'ids' | 'log'>) {
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

/** For commands. Throws `StorageUnavailableError` if it is not the database's; never gives it an id. */
export async function findKnownStorage(settings: StorageSettings, { db }: Pick<Deps, 'db'>) {
  const identify = async () => {
    const id = await findStorageId(db)
    if (id === undefined)
      throw new StorageUnavailableError('The database knows no storage yet. Start the portal once')
    return id
  }
  return knownStorage(await createStorage(settings), { identify, onChange: () => {} })
}

/** An advisory lock of the session. */
const IDENTITY_LOCK = 7_201_019

/** Runs `work` in one process at a time. It gets a connection of its own, without a transaction. */
function withIdentityLock<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${IDENTITY_LOCK})`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(${IDENTITY_LOCK})`.execute(connection)
    }
  })
}

/** The id of this database's storage. If it has none yet, records `given` and returns it. */
export async function recordStorageId(db: Db, given: string) {
  await db
    .insertInto('storageIdentity')
    .values({ id: given })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return db.selectFrom('storageIdentity').select(['id', 'isConfirmed']).executeTakeFirstOrThrow()
}

/** The id that the database and its storage have; undefined before the first start. */
export async function findStorageId(db: Db): Promise<string | undefined> {
  const identity = db.selectFrom('storageIdentity').where('isConfirmed', '=', true).select('id')
  return (await identity.executeTakeFirst())?.id
}
