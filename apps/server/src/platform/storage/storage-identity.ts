import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'

/** An advisory lock of the session. */
const IDENTITY_LOCK = 7_201_019

/** Runs `work` in one process at a time. It gets a connection of its own, without a transaction. */
export function withIdentityLock<T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(${IDENTITY_LOCK})`.execute(connection)
    try {
      return await work(connection)
    } finally {
      await sql`select pg_advisory_unlock(${IDENTITY_LOCK})`.execute(connection)
    }
  })
}

export type StorageIdentity = { id: string; isConfirmed: boolean }

/** The id of this database's storage. If it has none yet, records `given` and returns it. */
export async function recordStorageId(db: Db, given: string): Promise<StorageIdentity> {
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

export async function confirmStorageId(db: Db, id: string): Promise<void> {
  await db.updateTable('storageIdentity').set({ id, isConfirmed: true }).execute()
}

const { IngestionSuccess, IngestionFileNotFound } = SubmissionStatus

/** The storage keys of the newest submissions whose source must be in storage. */
export async function findExpectedSources(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .where('sourceDeletedAt', 'is', null)
    .where('status', 'not in', [IngestionSuccess, IngestionFileNotFound])
    .select('storageKey')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ storageKey }) => storageKey)
}

/** The paths of the newest files in companies' folders. A company may have removed its files. */
export async function findIngestedPaths(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('submissions')
    .where('status', '=', IngestionSuccess)
    .where('targetPath', 'is not', null)
    .select((row) => row.ref('targetPath').$notNull().as('path'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ path }) => path)
}
