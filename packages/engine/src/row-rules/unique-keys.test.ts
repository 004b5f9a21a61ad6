import { emptyRuleBook, type RowRule } from '@veridict/contract/model/row-rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileColumns } from '#compile/compile-columns.ts'
import { ByteSet } from '#fast-path/byte-set.ts'
import { ColumnKernel } from '#fast-path/column-kernel.ts'
import { KeyHashes } from '#row-rules/key-hashes.ts'
import { KeyValue, randomMix } from '#row-rules/key-value.ts'
import { RuleCell } from '#row-rules/rule-cell.ts'
import { type KeyLimits, UniqueKeys } from '#row-rules/unique-keys.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { runs } from '../../test/runs.ts'
import { field } from '../../test/verdict-of-rows.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

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

  it.for([1, 1000])('take no more bytes where more rows are equal, %i at once', (count) => {
    const hashes = new KeyHashes()
    const some = Uint32Array.from({ length: 2 * count }, (_, at) => (at % 2 === 0 ? 1 : ((at - 1) / 2) % 3))
    for (let row = 0; row < 1.2 * 2 ** 23; row += count)
      if (count === 1) hashes.add(1, row % 3)
      else hashes.addAll(some)
    expect(hashes.count).toBeLessThanOrEqual(2 ** 23)
    expect(hashes.repeats()!.find(1, 2)).toBeGreaterThan(0)
    expect(hashes.count).toBe(0)
  })

  it('are found with more hashes between the two than are kept before repeated ones are dropped', () => {
    const hashes = new KeyHashes()
    // Odd factors, so that all are different.
    const lowOf = (value: number) => Math.imul(value + 1, 0x9e3779b1) >>> 0
    const highOf = (value: number) => Math.imul(value + 1, 0x85ebca6b) >>> 0
    const block = new Uint32Array(2 ** 21)
    for (let value = 0; value < 9 * 2 ** 20; hashes.addAll(block))
      for (let at = 0; at < block.length; value++) {
        block[at++] = lowOf(value)
        block[at++] = highOf(value)
      }
    hashes.add(lowOf(0), highOf(0))
    const repeats = hashes.repeats()!
    expect(repeats.find(lowOf(0), highOf(0))).toBeGreaterThan(0)
    expect(repeats.find(lowOf(1), highOf(1))).toBe(-1)
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

describe('The hashes of the kernel', () => {
  const fields = [
    field('Text', { type: 'text' }),
    field('Number', { type: 'number', scale: 3 }),
    field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
    field('Code', { type: 'pattern', pattern: '[A-Z]*' }),
    field('Item', { type: 'list', options: ['Open', 'In part', 'é'] }),
    field('Last number', { type: 'number' }),
  ]
  const numbers = ['', '0', '-0', '1', '+1', '01', '1.0', '-1', '-01.00', '10', '0.5', '0.50', '12345678.25']
  const dates = ['', '01/02/2020', '28/02/1999', '31/12/9999', '01/01/0001']
  const values: string[][] = [
    ['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'a,b', 'a"b', '""', '"', 'é', '😀 x', '1', 'x'.repeat(99)],
    numbers,
    dates,
    ['', 'A', 'ABCDEFGH'],
    ['', 'Open', 'In part', 'é'],
    numbers.filter((text) => !text.includes('.')),
  ]
  const cell = (column: number) =>
    fc.tuple(fc.constantFrom(...values[column]), fc.boolean()).map(([text, isQuoted]) => ({
      text,
      // A quoted cell without a text is never sure.
      raw: /[",]/.test(text) || (isQuoted && text !== '') ? `"${text.replaceAll('"', '""')}"` : text,
    }))
  const record = fc.tuple(...values.map((_, column) => cell(column)))

  it.for(['\n', '\r\n'])(
    'are those of the values that cells show, with %j between records',
    async (lineEnd) => {
      const columns = await compileColumns(fields, { kind: 'csv', delimiter: 0x2c }, platform)
      const described = columns.map(({ describe }) => ({ describe, isRequired: false }))
      const kernel = ColumnKernel.of(described, { chunk: 1 << 16, delimiter: 0x2c, longestRecord: 1000 })!
      const cells = fields.map((of, column) => new RuleCell(column, of, platform, new ByteSet(), false))
      const own = new KeyValue()
      let compared = 0
      const check = (rows: { text: string; raw: string }[][], key: number[], bits: number) => {
        const lines = rows.map((row) => row.map(({ raw }) => raw).join(',') + lineEnd)
        const bytes = platform.encodeUtf8(lines.join(''))
        kernel.bytes.set(bytes)
        expect(kernel.check(0, bytes.length)).toBe(rows.length)
        // A record is left to the validator if its bytes may be nothing but delimiters and CR.
        const isLeft = (at: number) => platform.encodeUtf8(lines[at]).length - 1 <= fields.length
        expect(kernel.doubtfulCount).toBe(lines.filter((_, at) => isLeft(at)).length)
        const mix = randomMix()
        for (const [record, row] of rows.entries()) {
          if (isLeft(record)) continue
          for (const [column, { text }] of row.entries()) cells[column].seeText(text)
          const shown = key.map((column) => cells[column])
          const expected = own.read(shown, mix, bits) ? [own.low, own.high] : []
          const found = kernel.hashKeys(Uint32Array.from(key), record, record + 1, mix, bits)
          expect([...found], lines[record]).toEqual(expected)
          compared++
        }
        const all = kernel.hashKeys(Uint32Array.from(key), 0, rows.length, mix, bits)
        if (key.length === 1)
          expect(all.length).toBe(2 * rows.filter((row) => row[key[0]].text !== '').length)
      }
      const keyOf = fc.uniqueArray(fc.nat(fields.length - 1), { minLength: 1, maxLength: 3 })
      const bits = fc.constantFrom(0xffff_ffff, 1)
      fc.assert(fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), keyOf, bits, check), {
        numRuns: runs(100),
      })
      expect(compared).toBeGreaterThan(200)
    },
  )

  it('of a long quoted value leave the descriptions of columns as they are', async () => {
    const columns = await compileColumns(fields.slice(0, 2), { kind: 'csv', delimiter: 0x2c }, platform)
    const described = columns.map(({ describe }) => ({ describe, isRequired: false }))
    const kernel = ColumnKernel.of(described, { chunk: 1 << 12, delimiter: 0x2c, longestRecord: 1000 })!
    const bytes = platform.encodeUtf8(`"${'\u00ff'.repeat(490)}",12.5\n`)
    kernel.bytes.set(bytes)
    for (let time = 0; time < 2; time++) {
      expect([kernel.check(0, bytes.length), kernel.doubtfulCount]).toEqual([1, 0])
      expect(kernel.hashKeys(Uint32Array.of(0), 0, 1, randomMix(), 0xffff_ffff).length).toBe(2)
    }
  })
})

describe('Repeated values of a file', () => {
  const fields = [
    field('Text', { type: 'text' }),
    field('Number', { type: 'number', scale: 2 }),
    field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
  ]
  const names = fields.map(({ name }) => name)
  const keyOf = (columns: string[]): RowRule => ({
    name: columns.join(' + '),
    severity: 'error',
    then: [{ columns, is: 'unique' }],
  })

  async function repeatsIn(fileName: string, bytes: Uint8Array, blankTexts: string[] = []) {
    const rules = [...names.map((name) => keyOf([name])), keyOf(['Text', 'Number'])]
    const ruleBook = { ...emptyRuleBook, rules, blankTexts, day: '2026-11-28' }
    const verdict = await validateTable({ source: bytesSource(bytes), fileName, fields, platform, ruleBook })
    if (verdict.kind !== 'rowErrors') throw new Error(verdict.kind)
    return verdict.rows.map(({ rowNumber, columnValidationErrors }) => [
      rowNumber,
      ...new Set(columnValidationErrors.map(({ rule }) => rule)),
    ])
  }

  it('are found where the kernel is sure of both rows, of one or of none', async () => {
    const rows = ['a,1,01/01/2020', 'b,2,02/01/2020', '"a",+1.0,03/01/2020', ' b ,,29/02/2020']
    rows.push('"c""",3.50,29/02/2020', 'c"",4,05/01/2020', '"c""" ,03.5,02/01/2020 ', 'a,01,', ',,', ',2,')
    const found = await repeatsIn('a.csv', platform.encodeUtf8([names, ...rows].join('\n')))
    const [both, date] = ['Text + Number', 'Date']
    expect(found).toEqual([
      [4, 'Text', 'Number', both],
      [5, 'Text'],
      [6, date],
      [8, 'Text', 'Number', date, both],
      [9, 'Text', 'Number', both],
      [11, 'Number'],
    ])
  })

  it('count texts as blank in a key with other values', async () => {
    const rows = ['N/A,1,', ',1,', 'N/A,,', 'N/A,,']
    const bytes = platform.encodeUtf8([names, ...rows].join('\n'))
    expect(await repeatsIn('a.csv', bytes, ['N/A'])).toEqual([[3, 'Number', 'Text + Number']])
  })

  it('are found in a workbook, however it stores them', async () => {
    const text = (value: string) => ` t="inlineStr"><is><t>${value}</t></is></c>`
    const number = (value: string) => `><v>${value}</v></c>`
    const day = (serial: number) => ` s="1"><v>${serial}</v></c>`
    const shared = ' t="s"><v>0</v></c>'
    const rows = [
      names.map(text),
      [text('z'), number('9'), day(40_000)],
      [shared, number('1'), day(43_831)],
      [text('b'), number('2'), text('02/01/2020')],
      [text('a'), text('1.0'), text('01/01/2020')],
      // Read by tokens, and then written in another way.
      [text('<![CDATA[a]]>'), number('2E0'), day(43_832)],
      [number('12'), number('12'), day(43_840)],
      [text('12'), text('12'), text('10/01/2020')],
    ]
    const contents = rows.map((cells, index) => {
      const row = cells.map((cell, column) => `<c r="${'ABC'[column]}${index + 1}"${cell}`)
      return `<row r="${index + 1}">${row.join('')}</row>`
    })
    const bytes = buildWorkbook({
      rows: contents.join(''),
      strings: '<si><t>a</t></si>',
      formats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
    })
    expect(await repeatsIn('a.xlsx', bytes)).toEqual([
      [5, 'Text', 'Number', 'Date', 'Text + Number'],
      [6, 'Text', 'Number', 'Date'],
      [8, 'Text', 'Number', 'Date', 'Text + Number'],
    ])
  })
})
