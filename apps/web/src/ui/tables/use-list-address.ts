import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { pageNumberOf } from './page-window.ts'
import type { GoTo } from './use-last-page.ts'

/**
 * Search, filter and page of a list, stored in the address (`?search=…&filter=a,b&page=2`), so that "back"
 * and a copied link show the same list. A new search or filter starts at page 1.
 */
export function useListAddress() {
  const [query, setQuery] = useSearchParams()
  const searchText = query.get('search') ?? ''
  const filter = query.get('filter') ?? ''
  const page = pageNumberOf(query.get('page'))
  const search = useCallback(
    (text: string) => setQuery((current) => withoutEmpty({ search: text, filter: current.get('filter') })),
    [setQuery],
  )
  const setFilter = useCallback(
    (names: readonly string[]) =>
      setQuery((current) => withoutEmpty({ search: current.get('search'), filter: names.join(',') })),
    [setQuery],
  )
  const goTo: GoTo = useCallback(
    (next: number, { replace } = { replace: false }) =>
      setQuery((current) => ({ ...Object.fromEntries(current), page: String(next) }), {
        preventScrollReset: true,
        replace,
      }),
    [setQuery],
  )
  const clear = useCallback(() => setQuery({}), [setQuery])
  const filters = useMemo(() => (filter === '' ? [] : filter.split(',')), [filter])
  return { searchText, filters, page, search, setFilter, clear, goTo }
}

const withoutEmpty = (parameters: Record<string, string | null>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string] => (entry[1] ?? '') !== ''),
  )
