import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeCount } from './count.ts'

it.for([
  { count: 0, text: '0' },
  { count: 999, text: '999' },
  { count: 1000, text: '1,000' },
  { count: 100_000, text: '100,000' },
  { count: 1_048_576, text: '1,048,576' },
])('$count is written $text', ({ count, text }) => expect(writeCount(count)).toBe(text))

const english = Intl.NumberFormat('en').format

it('is the form that the standard library has for English', () =>
  fc.assert(fc.property(fc.maxSafeNat(), (count) => writeCount(count) === english(count))))
