import type { exportAuditEntries } from '@veridict/contract/api/audit-trail'
import type { Paging, QueryOf } from '@veridict/contract/api/endpoint'
import type { AuditAction, AuditDetail } from '@veridict/contract/model/audit-action'
import { storable, storableJson } from '@veridict/contract/notation/storable-text'
import { type RawBuilder, sql } from 'kysely'
import { runDeferred, runPrepared } from '#platform/database/prepared-statements.ts'
import type { AuditEntryRow, Db, Trx } from '#platform/database/tables.ts'
import type { Caller } from '#platform/access/viewer.ts'
import type { GrowingList, Place } from '#platform/database/far-pages.ts'
import { type Counted, countRows, countUpToLimit, MAX_ID, pageOfFound } from '#platform/database/lists.ts'
import { rowsOf } from '#platform/database/rows.ts'

export type NewAuditEntry = Caller & { action: AuditAction; subject: string; detail: AuditDetail }

/** Adds an entry. It keeps the present name of the company. */
export function addAuditEntry(db: Db, entry: NewAuditEntry): Promise<void> {
  const { action, actor, companyId, address, subject, detail } = entry
  const insertion = sql`
    insert into audit_entries (
      action, actor_id, actor_email, company_id, company_name, subject, address, detail
    ) values (
      ${action}, ${actor?.id ?? null}, ${actor?.email ?? null}, ${companyId},
      (select name from companies where id = ${companyId}), ${storable(subject)}, ${address},
      ${storableJson(detail)}::jsonb
    )`
  return runDeferred(db, insertion)
}

/** Whether no server added an entry with this key in the last hour: so long `rate_limits` has the key. */
export async function isHourlyEntryDue(db: Db, key: Buffer): Promise<boolean> {
  const isDue = sql<{ isDue: boolean }>`
    select not exists (select from rate_limits where key = ${key} and empties_at > now()) as is_due
  `
  return (await runPrepared(db, isDue)).some((row) => row.isDue)
}

/** Adds an entry if it is still due. */
export async function addHourlyAuditEntry(trx: Trx, entry: NewAuditEntry, key: Buffer): Promise<void> {
  const taking = sql`
    insert into rate_limits (key, empties_at, granted) values (${key}, now() + interval '1 hour', 1)
    on conflict (key) do update set empties_at = excluded.empties_at where rate_limits.empties_at <= now()
    returning key`
  if ((await runPrepared(trx, taking)).length > 0) await addAuditEntry(trx, entry)
}

/** An empty list of actions means all. `From` and `To` are moments, or days in UTC, both included. */
export type AuditFilter = QueryOf<typeof exportAuditEntries>

const DAY_LENGTH = '2026-01-01'.length
const DAY = 24 * 60 * 60 * 1000

/** From the first moment on, before the second. Entries have milliseconds. */
const momentsOf = ({ From, To }: Pick<AuditFilter, 'From' | 'To'>) => ({
  from: From === undefined ? null : new Date(From),
  before: To === undefined ? null : new Date(Date.parse(To) + (To.length === DAY_LENGTH ? DAY : 1)),
})

/** The entries that match the filter but for its text. */
function matchingEntries(db: Db, { Action, UserId, CompanyId, ...days }: AuditFilter) {
  const { from, before } = momentsOf(days)
  let query = db.selectFrom('auditEntries')
  if (from !== null) query = query.where('at', '>=', from)
  if (before !== null) query = query.where('at', '<', before)
  if (Action.length > 0) query = query.where('action', 'in', Action)
  if (UserId !== undefined) query = query.where('actorId', '=', UserId)
  if (CompanyId !== undefined) query = query.where('companyId', '=', CompanyId)
  return query
}

export const countAuditEntries = (db: Db, filter: AuditFilter): Promise<Counted> =>
  countUpToLimit(db, matchingEntries(db, filter).select('id'))

type EntryKey = Pick<AuditEntryRow, 'at' | 'id'>

const operators = { '<': sql`<`, '<=': sql`<=`, '>': sql`>` }
const compared = (operator: keyof typeof operators, { at, id }: EntryKey) =>
  sql<boolean>`(at, id) ${operators[operator]} (${at}, ${id})`

/** The entries that match, newest first. A transaction adds its own in less than a minute. */
export function auditTrailAsList(db: Db, filter: AuditFilter): GrowingList<EntryKey> {
  const all = matchingEntries(db, filter)
  const keys = all.select(['at', 'id']).orderBy('at', 'desc').orderBy('id', 'desc').limit(1)
  return {
    findStart: () => keys.where('at', '<', sql<Date>`now() - interval '1 minute'`).executeTakeFirst(),
    countBefore: (key) => countRows(all.where(compared('>', key))),
    skip: (key, count) =>
      keys
        .where(compared('<', key))
        .offset(count - 1)
        .executeTakeFirst(),
  }
}

/** `limit` entries, found by keys alone, so that the entries before them are read from an index. */
export const findAuditEntries = (
  db: Db,
  filter: AuditFilter,
  { from, offset, limit }: Place<EntryKey> & { limit: number },
): Promise<AuditEntryRow[]> =>
  db
    .with('page', () =>
      matchingEntries(db, filter)
        .$if(from !== undefined, (entries) => entries.where(compared('<=', from as EntryKey)))
        .select('id')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset),
    )
    .selectFrom('auditEntries')
    .where('auditEntries.id', 'in', (query) => query.selectFrom('page').select('id'))
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** The ids of the newest `atMost` entries that match, before the entry `before`, newest first. */
function foundInSlices(
  { SearchText, Action, UserId, CompanyId, ...days }: AuditFilter,
  { id: before }: Pick<AuditEntryRow, 'id'>,
  atMost: number,
): RawBuilder<number> {
  const { from, before: to } = momentsOf(days)
  return sql`newest_audit_entries(${SearchText}, ${Action}::text[], ${UserId ?? null}, ${CompanyId ?? null},
    ${from}, ${to}, ${before}, ${atMost})`
}

/** Finds the ids of a page of the entries that have a text. */
export const searchAuditEntries = (db: Db, query: Paging & AuditFilter) =>
  pageOfFound(db, (atMost) => foundInSlices(query, { id: MAX_ID }, atMost), query)

/** Entries by their ids, newest first. */
export const findEntries = (db: Db, ids: readonly number[]): Promise<AuditEntryRow[]> =>
  db
    .selectFrom('auditEntries')
    .where('id', '=', sql<number>`any(${ids}::bigint[])`)
    .selectAll()
    .orderBy('id', 'desc')
    .execute()

/** The entries that follow `last` in the list, newest first; without `last`, from the newest one on. */
export async function findAuditEntriesBefore(
  db: Db,
  filter: AuditFilter,
  last: EntryKey | undefined,
  limit: number,
): Promise<AuditEntryRow[]> {
  if (filter.SearchText === '')
    return findAuditEntries(db, filter, { from: last, offset: last === undefined ? 0 : 1, limit })
  const found = foundInSlices(filter, last ?? { id: MAX_ID }, limit)
  const rows = await rowsOf<{ id: number }>(db)`select id from ${found} as id`
  return findEntries(
    db,
    rows.map(({ id }) => id),
  )
}
