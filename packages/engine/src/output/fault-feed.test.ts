import { describe, expect, it } from 'vitest'
import { FaultFeed } from '#output/fault-feed.ts'

const row = { keyTexts: () => [], hasContentBeside: () => false, isTooLong: () => false }
const fault = { code: 'notInList', error: '', expected: '' } as const

describe('The fault feed', () => {
  it.for([
    { count: 100, length: 5, mayGoOn: true, why: 'little waits' },
    { count: 20_000, length: 5, mayGoOn: false, why: 'many faults wait' },
    { count: 100, length: 32_000, mayGoOn: false, why: 'few wait, but with long values' },
  ])('lets the reading continue ($mayGoOn) if $why', async ({ count, length, mayGoOn }) => {
    const feed = new FaultFeed({ keepsValues: true, keeps: 'errors' })
    const value = 'x'.repeat(length)
    for (let number = 2; number < count + 2; number++) {
      feed.badCells(number, [{ column: 0, fault, value, memo: null }], row, [])
    }
    const wait = feed.ready()
    expect(wait === undefined).toBe(mayGoOn)
    for (let number = 2; number < count + 2; number++) {
      expect(await feed.peek()).toMatchObject({ rowNumber: number, faults: [{ column: 0, fault, value }] })
      feed.take()
    }
    await wait
    expect(feed.ready()).toBeUndefined()
  })

  it('decodes no value if it stores none', async () => {
    const feed = new FaultFeed({ keepsValues: false, keeps: 'errors' })
    const cell = {
      column: 0,
      fault,
      memo: null,
      get value(): string {
        throw new Error('No value is needed.')
      },
    }
    feed.badCells(2, [cell], row, [])
    expect(await feed.peek()).toMatchObject({ rowNumber: 2, faults: [{ column: 0, fault, value: '' }] })
  })
})
