import { sql, type Insertable, type Kysely, type Selectable, type Transaction } from 'kysely'
import { compileOnce } from '#platform/database/compile-once.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Database } from '#platform/database/tables.ts'

export type ReceiptKey = Selectable<Database['receiptKeys']>

const signingKey = compileOnce((db) =>
  db.selectFrom('receiptKeys').selectAll().orderBy('createdAt', 'desc').orderBy('id').limit(1),
)({})

/** The newest key, which signs; undefined in a new database. */
export const findSigningKey = async (db: Kysely<Database>): Promise<ReceiptKey | undefined> =>
  (await runPrepared(db, signingKey))[0]

/** Every key without its private half, newest first. */
export const findPublicKeys = (db: Kysely<Database>): Promise<Pick<ReceiptKey, 'id' | 'publicKey'>[]> =>
  db.selectFrom('receiptKeys').select(['id', 'publicKey']).orderBy('createdAt', 'desc').execute()

export const addReceiptKey = (
  db: Kysely<Database>,
  key: Insertable<Database['receiptKeys']>,
): Promise<ReceiptKey> => db.insertInto('receiptKeys').values(key).returningAll().executeTakeFirstOrThrow()

/** An exclusive lock, so that of servers which start at the same time only one makes the first key. */
export async function lockReceiptKeys(trx: Transaction<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('veridict: receipt keys'))`.execute(trx)
}
