import type { BoundedPage, Page, Paging } from '@veridict/contract/api/endpoint'
import type { Counted, ListPage } from '#platform/database/lists.ts'

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

/** If there are more rows than counted, the count includes the next page; it is exact on the last one. */
export const presentBoundedPage = <T>(
  rows: T[],
  counted: Counted,
  paging: BoundedPaging,
): BoundedPage<T> => ({ data: rows, ...boundedTotals(rows.length, counted, paging) })

type BoundedPaging = Pick<Paging, 'PageSize' | 'PageNumber'> & { hasMore: boolean }

function boundedTotals(
  rows: number,
  { count, isLowerBound }: Counted,
  { PageSize, PageNumber, hasMore }: BoundedPaging,
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
  paging: Pick<Paging, 'PageSize' | 'PageNumber'>,
): AsyncGenerator<string> {
  let rows = 0
  let hasMore = false
  yield '{"data":['
  for await (const batch of batches) {
    const ofPage = batch.slice(0, paging.PageSize - rows)
    hasMore ||= ofPage.length < batch.length
    if (ofPage.length > 0)
      yield (rows === 0 ? '' : ',') + ofPage.map((row) => JSON.stringify(present(row))).join(',')
    rows += ofPage.length
  }
  yield `],${JSON.stringify(boundedTotals(rows, counted, { ...paging, hasMore })).slice(1)}`
}
