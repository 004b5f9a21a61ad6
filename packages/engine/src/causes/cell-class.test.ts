import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnDiagnoser } from '#causes/column-diagnoser.ts'
import { isPlainMismatch } from '#causes/diagnose-text.ts'
import { suggestedBy } from '#causes/tally.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { LISTED_WORDS, ColumnKernel, NO_CLASS } from '#fast-path/column-kernel.ts'
import { runs } from '../../test/runs.ts'
import { testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()

const COMMA = 0x2c

async function compiled(rule: Rule): Promise<ColumnCheck> {
  const field = { name: 'A', description: '', category: '', required: false, rule }
  const [column] = await compileColumns([field], { kind: 'csv', delimiter: COMMA }, platform)
  return column
}

const diagnoserOf = (column: ColumnCheck) =>
  columnDiagnoser(column, { currentYear: platform.currentYear, mostValues: 20 })

/** NO_CLASS where the kernel is sure of the cell, or not of its record. */
function classOf(kernel: ColumnKernel, cell: string): number {
  // With fewer bytes than this, a record may be blank.
  const bytes = platform.encodeUtf8(`${cell},xx\n`)
  kernel.bytes.fill(0x0a)
  kernel.bytes.set(bytes)
  kernel.check(0, bytes.length)
  // The cell beside it is always listed.
  return kernel.doubtful.length === 3 * LISTED_WORDS ? kernel.doubtful[2 * LISTED_WORDS - 1] : NO_CLASS
}

async function classesOf(rule: Rule) {
  const column = await compiled(rule)
  const known = { describe: column.describe, isRequired: false, isClassed: true }
  const other = { describe: undefined, isRequired: false, isClassed: false }
  const kernel = ColumnKernel.of([known, other], { chunk: 1 << 12, delimiter: COMMA, longestRecord: 1000 })!
  const diagnose = diagnoserOf(column)
  return (value: string) => {
    const ofClass = classOf(kernel, /["\n,]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
    const inQuotes = value === '' ? ofClass : classOf(kernel, `"${value.replaceAll('"', '""')}"`)
    expect(inQuotes, value).toBe(ofClass)
    const fault = column.check(value)
    if (fault === null) {
      expect(ofClass, value).toBe(NO_CLASS)
      return null
    }
    const { kind, detail, isOfRow, proves, ...suggested } = diagnose({ column: 0, fault, value, memo: null })
    const same = {
      kind,
      detail,
      isOfRow,
      proves,
      suggested: suggestedBy({ ...suggested, kind, detail, isOfRow, proves }),
    }
    const { code, error, expected } = fault
    return { ofClass, code, error, expected, ...same }
  }
}

const patterns = [
  'CLM-[0-9]{2}',
  '[a-z]{2,5}|N/A',
  '[+]?[0-9]{6,12}',
  '[0-9]{3}-[0-9]{4}',
  '[0-9]{1,2}:[0-9]{2} [ap][.]m[.]',
]

/** `fewest`: how many classes the values below are in, at least. Of dates nearly each run reaches others. */
const columns: { rule: Rule; fewest: number }[] = [
  { rule: { type: 'number', scale: 0, minimum: -999, maximum: 9999 }, fewest: 3 },
  { rule: { type: 'number', scale: 2, minimum: 0.5, maximum: 100_000 }, fewest: 3 },
  { rule: { type: 'number', scale: 1, minimum: 1234, maximum: 5678 }, fewest: 3 },
  { rule: { type: 'date', format: 'dd/MM/yyyy' }, fewest: 28 },
  { rule: { type: 'date', format: 'MM/dd/yyyy' }, fewest: 28 },
  { rule: { type: 'date', format: 'yyyy-MM-dd' }, fewest: 28 },
  { rule: { type: 'date', format: 'yyyy.dd.MM' }, fewest: 28 },
  { rule: { type: 'date', format: 'dd-yyyy-MM' }, fewest: 28 },
  ...patterns.map((pattern) => ({ rule: { type: 'pattern', pattern } as const, fewest: 1 })),
]

const digits = fc.stringMatching(/^[0-9]{1,4}$/)
const numbers = fc.oneof(
  fc.constantFrom('1.233', '1.234', '1.235', '5.677', '5.678', '5.679', '-9.99', '9.999', '10.001'),
  fc.constantFrom('0.30000000000000004', '12.300000190734863'),
  fc
    .tuple(
      fc.constantFrom('', '', '-', '+', ' ', '\u00a0', '"'),
      digits,
      digits,
      fc.constantFrom('', '', ' ', '%'),
    )
    .map(([sign, whole, decimals, end]) => `${sign}${whole}.${decimals}${end}`),
)
const separators = fc.constantFrom('/', '.', '-', ' ', '. ', ',', '')
const parts = fc
  .oneof(fc.integer({ min: 0, max: 14 }), fc.integer({ min: 0, max: 99 }))
  .chain((value) => fc.constantFrom(String(value), String(value).padStart(2, '0')))
const years = fc.oneof(
  fc.constantFrom('2024', '2000', '2023', '1900', '0999', '24', '0000'),
  fc.stringMatching(/^[0-9]{4}$/),
)
const anyDates = fc
  .tuple(
    parts,
    parts,
    years,
    separators,
    fc.option(separators, { freq: 3 }),
    fc.constantFrom('', '', ' ', ' 12:30'),
  )
  .chain(([a, b, year, separator, other, end]) => {
    const next = other ?? separator
    const orders = [
      [a, b, year],
      [a, a, year],
      [year, a, b],
      [a, year, b],
    ]
    return fc.constantFrom(...orders.map(([one, two, three]) => one + separator + two + next + three + end))
  })
// In the same writing, a date of dd/M/yyyy that is in no calendar, and no date of that format.
const dates = fc.oneof(
  { weight: 19, arbitrary: anyDates },
  fc.constantFrom('45/3/2020', '3/45/2020', '123/4/2020', '1/234/2020', '2020-123-4', '2020-1-234'),
  fc.constantFrom('29/2/2024', '29/2/2023', '2024-2-29', '2023-2-29', '2000-2-29', '1900-2-29'),
)
const texts = fc.oneof(
  fc.constantFrom(
    'ab;',
    'CLM-12.',
    'ab,',
    'ab_x000D_',
    'ab_x000D_x',
    'a&amp;b',
    '&auml;b',
    '+ab',
    '(ab)',
    'Ã¤b',
  ),
  fc.constantFrom(
    '555-123-4567',
    '(555) 123-4567',
    '+1 555 123-4567',
    '0012 345-678',
    '1e+05',
    '12.0',
    '\u0661\u0662',
  ),
  fc.constantFrom(
    'clm-12',
    'CLM-l2',
    'CLM-o2',
    'CLM-1o',
    'clm-l2',
    'CLM12',
    'clm/12',
    'CLM_1 2',
    'CL123',
    'N/A',
    'n/a',
    'null',
    '(null)',
    '(0) 12',
    '(0) 123',
    '?',
    '??',
    'x-1',
  ),
  fc.constantFrom('may-5', 'Mar-5', 'may-05', 'Mar-2005', '"a"', 'é', 'A B', 'AB', 'un\u212anown', '#REF!'),
  fc
    .tuple(
      fc.constantFrom('', 'Dec 2 ', 'Thu, ', 'May', ', ', '(-00:00) ', 'T', 'x '),
      fc.constantFrom('7:10am', '7:10 PM', '07:10', '7:10a', '5551234', '(555)1234'),
      fc.constantFrom('', 'Dec 1', ' Mon', ' late', ',', ' (-00:00)'),
    )
    .map((parts) => parts.join('')),
  fc.integer({ min: 253, max: 256 }).map((length) => 'x'.repeat(length)),
  fc.string({ maxLength: 8, unit: 'grapheme' }),
  fc.stringMatching(/^[A-Za-z0-9() -]{1,8}$/),
  fc.stringMatching(/^[ -~]{0,8}[0-9]{1,3}$/),
)

describe('The class of a bad cell', () => {
  it.for(columns)('says all but the text of its suggestion: $rule', async ({ rule, fewest }) => {
    const of = await classesOf(rule)
    const number = await compiled({ type: 'number' })
    const known = new Map<number, unknown>()
    fc.assert(
      fc.property(fc.oneof(numbers, dates, texts), (value) => {
        const found = of(value)
        if (found === null || found.ofClass === NO_CLASS) return
        // `ShiftDetector` compares no date of a class with a neighbour's numbers.
        if (found.code === 'notADate') expect(number.check(value), value).not.toBeNull()
        if (known.has(found.ofClass)) expect(found, value).toEqual(known.get(found.ofClass))
        else known.set(found.ofClass, found)
      }),
      { numRuns: 5000 },
    )
    expect(known.size).toBeGreaterThanOrEqual(fewest)
  })
})

describe('A plain mismatch of a pattern', () => {
  it.for(patterns)('is found without a search for what was meant: %s', async (pattern) => {
    const column = await compiled({ type: 'pattern', pattern })
    const [quick, thorough] = [column, { ...column, mayFitRewritten: undefined }].map(diagnoserOf)
    let plain = 0
    fc.assert(
      fc.property(fc.oneof(numbers, dates, texts), (value) => {
        const fault = column.check(value)
        if (fault === null) return
        const cell = { column: 0, fault, value, memo: null }
        expect(quick(cell), value).toEqual(thorough(cell))
        if (isPlainMismatch(value.trim(), column.mayFitRewritten!)) plain++
      }),
      { numRuns: runs(500) },
    )
    expect(plain).toBeGreaterThan(10)
  })
})
