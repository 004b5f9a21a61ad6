import { expect, it } from 'vitest'
import { createWaitingLines, type WaitingLines } from '#platform/admission/waiting-lines.ts'

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

/** Runs work in a line. */
function runnerIn(lines: WaitingLines) {
  return async <T>(key: string, work: () => Promise<T>, options?: Parameters<WaitingLines['enter']>[1]) => {
    const leave = await lines.enter(key, options)
    return work().finally(leave)
  }
}

it('A key has some work at a time, in the order of arrival, and others do not wait for it', async () => {
  const { begun, ends, doing } = work()
  const run = runnerIn(createWaitingLines({ atOnce: 2, maxWaiting: 2, maxWaitingBytes: 0 }))
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
  const run = runnerIn(createWaitingLines({ atOnce: 1, maxWaiting: 1, maxWaitingBytes: 0 }))
  const failing = run('a', async () => Promise.reject(new Error('failed')))
  const next = run('a', async () => 'done')
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(await run('a', async () => 'again')).toBe('again')
})

it('Work that is aborted while it waits never begins, and leaves its place', async () => {
  const { begun, ends, doing } = work()
  const run = runnerIn(createWaitingLines({ atOnce: 1, maxWaiting: 1, maxWaitingBytes: 10 }))
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
  const run = runnerIn(createWaitingLines({ atOnce: 1, maxWaiting: 9, maxWaitingBytes: 10 }))
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
  const lines = createWaitingLines({ atOnce: 1, maxWaiting: 2, maxWaitingBytes: 0 })
  const leave = await lines.enter('a')
  const begun: string[] = []
  for (const name of ['2', '3']) void lines.enter('a').then(() => begun.push(name))
  leave()
  leave()
  await expect.poll(() => begun).toEqual(['2'])
})
