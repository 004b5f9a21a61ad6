import { auditActions, type AuditAction } from '@veridict/contract/model/audit-action'
import { useFilterAddress } from '#ui/tables/use-list-address.ts'

/** '' and null: all. Days as `yyyy-MM-dd`. */
export type AuditFilter = {
  searchText: string
  action: AuditAction | null
  from: string
  to: string
  userId: number | null
  companyId: number | null
}

/** Filters and page of the audit trail, stored in the address. */
export function useAuditAddress() {
  const { query, change: changeQuery, ...paging } = useFilterAddress()
  const filter = filterOf(query)
  const change = (
    { searchText, userId, companyId, ...others }: Partial<AuditFilter>,
    options?: { replace: boolean },
  ) => changeQuery({ search: searchText, user: userId, company: companyId, ...others }, options)
  const isFiltered = Object.values(filter).some((value) => value !== null && value !== '')
  return { filter, isFiltered, change, ...paging }
}

const filterOf = (query: URLSearchParams): AuditFilter => ({
  searchText: query.get('search') ?? '',
  action: auditActions.find((action) => action === query.get('action')) ?? null,
  from: dayOf(query.get('from')),
  to: dayOf(query.get('to')),
  userId: idOf(query.get('user')),
  companyId: idOf(query.get('company')),
})

/** What is no day is ignored, like every unknown filter. */
const dayOf = (text: string | null): string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : ''

const idOf = (text: string | null): number | null =>
  text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null
