import { auditActions, type AuditAction } from '@veridict/contract/model/audit-action'
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { pageNumberOf } from '#ui/tables/page-window.ts'

/** '' and null: all. Days as `yyyy-MM-dd`. */
export type AuditFilter = {
  searchText: string
  action: AuditAction | null
  from: string
  to: string
  userId: number | null
  companyId: number | null
}

/** Filters and page of the audit trail, stored in the address. Another filter starts at page 1. */
export function useAuditAddress() {
  const [query, setQuery] = useSearchParams()
  const filter = useMemo(() => filterOf(query), [query])
  const page = pageNumberOf(query.get('page'))
  /** `replace` adds no entry to the browser's history: while a person types, "back" leaves the search. */
  const change = useCallback(
    (changed: Partial<AuditFilter>, { replace = false } = {}) =>
      setQuery((current) => addressOf({ ...filterOf(current), ...changed }), { replace }),
    [setQuery],
  )
  const goTo = useCallback(
    (next: number) =>
      setQuery((current) => ({ ...Object.fromEntries(current), page: String(next) }), {
        preventScrollReset: true,
      }),
    [setQuery],
  )
  const clear = useCallback(() => setQuery({}), [setQuery])
  return { filter, isFiltered: Object.keys(addressOf(filter)).length > 0, page, change, goTo, clear }
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

function addressOf({ searchText, action, from, to, userId, companyId }: AuditFilter) {
  const all = { search: searchText, action, from, to, user: userId, company: companyId }
  return Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) =>
      value === null || value === '' ? [] : [[name, String(value)]],
    ),
  )
}
