import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import type { RowRule, RuleBook, RuleTest } from '@veridict/contract/model/row-rule'
import type { Rule } from '@veridict/contract/model/rule'
import type { Verdict } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRuleBook } from '#check-rule-book.ts'
import { compileField } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { re2 } from '#rules/re2.ts'
import { portalGuards } from '#limits.ts'
import { openText } from '#formats/csv/open-text.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { RowReports } from '#rows/row-reports.ts'
import { openCsvText } from '#source/csv/open-csv.ts'
import { validateKnown } from '#source/validate-known.ts'
import { validateRanges, type RangeWorkers } from '#validate-in-ranges.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { runs } from '../../test/runs.ts'
import { type SlowError, slowErrors } from '../../test/slow-rules.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
const DAY = '2026-11-26'

const field = (name: string, rule: Rule, required = false): Field => ({
  name,
  description: '',
  category: '',
  required,
  rule,
})
const FIELDS = [
  field('Text', { type: 'text', maxLength: 12 }),
  field('Code', { type: 'pattern', pattern: '[A-Za-z0-9 ]*[A-Za-z0-9]' }, true),
  field('Number', { type: 'number', scale: 3 }),
  field('Second number', { type: 'number' }),
  field('Third number', { type: 'number', minimum: -100, maximum: 100 }, true),
  field('Date', { type: 'date', format: 'dd/MM/yyyy' }),
  field('Second date', { type: 'date', format: 'yyyy-MM-dd' }),
  field('Short date', { type: 'date', format: 'd.M.yy' }),
  field('Item', { type: 'list', options: ['Open', 'Closed', 'a "quoted" one', 'Sa\u0303o', '1'] }),
  field('Items', { type: 'list', options: ['A', 'B', 'C c'], separator: ';', maxValues: 3 }),
]
const NAMES = FIELDS.map(({ name }) => name)

const POOLS: Readonly<Record<string, readonly string[]>> = {
  Text: [
    '',
    'a',
    'A',
    ' a ',
    '\u00a0a\u00a0',
    'a\u00a0b',
    'Open',
    '007',
    '7',
    '1',
    '1.0',
    'N/A',
    'é',
    'e\u0301',
    '"x"',
    'far too long a text',
  ],
  Code: ['', 'a', 'Open', '007', '7', 'A 1', ' A1', 'N/A', '%', 'So'],
  Number: [
    '',
    '0',
    '-0',
    '-0.0',
    '+1',
    '1',
    '1.0',
    '1.000',
    '01',
    '2',
    '3',
    '0.3',
    '0.31',
    '-',
    '999',
    '1,5',
    'x2345678901234567890',
    '12345678901234567890',
    '12345678901234567890.001',
    '0.1',
  ],
  'Second number': [
    '',
    '0',
    '1',
    '1.00',
    '2',
    '0.1',
    '0.2',
    '-2',
    '9007199254740993',
    '9007199254740992',
    '12345678901234567890',
    '1e3',
  ],
  'Third number': ['', '0', '1', '0.20', '1.5', '-3', '101', '2'],
  Date: [
    '',
    '31/01/2024',
    '29/02/2024',
    '28/02/2023',
    '01/03/2024',
    '26/11/2026',
    '27/11/2026',
    '31/02/2024',
    '26/11/2008',
    ' 31/01/2024',
  ],
  'Second date': [
    '',
    '2024-01-31',
    '2024-02-29',
    '2023-02-28',
    '2024-03-01',
    '2026-11-26',
    '2024-1-31',
    'N/A',
  ],
  'Short date': ['', '31.1.24', '1.3.24', '29.2.24', '26.11.26', '1.1.99'],
  Item: ['', 'Open', 'Closed', ' Open', 'open', 'a "quoted" one', 'São', 'Sa\u0303o', '1', 'N/A'],
  Items: ['', 'A', 'B', 'A;B', 'B; A', 'A;A', 'A;;B', 'A;', 'C c;A', 'A;B;C c', 'A;B;A;B', 'x', 'N/A'],
}

const cellOf = (name: string) => fc.constantFrom(...POOLS[name])
const rowOf = fc.tuple(...NAMES.map(cellOf))
const valuesOf = (name: string) =>
  fc.uniqueArray(fc.constantFrom('', ...validOf(name)), { minLength: 1, maxLength: 4 })
