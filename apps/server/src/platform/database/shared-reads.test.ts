import { afterAll, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { batchReads, shareRead } from '#platform/database/shared-reads.ts'
import type { Db } from '#platform/database/tables.ts'

/** Never connects: the reads of these tests are functions. */
const databases: Db[] = []
const newDatabase = () => {
  const db = openDatabase('postgres://localhost:1/none')
  databases.push(db)
  return db
}
afterAll(() => Promise.all(databases.map((db) => db.destroy())))

/** A read that a test ends: its begin is recorded, and it returns what was true when it began. */
function readOf(state: { value: number }) {
  const ends: (() => void)[] = []
  const read = () => {
    const { value } = state
    return new Promise<number>((resolve) => ends.push(() => resolve(value)))
  }
  return { ends, read }
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

it('Callers that come while a read runs share the next one, which sees all earlier changes', async () => {
  const state = { value: 1 }
  const { ends, read } = readOf(state)
  const db = newDatabase()
  const first = shareRead(db, 'list', read)
  state.value = 2
  const others = [1, 2, 3].map(() => shareRead(db, 'list', read))
  expect(ends).toHaveLength(1)
  ends[0]?.()
  expect(await first).toBe(1)
  await settle()
  expect(ends).toHaveLength(2)
  ends[1]?.()
  expect(await Promise.all(others)).toEqual([2, 2, 2])
})

it('Reads of another key or database are not shared, and results are not cached', async () => {
  const db = newDatabase()
  let reads = 0
  const read = async () => ++reads
  expect(await Promise.all([shareRead(db, 'a', read), shareRead(db, 'b', read)])).toEqual([1, 2])
  expect(await shareRead(newDatabase(), 'a', read)).toBe(3)
  expect(await shareRead(db, 'a', read)).toBe(4)
})

it('After a read that failed the next one runs', async () => {
  const db = newDatabase()
  const first = shareRead(db, 'list', () => Promise.reject(new Error('lost')))
  const second = shareRead(db, 'list', async () => 2)
  await expect(first).rejects.toThrow('lost')
  expect(await second).toBe(2)
})

it('Four keys are read at once, and those that come meanwhile are read together', async () => {
  const db = newDatabase()
  const batches: { keys: readonly number[]; end: () => void }[] = []
  const read = batchReads(
    (_db, keys: readonly number[]) =>
      new Promise<Map<number, string>>((resolve) => {
        const found = new Map(keys.filter((key) => key !== 9).map((key) => [key, `value ${key}`]))
        batches.push({ keys, end: () => resolve(found) })
      }),
  )
  const values = [1, 2, 3, 4, 5, 6, 5, 9].map((key) => read(db, key))
  await settle()
  expect(batches.map(({ keys }) => keys)).toEqual([[1], [2], [3], [4]])
  batches[2]?.end()
  await settle()
  expect(batches.slice(4).map(({ keys }) => keys)).toEqual([[5, 6, 9]])
  for (const { end } of batches) end()
  const expected = [1, 2, 3, 4, 5, 6, 5].map((key) => `value ${key}`)
  expect(await Promise.all(values)).toEqual([...expected, undefined])
})

it('A batch that fails fails for its callers only', async () => {
  const db = newDatabase()
  let fails = true
  const read = batchReads(async (_db, keys: readonly number[]) => {
    await settle()
    if (fails) throw new Error('lost')
    return new Map(keys.map((key) => [key, key]))
  })
  const failed = await Promise.allSettled([1, 2, 3, 4, 5, 6].map((key) => read(db, key)))
  expect(failed.every(({ status }) => status === 'rejected')).toBe(true)
  fails = false
  expect(await read(db, 7)).toBe(7)
})
