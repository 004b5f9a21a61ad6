import { useEffect } from 'react'

/** Goes to the last page if `page` is past it: its rows were deleted, or the address is old. */
export function useLastPage(
  data: { totalPages: number } | undefined,
  page: number,
  onPage: (page: number) => void,
): void {
  const totalPages = data?.totalPages ?? 0
  useEffect(() => {
    if (totalPages > 0 && page > totalPages) onPage(totalPages)
  }, [totalPages, page, onPage])
}
