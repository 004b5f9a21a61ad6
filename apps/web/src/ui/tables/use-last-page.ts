import { useEffect } from 'react'

/** Shows a page of a list. `replace`: "back" does not return to the page before. */
export type GoTo = (page: number, options?: { replace: boolean }) => void

type Listed<Row> = { data: Row[]; totalPages: number }

/**
 * Goes to the last page if `page` is past it: its rows were deleted, or the address is old. Returns the rows,
 * undefined while they load. A page past the last one is never returned: it would look like an empty list.
 */
export function useLastPage<Row>(list: Listed<Row> | undefined, page: number, onPage: GoTo) {
  const totalPages = list?.totalPages ?? 0
  useEffect(() => {
    if (totalPages > 0 && page > totalPages) onPage(totalPages, { replace: true })
  }, [totalPages, page, onPage])
  return totalPages > 0 && list?.data.length === 0 ? undefined : list?.data
}