const VALID: Readonly<Record<string, readonly string[]>> = { Items: ['A', 'B', 'C c'] }
function isValid(name: string, text: string): boolean {
  if (VALID[name]) return VALID[name].includes(text)
  return text !== '' && faultOf(FIELDS[NAMES.indexOf(name)], text) === null
}
const validOf = (name: string) =>
  (VALID[name] ?? POOLS[name]).map((text) => text.trim()).filter((text) => isValid(name, text))

const checks = new Map<Field, (text: string) => string | null>()
function faultOf(of: Field, text: string): string | null {
  let check = checks.get(of)
  if (check === undefined) {
    const compiled = compileField(of, xmlTerminators, platform, re2)
    checks.set(of, (check = (raw) => compiled.check(raw)?.code ?? null))
  }
  return check(text)
}

const NUMBERS = ['Number', 'Second number', 'Third number']
const DATES = ['Date', 'Second date', 'Short date']
const TEXTS = ['Text', 'Code', 'Item']
const comparisons = ['equal', 'notEqual', 'less', 'atMost', 'more', 'atLeast'] as const
const name = fc.constantFrom(...NAMES)
const one = (names: readonly string[]) => fc.constantFrom(...names)
const some = (names: readonly string[]) => fc.uniqueArray(one(names), { minLength: 1, maxLength: 3 })
const amount = fc.constantFrom(0, 1, -1, 0.1, 1.5, -2, 1000)
const unit = fc.constantFrom('days' as const, 'months' as const, 'years' as const)
const move = fc.record({ plus: fc.integer({ min: -30, max: 30 }), unit })
const constantOf = (of: string) => fc.record({ value: fc.constantFrom(...validOf(of)) })

