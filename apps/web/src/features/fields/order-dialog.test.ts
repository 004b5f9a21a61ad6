import { expect, it } from 'vitest'
import { mergeOrder } from './order-dialog.tsx'

const fields = (ids: string) => [...ids].map((letter) => ({ id: letter.charCodeAt(0) }))

it.for([
  { why: 'my order stays', mine: 'cab', present: 'abc', merged: 'cab' },
  { why: 'a deleted field goes', mine: 'cab', present: 'ac', merged: 'ca' },
  { why: 'new fields follow in their order', mine: 'cab', present: 'eabdc', merged: 'cabed' },
  { why: 'all were deleted', mine: 'ab', present: '', merged: '' },
])('$why', ({ mine, present, merged }) =>
  expect(mergeOrder(fields(mine), fields(present))).toEqual(fields(merged)),
)
