import { emptyRuleBook, type RowRule, type RuleTest } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { describe, expect, it } from 'vitest'
import { ColumnKernel } from '#fast-path/column-kernel.ts'
import { type CompiledDictionary, compileDictionary } from '#row-rules/compile-row-rules.ts'
import type { RuleExports } from '#row-rules/groupings.ts'
import { RuleFilter } from '#row-rules/rule-filter.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { FIELDS, NAMES } from '../../test/random-rule-book.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const rule = (name: string, when: readonly RuleTest[], then: readonly RuleTest[]): RowRule => ({
  name,
  severity: 'error',
  ...(when.length > 0 && { when: { all: [...when] } }),
  then: [...then],
})
const open: RuleTest = { column: 'Plain item', is: 'oneOf', values: ['Open', '1'] }
const rules = [
  rule('number', [open], [{ column: 'Number', is: 'atLeast', than: { value: '2' } }]),
  rule('several numbers', [open], [{ column: 'Number', is: 'noneOf', values: ['3', '5', '07'] }]),
  rule('blank', [{ column: 'Text', is: 'blank' }], [{ column: 'Code', is: 'filled' }]),
  rule(
    'dates',
    [],
    [{ column: 'Date', is: 'less', than: { column: 'Second date', plus: 1, unit: 'months' } }],
  ),
  rule('numbers', [{ column: 'Number', is: 'more', than: { column: 'Third number' } }], [open]),
  rule('filled', [], [{ columns: ['Text', 'Date'], is: 'allOrNoneFilled' }]),
  rule('undecided', [open], [{ column: 'Code', is: 'matching', pattern: 'A.*' }]),
  rule(
    'two demands',
    [],
    [
      { column: 'Code', is: 'filled' },
      { column: 'Number', is: 'less', than: { value: '9' } },
    ],
  ),
]
/** Longer than the texts that the kernel finds. */
const LONG_BLANK = 'Left empty by the clerk on purpose'
/** More than the bits of a word. */
const codes = Array.from({ length: 70 }, (_, index) =>
  rule(
    `code ${index}`,
    [{ column: 'Text', is: 'oneOf', values: [`c${index}`] }],
    [{ column: 'Number', is: 'atMost', than: { value: String(index) } }],
  ),
)

/** The rules that the filter does not decide in a row. */
async function undecidedIn(row: Readonly<Record<string, string>>, of: readonly RowRule[] = rules) {
  const ruleBook = {
    rules: [...of],
    exempt: null,
    blankTexts: ['N/A', 'UNKNOWN', LONG_BLANK],
    lists: [],
    day: '2026-11-26',
  }
  const place = { terminators: { kind: 'csv', delimiter: 0x2c }, firstColumn: 0 } as const
  // The kernel doubts each required cell where texts count as blank.
  const fields = FIELDS.map((field) => ({ ...field, required: false }))
  const compiled = await compileDictionary({ fields, ruleBook, platform: testPlatform() }, place)
  for (const cell of compiled.rules!.read) cell.seeText(row[NAMES[cell.column]] ?? '')
  const filter = new RuleFilter(compiled.rules!.rules)
  filter.find()
  const left = of
    .filter((_, index) => ((filter.possible[index >>> 5] >>> (index & 31)) & 1) === 1)
    .map(({ name }) => name)
  return {
    left,
    isListed: isListedIn(compiled, filter, NAMES.map((name) => row[name] && `"${row[name]}"`).join(',')),
  }
}

/** Whether the kernel finds that rules may find something in a record. */
function isListedIn({ columns }: CompiledDictionary, filter: RuleFilter, record: string): boolean {
  const settings = { chunk: 1 << 12, delimiter: 0x2c, longestRecord: 1000 }
  const described = columns.map(({ describe }) => ({ describe, isRequired: false, isClassed: false }))
  const kernel = ColumnKernel.of(described, settings, (exports) =>
    filter.describe(exports as unknown as RuleExports),
  )!
  const bytes = testPlatform().encodeUtf8(`${record}\n`)
  kernel.bytes.set(bytes)
  expect(kernel.check(0, bytes.length)).toBe(1)
  return kernel.doubtfulCount > 0
}

const met = {
  'Plain item': 'Closed',
  Number: '1',
  Text: 'a',
  Code: 'b',
  Date: '31/01/2024',
  'Third number': '1.0',
}