const aTest: fc.Arbitrary<RuleTest> = fc.oneof(
  fc.record({ column: name, is: fc.constantFrom('filled' as const, 'blank' as const) }),
  name.chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom('oneOf' as const, 'noneOf' as const, 'only' as const),
      values: valuesOf(column),
    }),
  ),
  one(NUMBERS).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom(...comparisons),
      than: fc.oneof(
        constantOf(column),
        fc.record({ column: one(NUMBERS) }),
        fc.record({ column: one(NUMBERS), times: fc.oneof(amount, one(NUMBERS)) }),
        fc.record({ column: one(NUMBERS), plus: amount }),
        fc.record({ column: one(NUMBERS), times: fc.oneof(amount, one(NUMBERS)), plus: amount }),
        fc.record({ sum: some(NUMBERS) }),
      ),
    }),
  ),
  fc.record({
    column: one(NUMBERS),
    is: fc.constantFrom('equal' as const, 'notEqual' as const),
    than: fc.record({ sum: some(NUMBERS), tolerance: fc.constantFrom(0, 0.01, 1) }),
  }),
  one(DATES).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom(...comparisons),
      than: fc.oneof(
        constantOf(column),
        fc.record({ column: one(DATES) }),
        fc.tuple(one(DATES), move).map(([other, by]) => ({ column: other, ...by })),
        fc.constant({ today: true as const }),
        move.map((by) => ({ today: true as const, ...by })),
      ),
    }),
  ),
  one(TEXTS).chain((column) =>
    fc.record({
      column: fc.constant(column),
      is: fc.constantFrom('equal' as const, 'notEqual' as const),
      than: fc.oneof(constantOf(column), fc.record({ column: one(TEXTS) })),
    }),
  ),
  fc.record({
    column: one(TEXTS),
    is: fc.constantFrom('startingWith' as const, 'endingWith' as const, 'containing' as const),
    text: fc.constantFrom('a', '7', 'é', '"', 'O', '\u0301', '\u00a0'),
  }),
  fc.record({
    column: one(TEXTS),
    is: fc.constantFrom('matching' as const, 'notMatching' as const),
    pattern: fc.constantFrom('[A-Z].*', '\\d+', 'a|Open', '.'),
  }),
  fc.oneof(
    fc.record({
      column: fc.constant('Items'),
      is: fc.constant('count' as const),
      min: fc.constantFrom(0, 1, 2),
    }),
    fc.record({
      column: fc.constant('Items'),
      is: fc.constant('count' as const),
      max: fc.constantFrom(1, 2),
    }),
    fc.constant<RuleTest>({ column: 'Items', is: 'distinct' }),
  ),
  fc.record({
    columns: some(NAMES),
    is: fc.constantFrom(
      ...([
        'allFilled',
        'noneFilled',
        'someFilled',
        'oneFilled',
        'atMostOneFilled',
        'allOrNoneFilled',
      ] as const),
    ),
  }),
  fc.record({
    columns: fc.constant<string[]>(['Number', 'Item']),
    is: fc.constant('listed' as const),
    rows: fc.array(fc.tuple(fc.constantFrom('1', '1.0', '2', ''), fc.constantFrom('Open', '1', 'São')), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.constant<RuleTest>({ columns: ['Date', 'Text'], is: 'listed', list: 'Days' }),
)
const uniqueTest = some(NAMES.filter((one) => one !== 'Items')).map((columns): RuleTest => ({
  columns,
  is: 'unique',
}))
const tests = fc.array(aTest, { minLength: 1, maxLength: 2 })
const condition = fc.oneof(fc.record({ all: tests }), fc.record({ any: tests }))
const aRule = fc.oneof(
  fc.record({ then: tests }),
  fc.record({ when: condition, then: tests }),
  fc.record({ when: condition, then: fc.oneof(tests, fc.constant<RuleTest[]>([])), otherwise: tests }),
  fc.record({ then: uniqueTest.map((test) => [test]) }),
  fc.record({ when: condition, then: uniqueTest.map((test) => [test]) }),
)
const severity = fc.record(
  {
    severity: fc.constantFrom('error' as const, 'warning' as const),
    from: fc.constantFrom('2026-11-26', '2026-11-27'),
  },
  { requiredKeys: ['severity'] },
)
const aBook: fc.Arbitrary<RuleBook> = fc.record({
  rules: fc
    .array(fc.tuple(aRule, severity), { minLength: 1, maxLength: 5 })
    .map((rules) => rules.map(([rule, of], index): RowRule => ({ name: `Rule ${index}`, ...of, ...rule }))),
  exempt: fc.option(condition.map((when) => ({ when }))),
  blankTexts: fc.constantFrom([], ['N/A'], ['N/A', '999', '007']),
  lists: fc.constant([
    {
      name: 'Days',
      columns: ['Day', 'Text'],
      rows: [
        ['31/01/2024', 'a'],
        ['29/02/2024', 'é'],
      ],
    },
  ]),
})

type Row = readonly string[]
const csvOf = (rows: readonly Row[]) =>
  [NAMES, ...rows]
    .map((cells) =>
      cells.map((text) => (/[",;]|^ /.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(','),
    )
    .join('\n')

/** Numbers are numbers, and dates true dates, where a spreadsheet would make them. */
function workbookOf(rows: readonly Row[], isTyped: boolean): Uint8Array {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const tagOf = (text: string, column: number, row: number) => {
    const at = `r="${columnLetter(column)}${row + 1}"`
    const { rule } = FIELDS[column]
    if (
      isTyped &&
      row > 0 &&
      rule.type === 'number' &&
      /^-?(?:0|[1-9]\d{0,9})(?:\.\d{1,3})?$/.test(text) &&
      !text.startsWith('-0')
    )
      return `<c ${at}><v>${text}</v></c>`
    const day = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
    if (isTyped && rule.type === 'date' && day !== null && faultOf(FIELDS[column], text) === null)
      return `<c ${at} s="1"><v>${Date.UTC(+day[3], +day[2] - 1, +day[1]) / 86_400_000 + 25_569}</v></c>`
    return text === ''
      ? ''
      : `<c ${at} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`
  }
  const xml = [NAMES, ...rows].map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => tagOf(text, column, row)).join('')}</row>`,
  )
  return buildWorkbook({ rows: xml.join(''), formats: '<xf numFmtId="0"/><xf numFmtId="14"/>' })
}

type Found = Omit<SlowError, 'column' | 'columns' | 'firstRow'> & { column: string; columns: string[] }

function foundIn(verdict: Verdict): { errors: unknown[]; cellErrors: unknown[] } {
  if (verdict.kind === 'fileProblem') return { errors: [], cellErrors: [] }
  const rows = verdict.kind === 'rowErrors' ? verdict.rows : []
  const errors = [
    ...rows.flatMap((row) => ofRow(row, false)),
    ...(verdict.warnings?.warningRows ?? []).flatMap((row) => ofRow(row, true)),
  ]
  const cellErrors = rows.flatMap(({ rowNumber, columnValidationErrors }) =>
    columnValidationErrors.flatMap(({ rule, label }) =>
      rule === undefined ? [{ row: rowNumber, column: label }] : [],
    ),
  )
  return { errors, cellErrors }
}

const ofRow = ({ rowNumber, columnValidationErrors }: RowReport, warning: boolean): Found[] =>
  columnValidationErrors.flatMap((error: CellError) =>
    error.rule === undefined
      ? []
      : [{ row: rowNumber, rule: error.rule, warning, column: error.label, columns: error.columns! }],
  )

function expectedOf(rows: readonly Row[], book: RuleBook) {
  const faultBeside = (of: Field, text: string) =>
    book.blankTexts.includes(text.trim()) ? (of.required ? 'required' : null) : faultOf(of, text)
  const { errors, cellErrors } = slowErrors({ fields: FIELDS, rows }, book, DAY, faultBeside)
  const letters = (names: readonly string[]) => names.map((one) => columnLetter(NAMES.indexOf(one)))
  const found = errors.map(({ row, rule, warning, column, columns }): Found => ({
    row,
    rule,
    warning,
    column,
    columns: letters(columns),
  }))
  return {
    errors: [...found.filter(({ warning }) => !warning), ...found.filter(({ warning }) => warning)],
    cellErrors: cellErrors.map(({ row, column }) => ({ row, column })),
  }
}

const requestOf = (bytes: Uint8Array, fileName: string, book: RuleBook, chunkSize?: number) => ({
  source: bytesSource(bytes),
  fileName,
  fields: FIELDS,
  ruleBook: { ...book, day: DAY },
  platform: testPlatform(chunkSize),
  limits: portalGuards,
  maxErrorRows: Infinity,
})

/** The verdict on a CSV file of which `size` bytes are read at a time. */
async function inPieces(bytes: Uint8Array, book: RuleBook, size: number): Promise<Verdict> {
  const text = await openText(bytesSource(bytes), platform)
  const pieces = async (offset: number) => {
    const bytes = await text.from(offset)
    const piece = new Uint8Array(1 << 16)
    let ready = piece.subarray(0, 0)
    return {
      read: async (into: Uint8Array) => {
        if (ready.length === 0) ready = piece.subarray(0, await bytes.read(piece))
        const count = Math.min(size, into.length, ready.length)
        into.set(ready.subarray(0, count))
        ready = ready.subarray(count)
        return count
      },
    }
  }
  const table = await openCsvText({ ...text, raw: undefined, from: pieces }, platform, portalGuards, NAMES)
  const request = requestOf(bytes, 'a.csv', book)
  const compiled = await compileDictionary(request, table)
  const reports = new RowReports(compiled.columns, platform, request, 0, compiled.rules)
  await validateKnown(table, compiled, reports)
  return reports.verdict(reports.conclude(new Map()))
}

/** Three threads, which take ranges of a few bytes each. */
function workersOf(request: ReturnType<typeof requestOf>): RangeWorkers {
  return {
    count: 2,
    validate: (ranges) => {
      let taken = 0
      const take = () => taken++
      return { take, validated: validateRanges(request, ranges, take) }
    },
  }
}

describe('Rules between cells', () => {
  it('find in any table what the slow reference finds, in a CSV file and in a workbook', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(rowOf, { minLength: 1, maxLength: 12 }), aBook, async (rows, book) => {
        expect(checkRuleBook(book, FIELDS, platform)).toMatchObject({ ok: true })
        const expected = expectedOf(rows, book)
        const csv = platform.encodeUtf8(csvOf(rows))
        const whole = await validateTable(requestOf(csv, 'a.csv', book))
        expect(foundIn(whole)).toEqual(expected)
        for (const size of [1, 7, 64]) expect(foundIn(await inPieces(csv, book, size))).toEqual(expected)
        for (const isTyped of [false, true]) {
          const workbook = workbookOf(rows, isTyped)
          for (const chunkSize of [64, 100_000]) {
            const verdict = await validateTable(requestOf(workbook, 'a.xlsx', book, chunkSize))
            expect(foundIn(verdict)).toEqual(expected)
          }
        }
        const request = requestOf(csv, 'a.csv', book)
        expect(await validateTable({ ...request, workers: workersOf(request) })).toEqual(whole)
        if (whole.kind === 'passed' && book.exempt === null && book.blankTexts.length === 0)
          expect(await validateTable({ ...request, ruleBook: undefined })).toMatchObject({ kind: 'passed' })
      }),
      { numRuns: runs(50) },
    )
  })
})
