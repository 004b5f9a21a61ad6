import { expect, it } from 'vitest'
import { pageNumberOf, rangeOf } from './pager.tsx'

it.for([
  { page: 1, totalCount: 47, range: '1–10 of 47', why: 'a first page' },
  { page: 5, totalCount: 47, range: '41–47 of 47', why: 'a partly filled last page' },
  { page: 1, totalCount: 3, range: '1–3 of 3', why: 'the only page' },
  { page: 9, totalCount: 47, range: '47–47 of 47', why: 'a page past the end' },
])('$why', ({ page, totalCount, range }) =>
  expect(rangeOf({ page, pageSize: 10, totalPages: Math.ceil(totalCount / 10), totalCount })).toBe(range),
)

it.for([
  { text: null, page: 1 },
  { text: '3', page: 3 },
  { text: '0', page: 1 },
  { text: '-2', page: 1 },
  { text: '2.5', page: 1 },
  { text: '1e9', page: 1 },
  { text: 'x', page: 1 },
  { text: '99999999999', page: 1 },
])('page $text of the address is page $page', ({ text, page }) => expect(pageNumberOf(text)).toBe(page))
