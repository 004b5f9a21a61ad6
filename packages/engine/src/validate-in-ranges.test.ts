import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readValidValues } from '#causes/valid-values.ts'
import { findSecondHeadings } from '#causes/find-second-headings.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { readRowStructure } from '#row-structure.ts'
import { portalGuards } from '#limits.ts'
import { openTable } from '#source/open-table.ts'
import type { ByteRange } from '#source/table-source.ts'
import {
  rangeShares,
  validateInRanges,
  validateRanges,
  type RangeWorkers,
  type RangeRequest,
} from '#validate-in-ranges.ts'
import { validateTable } from '#validate-table.ts'
import { bytesSource, testPlatform } from '../test/test-platform.ts'
import { runs } from '../test/runs.ts'

const platform = testPlatform()
const FIELDS: Field[] = [
  { name: 'Id', description: '', category: '', required: true, rule: { type: 'number', scale: 0 } },
  {
    name: 'Note',
    description: '',
    category: '',
    required: false,
    identifiesRow: true,
    rule: { type: 'text', maxLength: 3 },
  },
]

/** What is right in each depends on the whole column. */
const CAUSE_FIELDS: Field[] = [
  { ...FIELDS[0], name: 'Day', required: false, rule: { type: 'date', format: 'dd/MM/yyyy' } },
  { ...FIELDS[0], name: 'Amount', rule: { type: 'number', minimum: 0 } },
  { ...FIELDS[0], name: 'Status', rule: { type: 'list', options: ['Open', 'Closed'] } },
  { ...FIELDS[0], name: 'Code', required: false, rule: { type: 'pattern', pattern: '[0-9]{4}' } },
]

const requestFor = (bytes: Uint8Array, maxErrorRows?: number): RangeRequest => ({
  source: bytesSource(bytes),
  fileName: 'data.csv',
  fields: FIELDS,
  platform,
  limits: portalGuards,
  maxErrorRows,
})

const afterATurn = () => new Promise<void>((resolve) => void setTimeout(resolve))

/** Workers that take their ranges in turn with the caller. */
const workersFor = (request: RangeRequest, count: number, given: ByteRange[] = []): RangeWorkers => ({
  count,
  validate: (ranges) => {
    given.push(...ranges)
    let taken = 0
    const take = () => taken++
    return { take, validated: validateRanges(request, ranges, take) }
  },
})

/** The verdict found in ranges that meet at `cuts`; 'fileProblem' where only the whole file can give it. */
async function inRanges(request: RangeRequest, cuts: readonly number[]): Promise<Verdict | 'fileProblem'> {
  const table = await openTable(request)
  const columns = await compileColumns(request.fields, table.terminators, platform)
  const [{ from }] = await table.ranged!.ranges([1])
  const places = [from, ...cuts.map((cut) => from + cut), Infinity]
  const ranges = places.slice(1).map((to, index) => ({ from: places[index], to }))
  const reports = await validateInRanges(
    table.ranged!,
    { columns, rules: null },
    ranges,
    {
      ...request,
      workers: workersFor(request, cuts.length),
    },
    await findSecondHeadings(table, columns),
  )
  if (reports === null) return 'fileProblem'
  if (reports.recordsCount === 0) return 'fileProblem'
  const valid = await readValidValues(table, columns, reports.questions())
  const conclusion = reports.conclude(valid)
  await readRowStructure(request, table, columns, conclusion)
  return reports.verdict(conclusion)
}

const cell = fc.oneof(
  fc.constantFrom('1', '22', 'x', '', ' ', '"a\nb"', '"1\r\n2,\n"', '"\n""\n"', '" 3"', 'é美', '"\r"'),
  fc.string({ unit: fc.constantFrom('a', '1', '"', ' ', '\n', '\r', ',', 'é', '\0'), maxLength: 5 }),
)
const record = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom('1', '2', 'x'), cell).map((cells) => cells.join(',')) },
  { weight: 1, arbitrary: fc.array(cell, { maxLength: 4 }).map((cells) => cells.join(',')) },
)
const body = fc
  .array(fc.tuple(record, fc.constantFrom('\n', '\n', '\r\n', '\r')), { maxLength: 10 })
  .map((lines) => lines.flat().join(''))

