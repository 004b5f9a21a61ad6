import { describe, expect, it } from 'vitest'
import { compareOrder, orderOf } from '#dictionaries/field-order.ts'

const place = (...pairs: [itemId: number, position: number][]) =>
  pairs.map(([itemId, position]) => ({ itemId, position }))

describe('The order that a list of positions describes', () => {
  it.for([
    { why: 'positions decide, not the order of the list', list: place([7, 2], [8, 1]), order: [8, 7] },
    { why: 'a dictionary without fields has an order', list: [], order: [] },
    { why: 'a position is missing', list: place([7, 1], [8, 3]), order: null },
    { why: 'a position is a duplicate', list: place([7, 1], [8, 1]), order: null },
    { why: 'positions count from 1', list: place([7, 0], [8, 1]), order: null },
    { why: 'a field is a duplicate', list: place([7, 1], [7, 2]), order: null },
    { why: 'an id is not one', list: place([-1, 1]), order: null },
    { why: 'an id is larger than any can be', list: place([2_147_483_648, 1]), order: null },
  ])('$why', ({ list, order }) => expect(orderOf(list)).toEqual(order))
})

describe('A list of ids compared with the fields there are', () => {
  it.for([
    { why: 'the same fields', listed: [3, 1, 2], existing: [1, 2, 3], result: 'same' },
    { why: 'none at all', listed: [], existing: [], result: 'same' },
    { why: 'a listed field is gone', listed: [3, 1, 2], existing: [1, 3], result: 'outdated' },
    { why: 'a field is newer than all listed ones', listed: [2, 1], existing: [1, 2, 3], result: 'outdated' },
    { why: 'an older field was left out', listed: [3, 1], existing: [1, 2, 3], result: 'incomplete' },
    { why: 'all were left out', listed: [], existing: [1], result: 'incomplete' },
  ])('$why', ({ listed, existing, result }) => expect(compareOrder(listed, existing)).toBe(result))
})
