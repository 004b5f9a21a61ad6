import { expect, it } from 'vitest'
import { createAtOnceLimit } from '#platform/admission/at-once-limit.ts'

it('A key is refused beyond its limit, other keys are not, and ended work frees a place', () => {
  const { begin } = createAtOnceLimit(2)
  const end = begin('a')
  begin('a')
  expect(() => begin('a')).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 5 }))
  begin('b')
  end()
  begin('a')
  expect(() => begin('a')).toThrow()
})

it('All keys together are refused beyond theirs', () => {
  const { begin } = createAtOnceLimit(2, { ofAll: 3 })
  begin('a')
  const end = begin('a')
  begin('b')
  expect(() => begin('b')).toThrow(expect.objectContaining({ status: 429 }))
  end()
  begin('c')
  expect(() => begin('b')).toThrow()
})
