import { expect, it } from 'vitest'
import { createRecentValues } from '#platform/database/recent-values.ts'

const KIB = 1024

/** Values of some kibibytes; `reads` has the keys that were read, in order. */
function openValues(maxKib: number) {
  const values = createRecentValues<number>(maxKib * KIB, (kib) => kib * KIB)
  const reads: number[] = []
  const get = (key: number, kib: number) =>
    values(key, async () => {
      reads.push(key)
      return kib
    })
  return { get, reads }
}

it('A value is read once, also for callers that want it at once', async () => {
  const { get, reads } = openValues(10)
  expect(await Promise.all([get(1, 5), get(1, 5), get(2, 1)])).toEqual([5, 5, 1])
  expect(await get(1, 7)).toBe(5)
  expect(reads).toEqual([1, 2])
})

it('Values that were not used for the longest time are forgotten when all have too many bytes', async () => {
  const { get, reads } = openValues(10)
  await get(1, 3)
  await get(2, 3)
  await get(1, 3)
  await get(3, 3)
  await get(1, 3)
  await get(2, 3)
  expect(reads).toEqual([1, 2, 3, 2])
})

it('Small values count with their overhead, so that many of them do not exceed the memory', async () => {
  const { get, reads } = openValues(10)
  for (let key = 1; key <= 11; key++) await get(key, 0)
  await get(1, 0)
  expect(reads.filter((key) => key === 1)).toHaveLength(2)
})

it('A value that is larger than the cache is not stored, and the others stay', async () => {
  const { get, reads } = openValues(10)
  await get(1, 3)
  await get(2, 10)
  await get(1, 3)
  await get(2, 10)
  expect(reads).toEqual([1, 2, 2])
})

it('A read that failed is repeated by the next caller', async () => {
  const values = createRecentValues<number>(10 * KIB, () => 0)
  await expect(values(1, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await values(1, async () => 2)).toBe(2)
})

it('A read that fails after its key was read again leaves the newer value', async () => {
  const values = createRecentValues<number>(10 * KIB, (kib) => kib * KIB)
  const first = Promise.withResolvers<number>()
  const failed = Promise.allSettled([values(1, () => first.promise)])
  await values(2, async () => 6)
  await values(3, async () => 6)
  await values(1, async () => 2)
  first.reject(new Error('lost'))
  await failed
  expect(await values(1, async () => 3)).toBe(2)
})
