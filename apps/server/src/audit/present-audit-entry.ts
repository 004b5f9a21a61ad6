import type { AuditEntryItem } from '@veridict/contract/api/audit-trail'
import { auditActionNames, auditMessages } from '@veridict/contract/messages/audit-trail'
import type { AuditValues } from '@veridict/contract/model/audit-action'
import type { AuditEntryRow } from '#platform/database/tables.ts'

export const presentAuditEntry = ({
  id,
  at,
  action,
  actorId,
  actorEmail,
  companyId,
  companyName,
  subject,
  address,
  detail,
}: AuditEntryRow): AuditEntryItem => ({
  id,
  at: at.toISOString(),
  actor: actorId === null ? null : { id: actorId, email: actorEmail ?? '' },
  action,
  subject,
  company: companyId === null ? null : { id: companyId, name: companyName ?? '' },
  address,
  detail: detail as AuditEntryItem['detail'],
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