describe('A CSV file validated in ranges', () => {
  it.for([
    { megabytes: 64, threads: 2, parts: [4, 4, 8, 8, 16, 16, 16, 16] },
    { megabytes: 250, threads: 2, parts: [4, 4, 8, 8, 16, 16, 16, 16] },
    { megabytes: 256, threads: 4, parts: [8, 16, 32, 32].flatMap((part) => [part, part, part, part]) },
    { megabytes: 20, threads: 2, parts: [4, 4, 4, 4] },
    { megabytes: 1, threads: 3, parts: [3, 3, 3] },
  ])('has ranges of 1/$parts of $megabytes MB for $threads threads', ({ megabytes, threads, parts }) => {
    const shares = rangeShares(megabytes * 2 ** 20, { count: threads - 1 })
    expect(shares).toEqual(parts.map((part) => 1 / part))
  })

  it('has the verdict of the whole file, wherever it is cut', async () => {
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom('', '\ufeff'),
        fc.constantFrom('', '\n\n'),
        fc.constantFrom(1, 100),
        async (rows, mark, before, maxErrorRows) => {
          const bytes = platform.encodeUtf8(`${mark}${before}Id,Note\n${rows}`)
          const request = requestFor(bytes, maxErrorRows)
          const whole = await validateTable(request)
          const expected = whole.kind === 'fileProblem' ? 'fileProblem' : whole
          const length = platform.encodeUtf8(rows).length
          for (let cut = 0; cut <= length; cut++) {
            expect(await inRanges(request, [cut])).toEqual(expected)
            expect(await inRanges(request, [cut >> 1, cut])).toEqual(expected)
          }
        },
      ),
      { numRuns: runs(6) },
    )
  })

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
        const request = { ...requestFor(bytes), fields: CAUSE_FIELDS }
        const whole = await validateTable(request)
        if (whole.kind === 'rowErrors')
          expect(whole.causes.reduce((sum, { cells }) => sum + cells, 0)).toBe(whole.cellErrorCount)
        const cuts = [at % lines.length, lines.length].map(
          (count) => platform.encodeUtf8(lines.slice(0, count).join('')).length,
        )
        const found = await inRanges(request, cuts)
        expect(found).toEqual(whole.kind === 'fileProblem' ? 'fileProblem' : whole)
      }),
      { numRuns: runs(40) },
    )
  })

  it('has rows that a worker left out after a wrong cut had found too many', async () => {
    const request = requestFor(platform.encodeUtf8('Id,Note\n1,"\nx\n"\ny,a\n'), 1)
    const table = await openTable(request)
    const columns = await compileColumns(FIELDS, table.terminators, platform)
    // The second range begins within the quotes, where no row begins.
    const ranges = [8, 12, 16, Infinity].flatMap((to, index, places) =>
      index === 0 ? [] : [{ from: places[index - 1], to }],
    )
    let taken = 0
    const workers: RangeWorkers = {
      count: 1,
      validate: () => ({ take: () => taken++, validated: Promise.resolve(new Map()) }),
    }
    const reports = await validateInRanges(
      table.ranged!,
      { columns, rules: null },
      ranges,
      { ...request, workers },
      0,
    )
    expect(reports?.verdict(reports.conclude(new Map()))).toEqual(await validateTable(request))
    expect(reports?.rangeReport().rows).toMatchObject([{ rowNumber: 3 }])
  })

  it.for([
    { name: 'plain rows', row: '1,ab\nx,cd\n\n' },
    { name: 'line ends in quotes', row: '1,"a\nb"\r\n' },
    { name: 'rows in quotes', row: `1,"${'2,b\n'.repeat(20)}"\n` },
    { name: 'line ends of classic Mac OS', row: 'x,ab\r' },
    { name: 'a lost character at the end', row: '1,ab\n', end: '1,\ufffd\n' },
    { name: 'no text at the end', row: '1,ab\n', end: '1,a\0b\n' },
    { name: 'an open quote at the end', row: '1,ab\n', end: '1,"ab\n' },
  ])('has the same verdict where the engine chooses the cuts: $name', async ({ row, end = '' }) => {
    const request = requestFor(platform.encodeUtf8(`Id,Note\n${row.repeat(3000)}${end}`))
    const whole = await validateTable(request)
    for (const count of [1, 2, 3])
      expect(await validateTable({ ...request, workers: workersFor(request, count) })).toEqual(whole)
  })

  it.for(['', '\ufeff', 'sep=,\n'])(
    'is cut into ranges of about one size, each at the start of a record, after %j',
    async (before) => {
      const request = requestFor(platform.encodeUtf8(`${before}Id,Note\n${'1,"a\nb"\n'.repeat(3000)}`))
      const given: ByteRange[] = []
      await validateTable({ ...request, workers: workersFor(request, 2, given) })
      expect(given.map(({ from }) => [(from - 8) % 8, Math.round((from - 8) / 8000)])).toEqual([
        [0, 0],
        [0, 1],
        [0, 2],
      ])
    },
  )

  it('is validated by one thread where each fault is reported, and where its text is UTF-16', async () => {
    const given: ByteRange[] = []
    const text = `Id,Note\n${'x,ab\n'.repeat(3000)}`
    const request = requestFor(platform.encodeUtf8(text))
    await validateTable({ ...request, workers: workersFor(request, 1, given), onFault: () => {} })
    const wide = requestFor(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')))
    expect(await validateTable({ ...wide, workers: workersFor(wide, 1, given) })).toMatchObject({
      errorRowCount: 3000,
    })
    expect(given).toEqual([])
  })

  it('fails where a worker fails, even before its result is awaited', async () => {
    const request = requestFor(platform.encodeUtf8(`Id,Note\n${'1,ab\n'.repeat(3000)}`))
    const { source } = request
    const slow = {
      ...source,
      read: (into: Uint8Array, position: number) => afterATurn().then(() => source.read(into, position)),
    }
    const workers: RangeWorkers = {
      count: 1,
      validate: () => ({
        take: workersFor(request, 1).validate([]).take,
        validated: Promise.reject(new Error('A thread died.')),
      }),
    }
    await expect(validateTable({ ...request, source: slow, workers })).rejects.toThrow('A thread died.')
  })
})
