import { pageNumberOf } from '#ui/tables/pager.tsx'
import { useFilterAddress } from '#ui/tables/use-list-address.ts'

/** Which rows of a report are shown: all, those of one cause, or those of one column. */
export type RowFilter = { cause: string } | { column: string } | null

/** What a report shows, stored in the address: `?cause=…&page=2&row=17`. */
export function useReportAddress() {
  const { query, page, change, goTo } = useFilterAddress()
  return {
    filter: filterOf(query),
    page,
    row: query.has('row') ? pageNumberOf(query.get('row')) : null,
    setFilter: (filter: RowFilter) =>
      change({ cause: null, column: null, row: null, ...filter }, { preventScrollReset: true }),
    goTo,
  }
}

function filterOf(query: URLSearchParams): RowFilter {
  const [cause, column] = [query.get('cause'), query.get('column')]
  if (cause !== null) return { cause }
  return column === null ? null : { column }
}
