import type { Paging } from '@veridict/contract/api/paging'
import type { AuditEntryRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import {
  countAuditEntries,
  findAuditEntries,
  findAuditEntriesBefore,
  type AuditFilter,
} from '#audit/audit-entries.ts'
import { recordAudit } from '#audit/record-audit.ts'

/** A page of the audit trail, newest first, and how many match. */
export async function listAuditTrail(query: Paging & AuditFilter, { db }: Pick<Deps, 'db'>) {
  const [entries, counted] = await Promise.all([findAuditEntries(db, query), countAuditEntries(db, query)])
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
