import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { pageNumberOf } from './page-window.ts'

/**
 * Search and page of a list, stored in the address (`?search=…&page=2`), so that "back" and a copied link
 * show the same list. A new search starts at page 1.
 */
export function useListAddress() {
  const [query, setQuery] = useSearchParams()
  const searchText = query.get('search') ?? ''
  const page = pageNumberOf(query.get('page'))
  const search = useCallback((text: string) => setQuery(text === '' ? {} : { search: text }), [setQuery])
  const goTo = useCallback(
    (next: number) =>
      setQuery((current) => ({ ...Object.fromEntries(current), page: String(next) }), {
        preventScrollReset: true,
      }),
    [setQuery],
  )
  return { searchText, page, search, goTo }
}
