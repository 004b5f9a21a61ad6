import { useMutation } from '@tanstack/react-query'
import { exportAuditEntries, listAuditEntries } from '@veridict/contract/api/audit-trail'
import { pageSizes } from '@veridict/contract/limits'
import { download } from '#lib/http/download.ts'
import { pageQueryOf } from '#lib/http/query-of.ts'
import type { AuditFilter } from './use-audit-address.ts'

/** A page of the audit trail, newest first. */
export const auditQuery = (filter: AuditFilter, page: number) =>
  pageQueryOf(listAuditEntries, {
    query: { ...parametersOf(filter), PageNumber: page, PageSize: pageSizes.default },
  })

export const useExportAudit = () =>
  useMutation({
    mutationFn: (filter: AuditFilter) => download(exportAuditEntries, { query: parametersOf(filter) }),
  })

/** Days are those of the browser's time zone. */
const parametersOf = ({ searchText, action, from, to, userId, companyId }: AuditFilter) => ({
  SearchText: searchText,
  ...(action !== null && { Action: [action] }),
  ...(from !== '' && { From: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to !== '' && { To: new Date(`${to}T23:59:59.999`).toISOString() }),
  ...(userId !== null && { UserId: userId }),
  ...(companyId !== null && { CompanyId: companyId }),
})
