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
 * count as well, so that one can go on page by page.
 */
export function presentBoundedPage<T>(
  rows: T[],
  { count, isLowerBound }: { count: number; isLowerBound: boolean },
  { PageSize, PageNumber }: Pick<Paging, 'PageSize' | 'PageNumber'>,
): BoundedPage<T> {
  const seen = rows.length === 0 ? 0 : (PageNumber - 1) * PageSize + rows.length
  const more = isLowerBound && rows.length === PageSize ? 1 : 0
  const page = presentPage(rows, isLowerBound ? Math.max(count, seen + more) : count, { PageSize })
  return { ...page, totalIsLowerBound: isLowerBound }
}
