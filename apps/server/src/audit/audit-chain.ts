import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { AuditChainRow, AuditEntryRow, Db, Trx } from '#platform/database/tables.ts'
import { countRows } from '#platform/database/lists.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

/** The parts of an entry from which its hash is made. `detail` is the database's text of the JSON. */
export type HashedEntry = Omit<AuditEntryRow, 'place' | 'hash' | 'detail'> & { detail: string }
export type LinkedEntry = HashedEntry & { place: number; hash: string }

/** In the order of the hash, which `detail` ends. */
const hashedColumns = [
  'id',
  'at',
  'action',
  'actorId',
  'actorEmail',
  'companyId',
  'companyName',
  'subject',
  'address',
] as const

/** SHA-256, in hex, of the earlier entry's hash and all columns of this one. JSON has times in ISO 8601. */
export function auditHash(previousHash: string, entry: HashedEntry): string {
  const content = [previousHash, ...hashedColumns.map((column) => entry[column]), entry.detail]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

/** The first and the last linked entry, and the time of the database. */
export const findAuditChain = (db: Db): Promise<AuditChainRow & { now: Date }> =>
  db
    .selectFrom('auditChain')
    .selectAll()
    .select(sql<Date>`now()`.as('now'))
    .executeTakeFirstOrThrow()

/** Committed entries that are not linked yet. */
export const countUnlinkedEntries = (db: Db): Promise<number> =>
  countRows(db.selectFrom('auditEntries').where('place', 'is', null))

/** Linked entries in the order of the chain. */
export const findLinkedEntries = (db: Db, afterPlace: number, limit: number): Promise<LinkedEntry[]> =>
  db
    .selectFrom('auditEntries')
    .where('place', '>', afterPlace)
    .select([...hashedColumns, 'place', 'hash'])
    .select(sql<string>`detail::text`.as('detail'))
    .orderBy('place')
    .limit(limit)
    .$narrowType<{ place: number; hash: string }>()
    .execute()

/** Links and returns the oldest unlinked ones, at most `limit`. The database calculates their hashes. */
export const linkNextEntries = (db: Db, limit: number): Promise<AuditEntryRow[]> =>
  rowsOf<AuditEntryRow>(db)`select * from audit_link_next(${limit})`

/** Removes the oldest entries whose retention ended, at most `limit`; returns how many. */
export async function expireEntries(db: Db, limit: number): Promise<number> {
  return (await rowOf<{ removed: number }>(db)`select audit_expire(${limit}) as removed`).removed
}

/** Locks the writing of heads until the transaction ends; false if another process has locked it. */
export async function lockAuditHead(trx: Trx): Promise<boolean> {
  const lock = sql`pg_try_advisory_xact_lock(hashtext('veridict: audit head'))`
  return (await rowOf<{ isLocked: boolean }>(trx)`select ${lock} as is_locked`).isLocked
}

/** For the owner. Returns the days before; null if none were set or they stay: then it waits for no lock. */
export async function setRetentionDays(trx: Trx, days: number): Promise<number | null> {
  const read = trx.selectFrom('auditChain').select('retentionDays')
  if ((await read.executeTakeFirstOrThrow()).retentionDays === days) return null
  const { retentionDays } = await read.forUpdate().executeTakeFirstOrThrow()
  if (retentionDays === days) return null
  await trx.updateTable('auditChain').set({ retentionDays: days }).execute()
  return retentionDays
}
