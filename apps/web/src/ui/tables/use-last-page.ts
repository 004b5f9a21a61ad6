import { useEffect } from 'react'

/** Shows a page of a list. `replace`: "back" does not return to the page before. */
export type GoTo = (page: number, options?: { replace: boolean }) => void

/** Goes to the last page if `page` is past it: its rows were deleted, or the address is old. */
export function useLastPage(data: { totalPages: number } | undefined, page: number, onPage: GoTo): void {
  const totalPages = data?.totalPages ?? 0
  useEffect(() => {
    if (totalPages > 0 && page > totalPages) onPage(totalPages, { replace: true })
  }, [totalPages, page, onPage])
}
