import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { pageNumberOf } from './page-window.ts'
import type { GoTo } from './use-last-page.ts'

/** Parameters of an address; without those that are null or ''. Absent ones stay as they are. */
export type ChangedParameters = Readonly<Record<string, string | number | null | undefined>>

/**
 * Filters and page of a list, stored in the address, so that "back" and a copied link show the same list.
 * Another filter starts at page 1.
 */
export function useFilterAddress() {
  const [query, setQuery] = useSearchParams()
  /** `replace` adds no entry to the browser's history: while a person types, "back" leaves the search. */
  const change = useCallback(
    (changed: ChangedParameters, { replace = false } = {}) =>
      setQuery((current) => changedQuery(current, { ...changed, page: null }), { replace }),
    [setQuery],
  )
  const goTo: GoTo = useCallback(
    (page, { replace } = { replace: false }) =>
      setQuery((current) => changedQuery(current, { page }), { preventScrollReset: true, replace }),
    [setQuery],
  )
  const clear = useCallback(() => setQuery({}), [setQuery])
  return { query, page: pageNumberOf(query.get('page')), change, goTo, clear }
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
  const { query, change, ...paging } = useFilterAddress()
  const filter = query.get('filter') ?? ''
  const search = useCallback((text: string) => change({ search: text }), [change])
  const setFilter = useCallback((names: readonly string[]) => change({ filter: names.join(',') }), [change])
  const filters = useMemo(() => (filter === '' ? [] : filter.split(',')), [filter])
  return { searchText: query.get('search') ?? '', filters, search, setFilter, ...paging }
}
