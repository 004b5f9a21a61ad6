import type { BoundedPage, Page, Paging } from '@veridict/contract/api/paging'

/** A page of a list, as every call returns it. */
export const presentPage = <T>(
  data: T[],
  totalCount: number,
  { PageSize }: Pick<Paging, 'PageSize'>,
): Page<T> => ({
  data,
  totalPages: Math.ceil(totalCount / PageSize),
  totalCount,
})

/**
 * A page of a list that may be very long. If there are more rows than were counted, those up to the next page
 * count as well, so that one can go on page by page. The last page makes the count exact.
 */
export function presentBoundedPage<T>(
  rows: T[],
  { count, isLowerBound }: { count: number; isLowerBound: boolean },
  { PageSize, PageNumber, hasMore }: Pick<Paging, 'PageSize' | 'PageNumber'> & { hasMore: boolean },
): BoundedPage<T> {
  const seen = rows.length === 0 ? 0 : (PageNumber - 1) * PageSize + rows.length
  const isLast = rows.length > 0 && !hasMore
  const more = hasMore ? 1 : 0
  const page = presentPage(rows, isLowerBound ? Math.max(count, seen + more) : count, { PageSize })
  return { ...page, totalIsLowerBound: isLowerBound && !isLast }
}
