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
 * count as well, so that one can go on page by page. A page that is not full is the last: the count is exact.
 */
export function presentBoundedPage<T>(
  rows: T[],
  { count, isLowerBound }: { count: number; isLowerBound: boolean },
  { PageSize, PageNumber }: Pick<Paging, 'PageSize' | 'PageNumber'>,
): BoundedPage<T> {
  const seen = rows.length === 0 ? 0 : (PageNumber - 1) * PageSize + rows.length
  const isLast = rows.length > 0 && rows.length < PageSize
  const more = isLast ? 0 : 1
  const page = presentPage(rows, isLowerBound ? Math.max(count, seen + more) : count, { PageSize })
  return { ...page, totalIsLowerBound: isLowerBound && !isLast }
}
