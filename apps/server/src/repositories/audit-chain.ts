import { createHash } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { AuditChainRow, AuditEntryRow, Database } from '#db/tables.ts'

/** The parts of an entry from which its hash is made. `detail` is the database's text of the JSON. */
export type HashedEntry = Omit<AuditEntryRow, 'place' | 'hash' | 'detail'> & { detail: string }
export type LinkedEntry = HashedEntry & { place: number; hash: string }

/** SHA-256, in hex, of the hash of the entry before and of all columns of this one. */
export function auditHash(previousHash: string, entry: HashedEntry): string {
  const { id, at, action, actorId, actorEmail, companyId, companyName, subject, address, detail } = entry
  const content = [
    previousHash,
    id,
    at.toISOString(),
    action,
    actorId,
    actorEmail,
    companyId,
    companyName,
    subject,
    address,
    detail,
  ]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}

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
  sql<string>`detail::text`.as('detail'),
] as const

/** The first and the last linked entry. */
export const findAuditChain = (db: Kysely<Database>): Promise<AuditChainRow> =>
  db.selectFrom('auditChain').selectAll().executeTakeFirstOrThrow()

/** Committed entries that are not linked yet, in the order of their ids. */
export const findUnlinkedEntries = (db: Kysely<Database>, limit: number): Promise<HashedEntry[]> =>
  db
    .selectFrom('auditEntries')
    .where('place', 'is', null)
    .select(hashedColumns)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Linked entries in the order of the chain. */
export const findLinkedEntries = (
  db: Kysely<Database>,
  afterPlace: number,
  limit: number,
): Promise<LinkedEntry[]> =>
  db
    .selectFrom('auditEntries')
    .where('place', '>', afterPlace)
    .select(hashedColumns)
    .select(['place', 'hash'])
    .orderBy('place')
    .limit(limit)
    .$narrowType<{ place: number; hash: string }>()
    .execute()

/**
 * Links the entries that follow the one at `afterPlace`. Returns false if another process linked some
 * meanwhile.
 */
export async function linkEntries(
  db: Kysely<Database>,
  afterPlace: number,
  entries: readonly { id: number; hash: string }[],
): Promise<boolean> {
  const [ids, hashes] = [entries.map(({ id }) => id), entries.map(({ hash }) => hash)]
  const { rows } = await sql<{ isLinked: boolean }>`
    select audit_link(${afterPlace}, ${ids}::bigint[], ${hashes}::text[]) as is_linked
  `.execute(db)
  return rows[0]?.isLinked === true
}

/** Removes the oldest entries that are older than `days`, at most `limit`; returns how many. */
export async function removeOldestEntries(
  db: Kysely<Database>,
  days: number,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select audit_remove_oldest(${days}, ${limit}) as removed
  `.execute(db)
  return rows[0]?.removed ?? 0
}
