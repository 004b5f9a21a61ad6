import { expect, it } from 'vitest'
import { firstCauses } from './first-causes.ts'

it.for([
  { cells: [500], first: { count: 1, percent: 100 }, why: 'the only cause' },
  { cells: [500, 60, 28, 14, 6, 2], first: { count: 3, percent: 96 }, why: 'as few as make 95 %' },
  { cells: [80, 2, 2, 1, 1, 1, 1, 1], first: { count: 1, percent: 89 }, why: 'no small ones after 80 %' },
  { cells: [999, 1], first: { count: 1, percent: 99 }, why: 'never 100 % while something remains' },
  { cells: [100_000, 1], first: { count: 1, percent: 99 }, why: 'nor by rounding' },
  { cells: [1, 1, 1], first: { count: 3, percent: 100 }, why: 'all of a few equal ones' },
  { cells: [20, 20, 10, 10, 10, 10, 10, 10], first: { count: 5, percent: 70 }, why: 'five at most' },
  { cells: Array<number>(50).fill(1), first: null, why: 'none of fifty small ones' },
  { cells: [], first: null, why: 'none without causes' },
])('$why', ({ cells, first }) =>
  expect(
    firstCauses(
      cells.map((count) => ({ cells: count })),
      cells.reduce((sum, count) => sum + count, 0),
    ),
  ).toEqual(first),
)
