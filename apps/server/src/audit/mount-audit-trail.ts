import * as endpoints from '@veridict/contract/api/audit-trail'
import { auditMessages } from '@veridict/contract/messages/audit-trail'
import type { FastifyInstance } from 'fastify'
import { csvDownload } from '#platform/http/download.ts'
import { mount } from '#platform/http/mount.ts'
import {
  auditExportHeader,
  auditExportLine,
  listAuditTrail,
  presentAuditEntry,
  readWholeAuditTrail,
} from '#audit/read-audit-trail.ts'
import { csvFile } from '#platform/csv.ts'
import { presentBoundedPage } from '#platform/page.ts'

export function mountAuditTrail(app: FastifyInstance): void {
  mount(app, endpoints.listAuditEntries, async ({ query, deps }) => {
    const { entries, hasMore, counted } = await listAuditTrail(query, deps)
    return presentBoundedPage(entries.map(presentAuditEntry), counted, { ...query, hasMore })
  })

  mount(app, endpoints.exportAuditEntries, async ({ query, deps }) =>
    csvDownload(
      auditMessages.exportName,
      csvFile(auditExportHeader, readWholeAuditTrail(query, deps), auditExportLine),
    ),
  )
}
