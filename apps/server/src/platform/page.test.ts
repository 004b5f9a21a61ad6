import { expect, it } from 'vitest'
import { longPageJson, presentBoundedPage } from '#platform/page.ts'

const counted = { count: 10_000, isLowerBound: true }
const rows = (count: number) => Array.from({ length: count }, (_, index) => index)

it.for([
  { why: 'a page among the counted', page: 3, found: 10, hasMore: true, total: 10_000, isLowerBound: true },
  { why: 'a page beyond', page: 1200, found: 10, hasMore: true, total: 12_001, isLowerBound: true },
  { why: 'the last page', page: 1200, found: 3, hasMore: false, total: 11_993, isLowerBound: false },
  { why: 'a full last page', page: 1200, found: 10, hasMore: false, total: 12_000, isLowerBound: false },
  { why: 'a page past the end', page: 1201, found: 0, hasMore: false, total: 10_000, isLowerBound: true },
])('$why of a list of more than 10,000 has a total of $total', (given) => {
  const { page, found, hasMore, total, isLowerBound } = given
  const paging = { PageNumber: page, PageSize: 10 }
  const presented = presentBoundedPage(rows(found + (hasMore ? 1 : 0)), String, counted, paging)
  expect(presented.data).toEqual(rows(found).map(String))
  expect(presented).toMatchObject({ totalCount: total, totalIsLowerBound: isLowerBound })
})

it('counts exactly what one page holds', () => {
  const paging = { PageNumber: 1, PageSize: 100_000 }
  const presented = presentBoundedPage(rows(15_000), String, counted, paging)
  expect(presented).toMatchObject({ totalCount: 15_000, totalPages: 1, totalIsLowerBound: false })
})

it.for([
  { found: 0, batch: 3 },
  { found: 5, batch: 3 },
  { found: 10, batch: 5 },
  { found: 11, batch: 10 },
  { found: 11, batch: 4 },
])('has the same JSON in parts: $found rows in batches of $batch', async ({ found, batch }) => {
  async function* batches() {
    const all = rows(found)
    while (all.length > 0) yield all.splice(0, batch)
  }
  const present = (id: number) => ({ id, name: `"${id}"` })
  const paging = { PageNumber: 2, PageSize: 10 }
  const parts = await Array.fromAsync(longPageJson(batches(), present, counted, paging))
  expect(JSON.parse(parts.join(''))).toEqual(presentBoundedPage(rows(found), present, counted, paging))
})
