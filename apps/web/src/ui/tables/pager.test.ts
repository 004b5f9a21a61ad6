import { expect, it } from 'vitest'
import { firstAndLast, pageNumberOf } from './pager.tsx'

it.for([
  { page: 1, totalCount: 47, first: 1, last: 10, why: 'a first page' },
  { page: 5, totalCount: 47, first: 41, last: 47, why: 'a partly filled last page' },
  { page: 1, totalCount: 3, first: 1, last: 3, why: 'the only page' },
  { page: 9, totalCount: 47, first: 47, last: 47, why: 'a page past the end' },
])('$why', ({ page, totalCount, first, last }) =>
  expect(firstAndLast(page, 10, totalCount)).toEqual({ first, last }),
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
