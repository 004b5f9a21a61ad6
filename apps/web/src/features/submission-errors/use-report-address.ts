import { useCallback } from 'react'
import { useSearchParams } from 'react-router'
import { pageNumberOf } from '#ui/tables/page-window.ts'

/** Which rows of a report are shown: all, those of one cause, or those of one column. */
export type RowFilter = { cause: string } | { column: string } | null

/**
 * What a report shows, stored in the address (`?cause=…&page=2&row=17`), so that "back", reload and a copied
 * link show the same. A new filter starts at page 1.
 */
export function useReportAddress() {
  const [query, setQuery] = useSearchParams()
  const setFilter = useCallback(
    (filter: RowFilter) => setQuery({ ...filter }, { preventScrollReset: true }),
    [setQuery],
  )
  const goTo = useCallback(
    (page: number, { row, replace }: { row?: number; replace?: boolean } = {}) =>
      setQuery(
        (current) => ({
          ...filterOf(current),
          page: String(page),
          ...(row === undefined ? {} : { row: String(row) }),
        }),
        { preventScrollReset: true, replace },
      ),
    [setQuery],
  )
  return {
    filter: filterOf(query),
    page: pageNumberOf(query.get('page')),
    row: rowOf(query),
    setFilter,
    goTo,
  }
}

function filterOf(query: URLSearchParams): RowFilter {
  const [cause, column] = [query.get('cause'), query.get('column')]
  if (cause !== null) return { cause }
  return column === null ? null : { column }
}

const rowOf = (query: URLSearchParams) => (query.has('row') ? pageNumberOf(query.get('row')) : null)
