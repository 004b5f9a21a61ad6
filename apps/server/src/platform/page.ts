import type { BoundedPage, Page, Paging } from '@veridict/contract/api/endpoint'
import type { Counted, ListPage, PlaceInList } from '#platform/database/lists.ts'

/** A page of a list, as every call returns it. */
export const presentPage = <T>(
  data: T[],
  totalCount: number,
  { PageSize }: Pick<Paging, 'PageSize'>,
): Page<T> => ({ data, totalPages: Math.ceil(totalCount / PageSize), totalCount })

/** The same of rows that are still being read. */
export async function readPage<Row, T>(
  page: Promise<ListPage<Row>>,
  present: (row: Row) => T,
  paging: Pick<Paging, 'PageSize'>,
): Promise<Page<T>> {
  const { rows, count } = await page
  return presentPage(rows.map(present), count, paging)
}

/**
 * `rows` has one more if there is a next page. If there are more than counted, the count includes the next
 * page; it is exact on the last one.
 */
export function presentBoundedPage<Row, T>(
  rows: readonly Row[],
  present: (row: Row) => T,
  counted: Counted,
  place: PlaceInList,
): BoundedPage<T> {
  const data = rows.slice(0, place.PageSize).map(present)
  return { data, ...boundedTotals(data.length, rows.length > data.length, counted, place) }
}

function boundedTotals(
  rows: number,
  hasMore: boolean,
  { count, isLowerBound }: Counted,
  { PageSize, PageNumber }: PlaceInList,
): Omit<BoundedPage<unknown>, 'data'> {
  const seen = rows === 0 ? 0 : (PageNumber - 1) * PageSize + rows
  const isLast = rows > 0 && !hasMore
  const more = hasMore ? 1 : 0
  const totalCount = isLowerBound ? Math.max(count, seen + more) : count
  return {
    totalPages: Math.ceil(totalCount / PageSize),
    totalCount,
    totalIsLowerBound: isLowerBound && !isLast,
  }
}

/** Gives a part for each batch. `batches` has one row more if there is a next page. */
export async function* longPageJson<Row>(
  batches: AsyncIterable<readonly Row[]>,
  present: (row: Row) => unknown,
  counted: Counted,
  place: PlaceInList,
): AsyncGenerator<string> {
  let rows = 0
  let hasMore = false
  yield '{"data":['
  for await (const batch of batches) {
    const ofPage = batch.slice(0, place.PageSize - rows)
    hasMore ||= ofPage.length < batch.length
    if (ofPage.length > 0)
      yield (rows === 0 ? '' : ',') + ofPage.map((row) => JSON.stringify(present(row))).join(',')
    rows += ofPage.length
  }
  yield `],${JSON.stringify(boundedTotals(rows, hasMore, counted, place)).slice(1)}`
}
