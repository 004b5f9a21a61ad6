import { describe, expect, it } from 'vitest'
import { createFairQueue } from '#platform/admission/fair-queue.ts'
import type { AppError } from '#errors.ts'

/** A queue of one at a time whose work ends when the test ends it; `order` has what was started. */
function queueOf(maxWaiting: number) {
  const groupOf = (key: string) => key.charAt(0)
  const queue = createFairQueue({ concurrency: 1, maxWaiting, groupOf })
  const order: string[] = []
  const ends: (() => void)[] = []
  const add = (key: string, name: string) =>
    queue.run(key, async () => {
      order.push(name)
      await new Promise<void>((resolve) => ends.push(resolve))
      return name
    })
  const finishAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { add, order, finishAll }
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: AppError) => [error.status, error.retryAfterSeconds],
  )

describe('A fair queue', () => {
  it('gives each key its turn, however many of another key wait', async () => {
    const { add, order, finishAll } = queueOf(10)
    const all = [
      add('a', 'a1'),
      add('a', 'a2'),
      add('a', 'a3'),
      add('b', 'b1'),
      add('c', 'c1'),
      add('b', 'b2'),
    ]
    await Promise.resolve()
    await finishAll()
    expect(await Promise.all(all)).toHaveLength(6)
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  })

  it('refuses the newest of the key with the most when too many wait, with the seconds to wait', async () => {
    const { add, order, finishAll } = queueOf(3)
    const first = add('flood', 'f1')
    const flood = ['f2', 'f3', 'f4', 'f5'].map((name) => refusal(add('flood', name)))
    const other = add('other', 'o1')
    await Promise.resolve()
    await finishAll()
    expect(await Promise.all([first, other])).toEqual(['f1', 'o1'])
    expect(await Promise.all(flood)).toEqual([null, null, [429, 2], [429, 2]])
    expect(order).toEqual(['f1', 'f2', 'o1', 'f3'])
  })

  it('gives many keys of one group the turns of one, and refuses the newest of them', async () => {
    const { add, order, finishAll } = queueOf(4)
    const first = add('f0', 'f0')
    const flood = ['f1', 'f2', 'f2', 'f3', 'f4'].map((key, index) => refusal(add(key, `${key}-${index}`)))
    const other = add('other', 'o')
    await Promise.resolve()
    await finishAll()
    expect(await Promise.all([first, other])).toEqual(['f0', 'o'])
    expect(await Promise.all(flood)).toEqual([null, null, [429, 2], null, [429, 2]])
    expect(order).toEqual(['f0', 'f1-0', 'o', 'f2-1', 'f3-3'])
  })

  it('runs other keys while one has as much running as it may', async () => {
    const queue = createFairQueue({ concurrency: 3, perKey: 2, maxWaiting: 10 })
    const order: string[] = []
    const ends = new Map<string, () => void>()
    const add = (key: string, name: string) =>
      queue.run(key, async () => {
        order.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
      })
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => add(name.charAt(0), name))
    await Promise.resolve()
    expect(order).toEqual(['a1', 'a2', 'b1'])
    for (const name of ['b1', 'a2', 'b2', 'a1', 'c1', 'a3', 'a4']) {
      ends.get(name)?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(all)
    expect(order).toEqual(['a1', 'a2', 'b1', 'b2', 'a3', 'c1', 'a4'])
  })

  it('runs other groups while one has as much running as it may', async () => {
    const groupOf = (key: string) => key.charAt(0)
    const queue = createFairQueue({ concurrency: 2, perGroup: 1, maxWaiting: 10, groupOf })
    const order: string[] = []
    const ends: (() => void)[] = []
    const all = ['a1', 'a2', 'a1', 'b1', 'a3'].map((key) =>
      queue.run(key, async () => {
        order.push(key)
        await new Promise<void>((resolve) => ends.push(resolve))
      }),
    )
    await Promise.resolve()
    expect(order).toEqual(['a1', 'b1'])
    for (const _ of all) {
      ends.shift()?.()
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(all)
    expect(order).toEqual(['a1', 'b1', 'a2', 'a1', 'a3'])
  })

  it('goes on after work that fails', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 1 })
    const failing = queue.run('a', () => Promise.reject(new Error('broken')))
    const next = queue.run('a', async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})
