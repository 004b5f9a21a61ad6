import { describe, expect, it } from 'vitest'
import { Gate } from '#platform/admission/gate.ts'
import type { AppError } from '#errors.ts'

/** A gate for one at a time whose work ends when the test ends it; `order` has what was started. */
function gateOf(maxWaiting: number) {
  const groupOf = (key: string) => key.charAt(0)
  const gate = new Gate({ concurrency: 1, maxWaiting, groupOf })
  const order: string[] = []
  const ends: (() => void)[] = []
  const add = (key: string, name: string) =>
    gate.run(key, async () => {
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

describe('A gate', () => {
  it('gives each key its turn, however many of another key wait', async () => {
    const { add, order, finishAll } = gateOf(10)
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
    const { add, order, finishAll } = gateOf(3)
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
    const { add, order, finishAll } = gateOf(4)
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
    const gate = new Gate({ concurrency: 3, perKey: 2, maxWaiting: 10 })
    const order: string[] = []
    const ends = new Map<string, () => void>()
    const add = (key: string, name: string) =>
      gate.run(key, async () => {
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
    const gate = new Gate({ concurrency: 2, perGroup: 1, maxWaiting: 10, groupOf })
    const order: string[] = []
    const ends: (() => void)[] = []
    const all = ['a1', 'a2', 'a1', 'b1', 'a3'].map((key) =>
      gate.run(key, async () => {
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
    const gate = new Gate({ concurrency: 1, maxWaiting: 1 })
    const failing = gate.run('a', () => Promise.reject(new Error('broken')))
    const next = gate.run('a', async () => 'next')
    await expect(failing).rejects.toThrow('broken')
    expect(await next).toBe('next')
  })
})

function work() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const doing = (name: string) => () =>
    new Promise<string>((resolve) => {
      begun.push(name)
      ends.set(name, () => resolve(name))
    })
  return { begun, ends, doing }
}

/** Runs work in a gate. */
function runnerIn(gate: Gate) {
  return async <T>(key: string, work: () => Promise<T>, options?: Parameters<Gate['enter']>[1]) => {
    const leave = await gate.enter(key, options)
    return work().finally(leave)
  }
}

it('A key has some work at a time, in the order of arrival, and others do not wait for it', async () => {
  const { begun, ends, doing } = work()
  const run = runnerIn(new Gate({ perKey: 2, maxWaitingOfKey: 2, retrySeconds: 1 }))
  const runs = ['1', '2', '3', '4'].map((name) => run('a', doing(name)))
  const other = run('b', doing('5'))
  await expect.poll(() => begun).toEqual(['1', '2', '5'])
  await expect(run('a', doing('6'))).rejects.toMatchObject({ status: 429, retryAfterSeconds: 1 })
  ends.get('2')?.()
  await expect.poll(() => begun).toEqual(['1', '2', '5', '3'])
  const last = run('a', doing('7'))
  for (const name of ['1', '5', '3']) ends.get(name)?.()
  await expect.poll(() => begun).toEqual(['1', '2', '5', '3', '4', '7'])
  for (const name of ['4', '7']) ends.get(name)?.()
  expect(await Promise.all([...runs, other, last])).toEqual(['1', '2', '3', '4', '5', '7'])
})

it('Work that fails hands its place over, too', async () => {
  const run = runnerIn(new Gate({ perKey: 1, maxWaitingOfKey: 1 }))
  const failing = run('a', async () => Promise.reject(new Error('failed')))
  const next = run('a', async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(await run('a', async () => 'again')).toBe('again')
})

it('Work that is aborted while it waits never begins, and leaves its place', async () => {
  const { begun, ends, doing } = work()
  const run = runnerIn(new Gate({ perKey: 1, maxWaitingOfKey: 1, maxWaitingBytesOfKey: 10 }))
  const first = run('a', doing('1'))
  const left = new AbortController()
  const second = run('a', doing('2'), { bytes: 10, aborted: left.signal })
  left.abort()
  await expect(second).rejects.toMatchObject({ status: 429 })
  const third = run('a', doing('3'), { bytes: 10 })
  ends.get('1')?.()
  await expect.poll(() => begun).toEqual(['1', '3'])
  ends.get('3')?.()
  expect(await Promise.all([first, third])).toEqual(['1', '3'])
})

it('Work of a key waits only as long as all of it together holds few bytes', async () => {
  const { begun, ends, doing } = work()
  const run = runnerIn(new Gate({ perKey: 1, maxWaitingOfKey: 9, maxWaitingBytesOfKey: 10 }))
  const runs = [run('a', doing('1'), { bytes: 99 }), run('a', doing('2'), { bytes: 6 })]
  await expect(run('a', doing('3'), { bytes: 5 })).rejects.toMatchObject({ status: 429 })
  ends.get('1')?.()
  await expect.poll(() => begun).toEqual(['1', '2'])
  runs.push(run('a', doing('4'), { bytes: 5 }))
  ends.get('2')?.()
  await expect.poll(() => begun).toEqual(['1', '2', '4'])
  ends.get('4')?.()
  expect(await Promise.all(runs)).toEqual(['1', '2', '4'])
})

it('Work that ends twice leaves one place', async () => {
  const gate = new Gate({ perKey: 1, maxWaitingOfKey: 2 })
  const leave = await gate.enter('a')
  const begun: string[] = []
  for (const name of ['2', '3']) void gate.enter('a').then(() => begun.push(name))
  leave()
  leave()
  await expect.poll(() => begun).toEqual(['2'])
})

it('Work that enters now or not at all is refused beyond the limit of its key, and of all', () => {
  const gate = new Gate({ perKey: 2, concurrency: 3, retrySeconds: 5 })
  const end = gate.enterNow('a')
  gate.enterNow('a')
  expect(() => gate.enterNow('a')).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 5 }))
  gate.enterNow('b')
  expect(gate.tryEnter('b')).toBeNull()
  end()
  gate.enterNow('b')
  expect(gate.tryEnter('a')).toBeNull()
})
