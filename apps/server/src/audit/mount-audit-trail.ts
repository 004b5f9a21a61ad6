import * as endpoints from '@veridict/contract/api/audit-trail'
import { auditMessages, auditActionNames } from '@veridict/contract/messages/audit-trail'
import type { AuditValues } from '@veridict/contract/model/audit-action'
import { csvDownload } from '#platform/http/download.ts'
import { mountCalls } from '#platform/http/mount.ts'
import { csvFile } from '#platform/csv.ts'
import { presentBoundedPage } from '#platform/page.ts'
import {
  type AuditFilter,
  auditTrailAsList,
  countAuditEntries,
  findAuditEntries,
  findAuditEntriesBefore,
  findEntries,
  searchAuditEntries,
} from '#audit/audit-entries.ts'
import { recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { findPlace } from '#platform/database/far-pages.ts'
import { upToLimit } from '#platform/database/lists.ts'
import type { AuditEntryRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'

export const mountAuditTrail = mountCalls(endpoints, {
  /** Newest first. */
  async listAuditEntries({ query, deps: { db } }) {
    const { PageNumber, PageSize, SearchText, ...filter } = query
    if (SearchText !== '') {
      const { count, ids } = await searchAuditEntries(db, query)
      return presentBoundedPage(await findEntries(db, ids), presentAuditEntry, upToLimit(count), query)
    }
    const offset = (PageNumber - 1) * PageSize
    const place = await findPlace(db, `audit ${JSON.stringify(filter)}`, offset, auditTrailAsList(db, query))
    const [entries, counted] = await Promise.all([
      findAuditEntries(db, query, { ...place, limit: PageSize + 1 }),
      countAuditEntries(db, query),
    ])
    return presentBoundedPage(entries, presentAuditEntry, counted, query)
  },

  exportAuditEntries: async ({ query, deps }) =>
    csvDownload(
      auditMessages.exportName,
      csvFile(auditExportHeader, readWholeAuditTrail(query, deps), auditExportLine),
    ),
})

const MAX_AT_ONCE = 2000

/** All entries that match, newest first, in batches; and an entry about the export itself. */
async function* readWholeAuditTrail(filter: AuditFilter, deps: Pick<Deps, 'db' | 'caller'>) {
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

const presentAuditEntry = (entry: AuditEntryRow): endpoints.AuditEntryItem => ({
  id: entry.id,
  at: entry.at.toISOString(),
  actor: entry.actorId === null ? null : { id: entry.actorId, email: entry.actorEmail ?? '' },
  action: entry.action,
  subject: entry.subject,
  company: entry.companyId === null ? null : { id: entry.companyId, name: entry.companyName ?? '' },
  address: entry.address,
  detail: entry.detail as endpoints.AuditEntryItem['detail'],
})

const { columns } = auditMessages
const auditExportHeader = Object.values(columns)

/** The values of an entry in the order of the export's header. */
const auditExportLine = (entry: AuditEntryRow): string[] => [
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
