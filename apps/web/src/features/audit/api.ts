import { keepPreviousData, queryOptions, useMutation } from '@tanstack/react-query'
import { exportAuditEntries, listAuditEntries } from '@veridict/contract/api/audit-trail'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'
import { download } from '#lib/http/download.ts'
import type { AuditFilter } from './use-audit-address.ts'

/** A page of the audit trail, newest first. */
export const auditQuery = (filter: AuditFilter, page: number) =>
  queryOptions({
    queryKey: ['audit-trail', { filter, page }],
    queryFn: ({ signal }) =>
      call(listAuditEntries, {
        query: { ...queryOf(filter), PageNumber: page, PageSize: pageSizes.default },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

export const useExportAudit = () =>
  useMutation({
    mutationFn: (filter: AuditFilter) => download(exportAuditEntries, { query: queryOf(filter) }),
  })

/** Days are those of the browser's time zone. */
const queryOf = ({ searchText, action, from, to, userId, companyId }: AuditFilter) => ({
  SearchText: searchText,
  ...(action !== null && { Action: [action] }),
  ...(from !== '' && { From: new Date(`${from}T00:00:00`).toISOString() }),
  ...(to !== '' && { To: new Date(`${to}T23:59:59.999`).toISOString() }),
  ...(userId !== null && { UserId: userId }),
  ...(companyId !== null && { CompanyId: companyId }),
})
