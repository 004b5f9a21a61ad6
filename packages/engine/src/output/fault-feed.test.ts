import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { FaultFeed } from '#output/fault-feed.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { openTable } from '#source/open-table.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

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

  it('reads the keys only of so many cells as get notes', async () => {
    const fields = [{ ...field('Id', { type: 'number' }), identifiesRow: true }]
    const request = { ...requestFor(fields, ['a', 'b', 'c']), limits: portalGuards }
    const feed = new FaultFeed({ keepsValues: false, keeps: 'errors', maxWorded: 2 })
    await feed.validate(await openTable(request), request)
    const keys: unknown[] = []
    for (let row = await feed.peek(); row !== null; row = await feed.peek()) {
      keys.push(row.key)
      feed.take()
    }
    expect(keys).toEqual([[{ label: 'Id', value: 'a' }], [{ label: 'Id', value: 'b' }], []])
  })

  it('makes words of rules only for so many cells as get notes', async () => {
    const feed = new FaultFeed({ keepsValues: false, keeps: 'errors', maxWorded: 2 })
    let made = 0
    const unmet = {
      column: 0,
      columns: [0],
      isWarning: false,
      rule: { index: 0 },
      expected: '',
      get error(): string {
        made++
        return 'Wrong.'
      },
    } as unknown as UnmetTest
    // Two faults of one cell are one note.
    for (let number = 2; number < 100; number++) feed.badCells(number, [], row, [unmet, unmet])
    expect(made).toBe(4)
    const words: string[] = []
    for (let number = 2; number < 5; number++) {
      words.push((await feed.peek())!.faults.map(({ fault }) => fault.error).join(' '))
      feed.take()
    }
    expect(words).toEqual(['Wrong. Wrong.', 'Wrong. Wrong.', ' '])
  })
})
