import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecondHeadings } from '#causes/find-second-headings.ts'
import { readColumnSwaps } from '#causes/swapped-columns.ts'
import { readValidValues } from '#causes/valid-values.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { openText } from '#formats/csv/open-text.ts'
import { Bailout } from '#formats/csv/cell-reader.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { portalGuards } from '#limits.ts'
import { readRowStructure } from '#row-structure.ts'
import { RowReports } from '#rows/row-reports.ts'
import { rangeFilter } from '#source/csv/filter-range.ts'
import { openCsv } from '#source/csv/open-csv.ts'
import type { ByteRange, FilteredRange, FilterThreads } from '#source/table-source.ts'
import { validateTable } from '#validate-table.ts'
import { isLong, partsOf, runs } from '../../../test/runs.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

const platform = testPlatform()
const required = { description: '', category: '', required: true }
const FIELDS: Field[] = [
  { ...required, name: 'Id', rule: { type: 'number', scale: 0 } },
  { ...required, name: 'Note', required: false, identifiesRow: true, rule: { type: 'text', maxLength: 3 } },
]

/** What is right in each depends on the whole column. */
const CAUSE_FIELDS: Field[] = [
  { ...required, name: 'Day', required: false, rule: { type: 'date', format: 'dd/MM/yyyy' } },
  { ...required, name: 'Amount', rule: { type: 'number', minimum: 0 } },
  { ...required, name: 'Status', rule: { type: 'list', options: ['Open', 'Closed'] } },
  { ...required, name: 'Code', required: false, rule: { type: 'pattern', pattern: '[0-9]{4}' } },
]

/** Filters like threads, one range after another. */
const threadsFor = (bytes: Uint8Array, given: ByteRange[] = []): FilterThreads => ({
  filter: (task) => {
    given.push(...task.ranges)
    // As a message between threads has it.
    const filter = rangeFilter(structuredClone(task), bytesSource(bytes), platform)
    return (index) => filter(task.ranges[index])
  },
})

/** A record without a fault. Of short ones, a file of several ranges has a million. */
const VALID = `1,ab${' '.repeat(60)}`

const requestFor = (bytes: Uint8Array, fields: readonly Field[] = FIELDS) => ({
  source: bytesSource(bytes),
  fileName: 'data.csv',
  fields,
  platform,
  limits: portalGuards,
})

/** The verdict of a file whose ranges meet at `cuts`; 'fileProblem' where only the whole file can give it. */
async function inRanges(
  bytes: Uint8Array,
  cuts: readonly number[],
  fields: readonly Field[] = FIELDS,
): Promise<Verdict | 'fileProblem'> {
  const text = await openText(bytesSource(bytes), platform)
  const labels = fields.map(({ name }) => name)
  const table = await openCsv(text, platform, portalGuards, labels)
  const columns = await compileColumns(fields, table.terminators, platform)
  const places = [table.rowsStart, ...cuts.map((cut) => table.rowsStart + cut), Infinity]
  const ranges = places.slice(1).map((to, index) => ({ from: places[index], to }))
  const reports = new RowReports(columns, platform, {}, await findSecondHeadings(table, columns))
  try {
    await table.validateInRanges({ columns, rules: null }, reports, ranges, threadsFor(bytes))
  } catch (error) {
    if (error instanceof Bailout || error instanceof FileProblemError) return 'fileProblem'
    throw error
  }
  if (reports.recordsCount === 0) return 'fileProblem'
  const valid = await readValidValues(table, columns, reports.questions())
  const swaps = await readColumnSwaps(table, columns, reports.swapCandidates(), reports.recordsCount)
  const conclusion = reports.conclude(valid, swaps)
  const verdict = reports.verdict(conclusion)
  // Sets whether causes of rows can be corrected.
  await readRowStructure(requestFor(bytes, fields), table, columns, { conclusion, verdict })
  return verdict
}

