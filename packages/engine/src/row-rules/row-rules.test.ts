import { cellErrors } from '@veridict/contract/messages/cells'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { emptyRuleBook, type RowRule, type RuleBook } from '@veridict/contract/model/row-rule'
import type { Verdict } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkRuleBook } from '#check-rule-book.ts'
import { portalGuards } from '#limits.ts'
import { openText } from '#formats/csv/open-text.ts'
import { compileDictionary } from '#row-rules/compile-row-rules.ts'
import { RowReports } from '#rows/row-reports.ts'
import { rangeFilter } from '#source/csv/filter-range.ts'
import { openCsv } from '#source/csv/open-csv.ts'
import { validateKnown } from '#source/validate-known.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import {
  faultOf,
  FIELDS,
  NAMES,
  randomRuleBook,
  rightRowOf,
  rowOf,
  uniformBook,
} from '../../test/random-rule-book.ts'
import { partsOf, runs } from '../../test/runs.ts'
import { type SlowError, slowErrors } from '../../test/slow-rules.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'
import { field, requestFor } from '../../test/verdict-of-rows.ts'

const platform = testPlatform()
const DAY = '2026-11-26'
const LINE_FEED = 0x0a

type Row = readonly string[]
const csvOf = (rows: readonly Row[]) =>
  [NAMES, ...rows]
    .map((cells) =>
      cells.map((text) => (/[",;]|^ /.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(','),
    )
    .join('\n')

/** `typed`: numbers are numbers, and dates true dates, where a spreadsheet would make them. */
const WRITINGS = [
  { typed: false, shared: false, date1904: false },
  { typed: true, shared: false, date1904: false },
  { typed: true, shared: true, date1904: true },
]
const EPOCH_1904 = 1462

function workbookOf(rows: readonly Row[], { typed, shared, date1904 } = WRITINGS[0]): Uint8Array {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const strings: string[] = []
  const tagOf = (text: string, column: number, row: number) => {
    const at = `r="${columnLetter(column)}${row + 1}"`
    const { rule } = FIELDS[column]
    const isNumber =
      rule.type === 'number'
        ? /^-?(?:0|[1-9]\d{0,9})(?:\.\d{1,3})?$/.test(text) && !text.startsWith('-0')
        : /^[1-9]\d*$/.test(text)
    if (typed && row > 0 && isNumber) return `<c ${at}><v>${text}</v></c>`
    const day = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text)
    if (typed && rule.type === 'date' && day !== null && faultOf(FIELDS[column], text) === null) {
      const serial = Date.UTC(+day[3], +day[2] - 1, +day[1]) / 86_400_000 + 25_569
      return `<c ${at} s="1"><v>${serial - (date1904 ? EPOCH_1904 : 0)}</v></c>`
    }
    if (text === '') return ''
    const element = `<t xml:space="preserve">${escaped(text)}</t>`
    return shared
      ? `<c ${at} t="s"><v>${strings.push(`<si>${element}</si>`) - 1}</v></c>`
      : `<c ${at} t="inlineStr"><is>${element}</is></c>`
  }
  const xml = [NAMES, ...rows].map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => tagOf(text, column, row)).join('')}</row>`,
  )
  return buildWorkbook({
    rows: xml.join(''),
    ...(shared && { strings: strings.join('') }),
    date1904,
    formats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
  })
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
  const blanks = book.blankTexts.map((text) => text.normalize('NFC'))
  const faultBeside = (of: Field, text: string) =>
    blanks.includes(text.trim().normalize('NFC')) ? (of.required ? 'required' : null) : faultOf(of, text)
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
  const table = await openCsv({ ...text, raw: undefined, from: pieces }, platform, portalGuards, NAMES)
  const request = requestOf(bytes, 'a.csv', book)
  const compiled = await compileDictionary(request, table)
  const reports = new RowReports(compiled.columns, platform, request, 0, compiled.rules)
  await validateKnown(table, compiled, reports)
  return reports.verdict(reports.conclude(new Map()))
}

/** The verdict on a CSV file of which threads filter two ranges, that meet after so many of its bytes. */
async function inRanges(bytes: Uint8Array, book: RuleBook, cut: number): Promise<Verdict> {
  const table = await openCsv(await openText(bytesSource(bytes), platform), platform, portalGuards, NAMES)
  const request = requestOf(bytes, 'a.csv', book)
  const compiled = await compileDictionary(request, table)
  const reports = new RowReports(compiled.columns, platform, request, 0, compiled.rules)
  const ends = [Math.max(table.rowsStart, cut), Infinity]
  const ranges = ends.map((to, index) => ({ from: index === 0 ? table.rowsStart : ends[0], to }))
  await table.validateInRanges(compiled, reports, ranges, {
    filter: (task) => {
      const filter = rangeFilter(structuredClone(task), bytesSource(bytes), platform)
      return (index) => filter(task.ranges[index])
    },
  })
  return reports.verdict(reports.conclude(new Map()))
}

describe('Rules between cells', () => {
  it('read one list by the type and the format of each column', async () => {
    const day = (name: string, format: string) => field(name, { type: 'date', format })
    const fields = [
      day('A', 'dd-MM-yyyy'),
      day('B', 'MM-dd-yyyy'),
      day('C', 'dd-MM-yyyy'),
      field('D', { type: 'text' }),
    ]
    const rules = fields.map(({ name }): RowRule => ({
      name,
      severity: 'error',
      then: [{ columns: [name], is: 'listed', list: 'Days' }],
    }))
    const lists = [{ name: 'Days', columns: ['Day'], rows: [['03-04-2024']] }]
    const found = async (row: string) => {
      const ruleBook = { ...emptyRuleBook, rules, lists, day: DAY }
      const verdict = await validateTable({ ...requestFor(fields, [row]), ruleBook })
      return verdict.kind === 'rowErrors' ? verdict.causes.map(({ rule }) => rule) : []
    }
    expect(await found(Array(4).fill('03-04-2024').join(','))).toEqual([])
    expect(await found(Array(4).fill('04-03-2024').join(','))).toEqual(['A', 'B', 'C', 'D'])
  })

  it.for([
    { blank: 'São', cell: 'Sa\u0303o', isBlank: true },
    { blank: 'Sa\u0303o', cell: 'São', isBlank: true },
    // Only one of its accents is composed.
    { blank: 'ãé', cell: 'ãe\u0301', isBlank: true },
    { blank: 'K', cell: '\u212a', isBlank: true },
    { blank: 'Sao', cell: 'São', isBlank: false },
  ])('take "$cell" for the blank text "$blank": $isBlank', async ({ blank, cell, isBlank }) => {
    const rule: RowRule = { name: 'Filled', severity: 'error', then: [{ column: 'Text', is: 'filled' }] }
    const book = { ...emptyRuleBook, rules: [rule], blankTexts: [blank] }
    // `Code` must be filled.
    const row = NAMES.map((name) => (name === 'Text' || name === 'Code' ? cell : ''))
    row[NAMES.indexOf('Third number')] = '1'
    const files = { 'a.csv': platform.encodeUtf8(csvOf([row])), 'a.xlsx': workbookOf([row]) }
    for (const [name, bytes] of Object.entries(files)) {
      const verdict = await validateTable(requestOf(bytes, name, book))
      const errors = verdict.kind === 'rowErrors' ? verdict.rows[0].columnValidationErrors : []
      expect(errors.some(({ error }) => error === cellErrors.required)).toBe(isBlank)
      expect(errors.some(({ rule }) => rule === 'Filled')).toBe(isBlank)
    }
  })

  it.for(partsOf(runs(20), 10))(
    'find in any table what the slow reference finds, in a CSV file and in a workbook, part %i',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.oneof(rowOf, rightRowOf), { minLength: 1, maxLength: 12 }),
          fc.oneof({ weight: 2, arbitrary: randomRuleBook }, { weight: 1, arbitrary: uniformBook }),
          fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(100) }),
          async (some, book, times) => {
            // More than are decided together, in all.
            const rows = Array.from({ length: times }, () => some).flat()
            expect(checkRuleBook(book, FIELDS, platform)).toMatchObject({ ok: true })
            const expected = expectedOf(rows, book)
            const csv = platform.encodeUtf8(csvOf(rows))
            const whole = await validateTable(requestOf(csv, 'a.csv', book))
            expect(foundIn(whole)).toEqual(expected)
            // In small pieces, a large table takes a hundred times as long as a small one and shows no more.
            const isSmall = times === 1
            for (const size of isSmall ? [1, 7, 64] : [64])
              expect(foundIn(await inPieces(csv, book, size))).toEqual(expected)
            const cut = csv.lastIndexOf(LINE_FEED) + 1
            if (!JSON.stringify(book.rules).includes('"unique"'))
              expect(foundIn(await inRanges(csv, book, cut))).toEqual(expected)
            for (const writing of WRITINGS) {
              const workbook = workbookOf(rows, writing)
              for (const chunkSize of isSmall ? [64, 100_000] : [100_000]) {
                const verdict = await validateTable(requestOf(workbook, 'a.xlsx', book, chunkSize))
                expect(foundIn(verdict)).toEqual(expected)
              }
            }
            const request = requestOf(csv, 'a.csv', book)
            if (whole.kind === 'passed' && book.exempt === null && book.blankTexts.length === 0)
              expect(await validateTable({ ...request, ruleBook: undefined })).toMatchObject({
                kind: 'passed',
              })
          },
        ),
        { numRuns: 10 },
      )
    },
  )
})
