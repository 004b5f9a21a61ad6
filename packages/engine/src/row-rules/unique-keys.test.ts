import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ByteSet } from '#fast-path/byte-set.ts'
import { KeyHashes } from '#row-rules/key-hashes.ts'
import { RuleCell } from '#row-rules/rule-cell.ts'
import { type KeyLimits, UniqueKeys } from '#row-rules/unique-keys.ts'
import { runs } from '../../test/runs.ts'
import { field } from '../../test/verdict-of-rows.ts'
import { testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const FIELDS = [field('Text', { type: 'text' }), field('Number', { type: 'number' })]
/** Each key looks at some of the columns. */
const KEYS = [[0], [1], [0, 1]]

type Row = readonly [text: string, number: string]

/** By key and row, the first row with the same values; 0 if it is the first itself, or all are blank. */
function expectedOf(rows: readonly Row[], firstRow = 2): number[][] {
  return KEYS.map((columns) => {
    const firsts = new Map<string, number>()
    return rows.map((row, index) => {
      const key = JSON.stringify(columns.map((at) => (at === 1 && row[1] !== '' ? Number(row[1]) : row[at])))
      const first = columns.every((at) => row[at] === '') ? 0 : (firsts.get(key) ?? 0)
      if (first === 0) firsts.set(key, index + firstRow)
      return first
    })
  })
}

/** `collects`: of which rows the values are collected before the rules are asked. */
function foundIn(rows: readonly Row[], limits?: KeyLimits, collects = (_row: number) => false, firstRow = 2) {
  const cells = FIELDS.map((of, column) => new RuleCell(column, of, platform, new ByteSet(), false))
  const keys = new UniqueKeys(limits)
  const ofRules = KEYS.map((columns, key) =>
    Object.assign(keys.add(columns.map((at) => cells[at])), { isOfEveryRow: key !== 1 }),
  )
  let passes = 0
  const pass = () => {
    passes++
    return rows.map((row, index) => {
      for (const [at, cell] of cells.entries()) cell.seeText(row[at])
      keys.areCollected = collects(index)
      if (keys.areCollected) for (const key of keys.collecting) key.collect()
      return ofRules.map((key) => key.firstRow(index + firstRow))
    })
  }
  keys.start()
  let found = pass()
  while (!keys.endPass()) found = pass()
  expect(pass()).toEqual(found)
  return { found: KEYS.map((_, key) => found.map((row) => row[key])), passes: passes - 1 }
}

const row = fc.tuple(
  fc.constantFrom('', 'a', 'b', 'ab', 'é', '1'),
  fc.constantFrom('', '1', '1.0', '01', '10', '0.1', '-0', '0'),
)
const unlimited: KeyLimits = { tables: Infinity, compared: 2 ** 25, hash: 0xffff_ffff }

describe('Repeated values', () => {
  it.for<{ why: string; limits?: KeyLimits; firstRow?: number }>([
    { why: 'in one pass and a second look' },
    { why: 'with more rows than three bytes count', firstRow: 2 ** 24 - 2 },
    { why: 'where only one table fits', limits: { ...unlimited, tables: 1 } },
    { why: 'where a pass compares one value', limits: { ...unlimited, compared: 1 } },
    { why: 'where hashes collide', limits: { ...unlimited, hash: 0x3f } },
    { why: 'where nothing fits', limits: { tables: 1, compared: 1, hash: 0x3f } },
  ])('are those of the same values, and name the first row: $why', ({ limits, firstRow }) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), (rows) => {
        const expected = expectedOf(rows, firstRow)
        for (const collects of [() => false, () => true, (row: number) => row % 3 > 0])
          expect(foundIn(rows, limits, collects, firstRow).found).toEqual(expected)
      }),
      { numRuns: runs(15) },
    )
  })

  it.for([
    { rows: 'equal', textOf: () => 'a', most: 5 * 2 ** 18, known: 100 },
    { rows: 'in pairs', textOf: (row: number) => `${row >> 1}`, most: 5 * 2 ** 18, known: 13 * 2 ** 14 },
    { rows: 'in fives', textOf: (row: number) => `${row % 26_215}`, most: 2 ** 20, known: 21 * 2 ** 14 },
    { rows: 'different', textOf: (row: number) => `${row}`, most: 5 * 2 ** 18, known: 0 },
  ])('take few bytes where rows are $rows', ({ textOf, most, known }) => {
    const rowCount = 2 ** 17
    const cell = new RuleCell(0, FIELDS[0], platform, new ByteSet(), false)
    const keys = new UniqueKeys({ ...unlimited, tables: 2 ** 18 })
    const key = keys.add([cell])
    const sizes: number[] = []
    keys.start()
    do {
      for (let row = 2; row < rowCount; row++) {
        cell.seeText(textOf(row))
        key.firstRow(row)
      }
      sizes.push(keys.size)
    } while (!keys.endPass())
    expect(Math.max(...sizes)).toBeLessThanOrEqual(most)
    expect(keys.size).toBeLessThanOrEqual(known)
  })

  it('take no more bytes where more rows are equal', () => {
    const hashes = new KeyHashes()
    for (let row = 0; row < 1.2 * 2 ** 23; row++) hashes.add(1, row % 3)
    expect(hashes.count).toBeLessThanOrEqual(2 ** 23)
    expect(hashes.repeats()!.find(1, 2)).toBeGreaterThan(0)
    expect(hashes.count).toBe(0)
  })

  it('take a second pass only where values are equal', () => {
    const rows = Array.from({ length: 5000 }, (_, index): Row => [`${index}`, `${index}.5`])
    expect(foundIn(rows)).toMatchObject({ passes: 1 })
    expect(foundIn([...rows, rows[7]])).toMatchObject({ passes: 2 })
  })

  it('are no longer looked for where the file has lost them between two passes', () => {
    const cell = new RuleCell(0, FIELDS[0], platform, new ByteSet(), false)
    const keys = new UniqueKeys()
    const key = keys.add([cell])
    keys.start()
    for (const row of [2, 3]) {
      cell.seeText('a')
      key.firstRow(row)
    }
    expect(keys.endPass()).toBe(false)
    expect(keys.endPass()).toBe(true)
  })
})
