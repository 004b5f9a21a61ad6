import { expect, it } from 'vitest'
import { mergeOrder } from './order-modal.tsx'

it.for([
  { why: 'my order stays', mine: 'cab', present: 'abc', merged: 'cab' },
  { why: 'a deleted item goes', mine: 'cab', present: 'ac', merged: 'ca' },
  { why: 'new items follow in their order', mine: 'cab', present: 'eabdc', merged: 'cabed' },
  { why: 'all were deleted', mine: 'ab', present: '', merged: '' },
])('$why', ({ mine, present, merged }) =>
  expect(mergeOrder([...mine], [...present], (item) => item)).toEqual([...merged]),
)
