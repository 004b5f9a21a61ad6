import type { AuditEntryItem } from '@veridict/contract/api/audit-trail'
import type { Paging } from '@veridict/contract/api/paging'
import { auditActionNames, auditMessages } from '@veridict/contract/messages/audit-trail'
import type { AuditValues } from '@veridict/contract/model/audit-action'
import {
  type AuditFilter,
  auditTrailAsList,
  countAuditEntries,
  findAuditEntries,
  findAuditEntriesBefore,
} from '#audit/audit-entries.ts'
import { recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { findPlace } from '#platform/database/far-pages.ts'
import type { AuditEntryRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'

/** A page of the audit trail, newest first, and how many match. */
export async function listAuditTrail(query: Paging & AuditFilter, { db }: Pick<Deps, 'db'>) {
  const { PageNumber, PageSize, SearchText, ...filter } = query
  const offset = (PageNumber - 1) * PageSize
  // Entries with a text are found by its index and sorted.
  const place =
    SearchText === ''
      ? await findPlace(db, `audit ${JSON.stringify(filter)}`, offset, auditTrailAsList(db, query))
      : { offset }
  const [entries, counted] = await Promise.all([
    findAuditEntries(db, query, { ...place, limit: PageSize + 1 }),
    countAuditEntries(db, query),
  ])
  return { entries: entries.slice(0, query.PageSize), hasMore: entries.length > query.PageSize, counted }
}

const MAX_AT_ONCE = 2000

/** All entries that match, newest first, in batches; and an entry about the export itself. */
export async function* readWholeAuditTrail(
  filter: AuditFilter,
  deps: Pick<Deps, 'db' | 'caller'>,
): AsyncGenerator<AuditEntryRow[]> {
  const detail = { after: { kind: 'auditTrail' } }
  const entry = { action: 'file.downloaded', subject: 'Audit trail', detail } as const
  await inTransaction(deps.db, (trx) => recordAudit(entry, trx, deps))
  let last: AuditEntryRow | undefined
  do {
    const entries = await findAuditEntriesBefore(deps.db, filter, last, MAX_AT_ONCE)
    yield entries
    last = entries.length < MAX_AT_ONCE ? undefined : entries.at(-1)
  } while (last !== undefined)
}

export const presentAuditEntry = (entry: AuditEntryRow): AuditEntryItem => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actorId === null ? null : { id: entry.actorId, email: entry.actorEmail ?? '' },
  action: entry.action,
  subject: entry.subject,
  company: entry.companyId === null ? null : { id: entry.companyId, name: entry.companyName ?? '' },
  address: entry.address,
  detail: entry.detail as AuditEntryItem['detail'],
})

const { columns } = auditMessages
export const auditExportHeader = Object.values(columns)

/** The values of an entry in the order of the export's header. */
export const auditExportLine = (entry: AuditEntryRow): string[] => [
  entry.at.toISOString(),
  entry.actorEmail ?? '',
  auditActionNames[entry.action],
  entry.subject,
  entry.companyName ?? '',
  entry.address ?? '',
  inWords(entry.detail.before),
  inWords(entry.detail.after),
]

const inWords = (values: AuditValues = {}): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' | ') : String(value ?? '')}`)
    .join('; ')
