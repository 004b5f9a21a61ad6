import { pageSizes } from '@veridict/contract/limits'
import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { type GoTo, pageNumberOf } from './pager.tsx'

/** Parameters of an address; without those that are null or ''. Absent ones stay as they are. */
export type ChangedParameters = Readonly<Record<string, string | number | null | undefined>>

/** "Back" and a copied link show the same list. Another filter starts at page 1. */
export function useFilterAddress() {
  const [query, setQuery] = useSearchParams()
  /** `replace` adds no entry to the browser's history: while a person types, "back" leaves the search. */
  const change = (
    changed: ChangedParameters,
    options: { replace?: boolean; preventScrollReset?: true } = {},
  ) => setQuery((current) => changedQuery(current, { ...changed, page: null }), options)
  const goTo: GoTo = useCallback(
    (page, { replace, row = null } = {}) =>
      setQuery((current) => changedQuery(current, { page, row }), { preventScrollReset: true, replace }),
    [setQuery],
  )
  return { query, page: pageNumberOf(query.get('page')), change, goTo, clear: () => setQuery({}) }
}

function changedQuery(query: URLSearchParams, changed: ChangedParameters): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changed)) {
    if (value === null || value === '') next.delete(name)
    else if (value !== undefined) next.set(name, String(value))
  }
  return next
}

/** The search and the filter of a list: `?search=…&filter=a,b&page=2`. */
export function useListAddress() {
  const { query, change, ...address } = useFilterAddress()
  const searchText = query.get('search') ?? ''
  return {
    ...address,
    searchText,
    filters: (query.get('filter') ?? '').split(',').filter(Boolean),
    /** For the call that reads the page. */
    paging: { SearchText: searchText, PageNumber: address.page, PageSize: pageSizes.default },
    search: (text: string) => change({ search: text }),
    setFilter: (names: readonly string[]) => change({ filter: names.join(',') }),
  }
}
