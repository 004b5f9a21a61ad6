import { describe, expect, it } from 'vitest'
import { createLeakyBuckets } from '#drivers/rate-limits.ts'
import type { AppError } from '#errors.ts'

function bucketsAt(start: number) {
  let seconds = start
  const buckets = createLeakyBuckets(
    { capacity: 3, leakSeconds: 10 },
    { now: () => new Date(seconds * 1000) },
  )
  return { buckets, pass: (more: number) => (seconds += more) }
}
const isRefused = (take: () => void): number | false => {
  try {
    take()
    return false
  } catch (error) {
    return (error as AppError).retryAfterSeconds ?? 0
  }
}

describe('A leaky bucket', () => {
  it('allows a burst and then says how long to wait', () => {
    const { buckets } = bucketsAt(0)
    const results = Array.from({ length: 4 }, () => isRefused(() => buckets.take('a')))
    expect(results).toEqual([false, false, false, 10])
    expect(isRefused(() => buckets.take('b'))).toBe(false)
  })

  it('allows one more after each leak, and a full burst when empty', () => {
    const { buckets, pass } = bucketsAt(0)
    for (let time = 0; time < 3; time++) buckets.take('a')
    pass(10)
    expect([isRefused(() => buckets.take('a')), isRefused(() => buckets.take('a'))]).toEqual([false, 10])
    pass(1000)
    expect(Array.from({ length: 4 }, () => isRefused(() => buckets.take('a')))).toEqual([
      false,
      false,
      false,
      10,
    ])
  })

  it('takes attempts back', () => {
    const { buckets } = bucketsAt(0)
    for (let time = 0; time < 10; time++) {
      buckets.take('a')
      buckets.giveBack('a')
    }
    expect(isRefused(() => buckets.take('a'))).toBe(false)
    buckets.empty('a')
    expect(Array.from({ length: 3 }, () => isRefused(() => buckets.take('a')))).toEqual([false, false, false])
  })

  it('stays full after the clock was set back, for no longer than before', () => {
    const { buckets, pass } = bucketsAt(1000)
    for (let time = 0; time < 3; time++) buckets.take('a')
    pass(-500)
    expect(isRefused(() => buckets.take('a'))).toBe(10)
  })
})