async function ofWhole(bytes: Uint8Array, fields: readonly Field[] = FIELDS) {
  const verdict = await validateTable(requestFor(bytes, fields))
  return verdict.kind === 'fileProblem' ? 'fileProblem' : verdict
}

const CHARACTERS = ['a', '1', '"', ' ', '\n', '\r', ',', 'é']
const textOf = (units: readonly string[]) => fc.string({ unit: fc.constantFrom(...units), maxLength: 5 })
const SPECIAL = ['1', '22', 'x', '', ' ', '"a\nb"', '"1\r\n2,\n"', '"\n""\n"', '" 3"', 'é美', '"\r"']
const cell = fc.oneof(
  { weight: 50, arbitrary: fc.constantFrom(...SPECIAL) },
  { weight: 50, arbitrary: textOf(CHARACTERS) },
  // Rare: a file with a NUL has nothing but this problem to compare.
  { weight: 1, arbitrary: textOf([...CHARACTERS, '\0']) },
)
const record = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('1', '2', 'x'), cell).map((cells) => cells.join(',')) },
  { weight: 1, arbitrary: fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(',')) },
)
const body = fc
  .array(fc.tuple(record, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 10 })
  .map((lines) => lines.flat().join(''))

describe('A CSV file of which threads filter ranges', () => {
  it.for(partsOf(isLong ? 100_000 : 100, 100))(
    'has the verdict of the whole file, wherever it is cut, part %i',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          body,
          fc.constantFrom('', '\ufeff'),
          fc.constantFrom('', '\n\n'),
          fc.nat(),
          fc.nat(),
          async (rows, mark, before, one, other) => {
            const bytes = platform.encodeUtf8(`${mark}${before}Id,Note\n${rows}`)
            const length = platform.encodeUtf8(rows).length + 1
            const cuts = [one % length, other % length].sort((a, b) => a - b)
            expect(await inRanges(bytes, cuts)).toEqual(await ofWhole(bytes))
          },
        ),
        { numRuns: 100 },
      )
    },
  )

  it('has the causes and suggestions of the whole file, wherever it is cut', async () => {
    const texts =
      '25/12/2024|12/25/2024|3/4/2024|03-04-2024|2024-04-03|45123|7|N/A||1,234|12,5|1,234.5|5 kg|5 oz|$5|' +
      'open|Oepn|Unknown|Closd|123|0012|Open|2024-01-02 10:00|01/02/2024|12/11/2024'
    const values = fc.constantFrom(...texts.split('|'))
    const rows = fc.array(fc.array(values, { minLength: 4, maxLength: 5 }), { minLength: 1, maxLength: 12 })
    const headings = fc.constantFrom(
      [],
      [['date', 'number', 'list', 'code']],
      [[''], ['', 'kg'], ['dd/mm/yyyy', 'number']],
    )
    await fc.assert(
      fc.asyncProperty(headings, rows, fc.nat(), async (second, records, at) => {
        const lines = [...second, ...records].map(
          (cells) => `${cells.map((text) => `"${text}"`).join(',')}\n`,
        )
        const bytes = platform.encodeUtf8(`Day,Amount,Status,Code\n${lines.join('')}`)
        const whole = await ofWhole(bytes, CAUSE_FIELDS)
        if (whole !== 'fileProblem' && whole.kind === 'rowErrors')
          expect(whole.causes.reduce((sum, { cells }) => sum + cells, 0)).toBe(whole.cellErrorCount)
        const cuts = [at % lines.length, lines.length].map(
          (count) => platform.encodeUtf8(lines.slice(0, count).join('')).length,
        )
        expect(await inRanges(bytes, cuts, CAUSE_FIELDS)).toEqual(whole)
      }),
      { numRuns: runs(10) },
    )
  })

  it.for([
    { name: 'plain rows', row: `x,cd\n\n${`${VALID}\n`.repeat(9)}` },
    { name: 'line ends in quotes', row: '1,"a\nb"\r\n' },
    { name: 'rows in quotes', row: `1,"${'2,b\n'.repeat(20)}"\n` },
    { name: 'a long record', row: `1,"${'2,b\n'.repeat(100_000)}"\n` },
    { name: 'line ends of classic Mac OS', row: `x,ab\r${`${VALID}\r`.repeat(9)}` },
    { name: 'quotes inside cells', row: `1,5" x\n${`${VALID}\n`.repeat(9)}` },
    { name: 'a lost character at the end', row: `${VALID}\n`, end: '1,\ufffd\n' },
    { name: 'no text at the end', row: `${VALID}\n`, end: '1,a\0b\n' },
    { name: 'an open quote at the end', row: `${VALID}\n`, end: '1,"ab\n' },
  ])('has the same verdict where the engine chooses the cuts: $name', async ({ row, end = '' }) => {
    const rows = row.repeat(Math.ceil(4_300_000 / row.length))
    const bytes = platform.encodeUtf8(`Id,Note\n${rows}${end}`)
    const given: ByteRange[] = []
    const verdict = await validateTable({ ...requestFor(bytes), threads: threadsFor(bytes, given) })
    expect(verdict).toEqual(await validateTable(requestFor(bytes)))
    expect(given.length).toBeGreaterThan(0)
  })

  it('keeps little of a range in which nearly all is doubtful, which the validator reads', async () => {
    const bytes = platform.encodeUtf8(`Id,Note\n${'x,\n'.repeat(200_000)}`)
    const left: (FilteredRange | null)[] = []
    const filterAll: FilterThreads = {
      filter(task) {
        const next = threadsFor(bytes).filter(task)
        return async (index) => (left[index] = await next(index))
      },
    }
    const verdict = await validateTable({ ...requestFor(bytes), threads: filterAll })
    expect(left).toEqual([null])
    expect(verdict).toMatchObject({ cellErrorCount: 200_000 })
  })

  it.for(['', '\ufeff', 'sep=,\n'])(
    'is cut into ranges of about one size, each at the start of a record, after %j',
    async (before) => {
      const bytes = platform.encodeUtf8(`${before}Id,Note\n${'1,"a\nb"\n'.repeat(700_000)}`)
      const given: ByteRange[] = []
      await validateTable({ ...requestFor(bytes), threads: threadsFor(bytes, given) })
      expect(given.map(({ from }) => [(from - 8) % 8, Math.round((from - 8) / (1 << 22))])).toEqual([
        [0, 0],
        [0, 1],
      ])
    },
  )

  it.each([
    ['records of 6,000 bytes', `1,"a${' '.repeat(5_992)}\nb"\n`],
    ['records with empty lines between them', `\n\n1,"a\n${' '.repeat(41)}\nb"\n\n`],
  ])('is cut at the start of a record where there are %s', async (_, record) => {
    const bytes = platform.encodeUtf8(`Id,Note\n${record.repeat(9_000_000 / record.length)}`)
    const given: ByteRange[] = []
    await validateTable({ ...requestFor(bytes), threads: threadsFor(bytes, given) })
    const text = Buffer.from(bytes)
    const emptyLines = given.map(({ from }) => text.indexOf('1,"a', from) - from)
    expect([emptyLines.length, Math.max(...emptyLines) < 4]).toEqual([3, true])
  })

  it('is validated by one thread where its text is UTF-16', async () => {
    const given: ByteRange[] = []
    const wide = new Uint8Array(Buffer.from(`\ufeffId,Note\n${'x,ab\n'.repeat(3000)}`, 'utf16le'))
    expect(await validateTable({ ...requestFor(wide), threads: threadsFor(wide, given) })).toMatchObject({
      errorRowCount: 3000,
    })
    expect(given).toEqual([])
  })

  it('fails where a thread fails', async () => {
    const bytes = platform.encodeUtf8(`Id,Note\n${'1,ab\n'.repeat(3000)}`)
    const threads = { filter: () => () => Promise.reject(new Error('A thread died.')) }
    await expect(validateTable({ ...requestFor(bytes), threads })).rejects.toThrow('A thread died.')
  })
})