describe('The filter of rules', () => {
  it.for([
    { row: met, left: [] },
    { row: { ...met, Number: '-7.5', 'Plain item': '' }, left: [] },
    { row: { ...met, 'Plain item': 'Open' }, left: ['number', 'undecided'] },
    { row: { ...met, 'Plain item': '1', Number: '3.00' }, left: ['several numbers', 'undecided'] },
    { row: { ...met, Number: '7' }, left: ['numbers'] },
    { row: { ...met, Text: 'N/A', Code: '' }, left: ['blank', 'filled', 'two demands'] },
    { row: { ...met, 'Second date': '2024-01-31', Date: '29/02/2024' }, left: ['dates'] },
    // The kernel adds no months.
    { row: { ...met, 'Second date': '2024-01-31', Date: '28/02/2024' }, left: [], isListed: true },
    { row: { ...met, Number: '9' }, left: ['numbers', 'two demands'] },
    // Only the tests compare so many digits.
    {
      row: { ...met, 'Plain item': 'Open', Number: '12345678901234567890' },
      left: ['number', 'several numbers', 'undecided', 'two demands'],
    },
  ])('leaves $left of $row', async ({ row, left, isListed = left.length > 0 }) => {
    expect(await undecidedIn(row)).toEqual({ left, isListed })
  })

  it.for([
    { code: 'c7', number: '8', left: ['code 7'] },
    { code: 'c7', number: '7', left: [] },
    { code: 'c69', number: '70', left: ['code 69'] },
    { code: 'x', number: '99', left: [] },
  ])('leaves $left of many rules about codes', async ({ code, number, left }) => {
    const row = { Text: code, Number: number, 'Third number': '1' }
    expect(await undecidedIn(row, codes)).toEqual({ left, isListed: left.length > 0 })
  })

  it.for([
    { row: { Text: 'é', Code: 'b' }, left: [] },
    // It may be the long text.
    { row: { Text: 'a', Code: 'More characters than have room in all' }, left: [], isListed: true },
    // The sign of Kelvin is composed to the letter K.
    { row: { Text: 'UN\u212aNOWN', Code: 'b' }, left: ['all'] },
    { row: { Text: 'a', Code: LONG_BLANK }, left: ['all'] },
  ])('counts the filled cells of $row', async ({ row, left, isListed = left.length > 0 }) => {
    const all = rule('all', [], [{ columns: ['Text', 'Code'], is: 'allFilled' }])
    expect(await undecidedIn(row, [all])).toEqual({ left, isListed })
  })

  it.for([
    { date: 45_321, second: '2024-01-30', number: '2', isListed: false },
    { date: 45_321, second: '2024-01-31', number: '2', isListed: true },
    { date: 43_859, date1904: true, second: '2024-01-30', number: '2', isListed: false },
    { date: 43_859, date1904: true, second: '2024-01-31', number: '2', isListed: true },
    { date: 45_321, second: '2024-01-30', number: '2.5', isListed: true },
    { date: 45_321, second: '2024-01-30', number: '2.5', text: 'a', isListed: false },
    // Only the engine knows how a day is shown.
    { date: 45_321, second: '2024-01-30', number: '2', blankTexts: ['N/A'], isListed: true },
  ])('is asked about rows of a worksheet: $date, $second, $number', async (row) => {
    const { date, date1904 = false, second, number, text = 'Open', blankTexts = [], isListed } = row
    const than = { column: 'Second date' }
    const of = [
      rule('days', [], [{ column: 'Date', is: 'equal', than }]),
      rule(
        'numbers',
        [{ column: 'Text', is: 'oneOf', values: ['Open'] }],
        [{ column: 'Number', is: 'atMost', than: { value: '2' } }],
      ),
    ]
    const cells = ['<c r="A_" t="s"><v>0</v></c>', `<c r="C_"><v>${number}</v></c>`]
    cells.push(`<c r="F_" s="1"><v>${date}</v></c><c r="G_" t="s"><v>1</v></c>`)
    const rowOf = (content: string, at: number) =>
      `<row r="${at}">${content.replaceAll('_"', `${at}"`)}</row>`
    const header = NAMES.map(
      (name, column) => `<c r="${columnLetter(column)}_" t="inlineStr"><is><t>${name}</t></is></c>`,
    )
    const contents = [header, cells, cells, cells].map((one) => one.join(''))
    const bytes = buildWorkbook({
      rows: contents.map((one, at) => rowOf(one, at + 1)).join(''),
      strings: `<si><t>${text}</t></si><si><t>${second}</t></si>`,
      formats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
      date1904,
    })
    const fields = FIELDS.map((field) => ({ ...field, required: false }))
    const request = { fields, platform: testPlatform(), limits: portalGuards }
    const table = await openTable({ ...request, source: bytesSource(bytes), fileName: 'a.xlsx' })
    const ruleBook = { ...emptyRuleBook, rules: of, blankTexts, day: '2026-11-26' }
    const { columns, rules } = await compileDictionary({ ...request, ruleBook }, table)
    const counts: number[] = []
    const sink = { badCells: () => {}, records: (_: number, count: number) => void counts.push(count) }
    await table.validate(columns, sink, rules)
    // The row below the header is read as tokens. Rows that are not listed are counted together.
    expect(counts).toEqual(isListed ? [1, 1, 1] : [1, 2])
  })
})
