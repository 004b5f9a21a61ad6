import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { labelKey } from '@veridict/contract/notation/label'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeTemplate } from '#dictionary-file/write-template.ts'
import { validateTable } from '#validate-table.ts'
import { fillIn } from '../../test/fill-in.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()

/** A rule with values that it accepts and values that it rejects, none of them blank. */
type Kind = { rule: Rule; valid: fc.Arbitrary<string>; invalid: fc.Arbitrary<string> | null }

/** Characters of one code point each, some of which spreadsheets interpret. */
const CHARACTERS = [
  'a',
  'Z',
  '0',
  '7',
  '.',
  '-',
  '/',
  '=',
  '+',
  '@',
  "'",
  '"',
  ',',
  '<',
  '&',
  ' ',
  '_',
  'x',
  'é',
  '漢',
  '👍',
]
/** The dots at the ends keep trimming from removing anything. */
const textOf = (from: number, to: number) =>
  fc
    .array(fc.constantFrom(...CHARACTERS), { minLength: from, maxLength: to })
    .map((characters) =>
      characters
        .map((character, index) =>
          index % (characters.length - 1) === 0 || characters.length === 1 ? '.' : character,
        )
        .join(''),
    )

const texts: fc.Arbitrary<Kind> = fc
  .record({ minLength: fc.nat({ max: 5 }), more: fc.nat({ max: 20 }), bounded: fc.boolean() })
  .map(({ minLength, more, bounded }) => {
    const maxLength = minLength + more + 1
    const valid = textOf(Math.max(1, minLength), maxLength)
    if (!bounded) return { rule: { type: 'text' }, valid, invalid: null }
    const tooLong = textOf(maxLength + 1, maxLength + 9)
    return {
      rule: { type: 'text', minLength, maxLength },
      valid,
      invalid: minLength < 2 ? tooLong : fc.oneof(tooLong, fc.constant('👍')),
    }
  })

/** `units` × 10^-`scale` in decimal notation. */
function decimal(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const fraction = scale === 0 ? '' : `.${digits.slice(-scale)}`
  return `${units < 0n ? '-' : ''}${digits.slice(0, digits.length - scale)}${fraction}`
}

const NOT_NUMBERS = ['1,5', '12 kg', 'none', '1e3', '=1+1', '31/12/2024']
const narrow = {
  scale: fc.nat({ max: 4 }),
  low: fc.bigInt({ min: -99_999n, max: 99_999n }),
  span: fc.bigInt({ min: 0n, max: 99_999n }),
}
/** Numbers of more than the 15 digits that a spreadsheet keeps. */
const wide = {
  scale: fc.constant(0),
  low: fc.bigInt({ min: -99n, max: 99n }).map((many) => many * 10n ** 15n),
  span: fc.bigInt({ min: 1n, max: 99n }).map((many) => many * 10n ** 15n),
}
const numbers: fc.Arbitrary<Kind> = fc
  .tuple(fc.oneof(fc.record(narrow), fc.record(wide)), fc.boolean())
  .map(([{ scale, low, span }, scaled]) => {
    const high = low + span
    const few = fc.bigInt({ min: 1n, max: 99n })
    const written = (units: fc.Arbitrary<bigint>) => units.map((many) => decimal(many, scale))
    const tooPrecise = `${decimal(low, scale)}${scale === 0 ? '.' : ''}1`
    return {
      rule: {
        type: 'number',
        minimum: Number(decimal(low, scale)),
        maximum: Number(decimal(high, scale)),
        ...(scaled ? { scale } : {}),
      },
      valid: written(fc.bigInt({ min: low, max: high })),
      invalid: fc.oneof(
        fc.constantFrom(...NOT_NUMBERS, ...(scaled ? [tooPrecise] : [])),
        written(few.map((more) => high + more)),
        written(few.map((less) => low - less)),
      ),
    }
  })

const parts = (of: string) => (of === 'd' ? ['d', 'dd'] : of === 'M' ? ['M', 'MM'] : ['yy', 'yyyy'])
const formats = fc
  .record({
    units: fc.shuffledSubarray(['d', 'M', 'y'], { minLength: 1 }),
    separator: fc.constantFrom('/', '.', '-'),
  })
  .chain(({ units, separator }) =>
    fc.tuple(...units.map((unit) => fc.constantFrom(...parts(unit)))).map((chosen) => chosen.join(separator)),
  )
const dates: fc.Arbitrary<Kind> = fc
  .oneof(formats, fc.constantFrom('yyyy-MM-dd', 'yyyy/M/d', 'dd/MM/yyyy'))
  .map((format) => ({
    rule: { type: 'date', format },
    valid: fc
      .record({
        year: fc.integer({ min: 1850, max: 2100 }),
        month: fc.integer({ min: 1, max: 12 }),
        day: fc.integer({ min: 1, max: 28 }),
      })
      .map(({ year, month, day }) => writeDate(parseDateFormat(format)!, year, month, day)),
    invalid: fc.constantFrom('today', '99/99/9999', '2024-02-30', '45000.5', '1/2/3/4', '31 December 2024'),
  }))

const families: readonly (readonly [pattern: string, values: RegExp])[] = [
  ['[A-Z]{2}-[0-9]{4}', /^[A-Z]{2}-[0-9]{4}$/],
  ['0[0-9]{3,17}', /^0[0-9]{3,17}$/],
  ['[0-9]{1,2}-[0-9]{1,2}', /^[0-9]{1,2}-[0-9]{1,2}$/],
  ['[=+@-][a-z]{1,5}', /^[=+@-][a-z]{1,5}$/],
  ['1[eE][0-9]', /^1[eE][0-9]$/],
]
const patterns: fc.Arbitrary<Kind> = fc
  .constantFrom(...families)
  .map(([pattern, values]) => ({
    rule: { type: 'pattern', pattern },
    valid: fc.stringMatching(values),
    invalid: fc.constantFrom('no such value', '!', '0', 'TRUE'),
  }))

const ODD_OPTIONS = [
  'a, b',
  '007',
  'TRUE',
  '=1+1',
  '"',
  "'",
  '<&>',
  '1/2',
  '1E3',
  '_x0041_',
  'Ä, ö; ü',
  '-5.00',
  '漢字',
  'open',
  'Open',
]
const lists: fc.Arbitrary<Kind> = fc
  .uniqueArray(fc.oneof(fc.constantFrom(...ODD_OPTIONS), textOf(1, 30)), { minLength: 1, maxLength: 12 })
  .map((options) => ({
    rule: { type: 'list', options },
    valid: fc.constantFrom(...options),
    invalid: fc
      .constantFrom('OPEN', '7', '2', ...options.map((option) => `${option}?`))
      .filter((value) => !options.includes(value)),
  }))

type Column = { field: Field; valid: fc.Arbitrary<string>; invalid: fc.Arbitrary<string> | null }

const column: fc.Arbitrary<Column> = fc
  .record({
    kind: fc.oneof(texts, numbers, dates, patterns, lists),
    name: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 20 }),
      fc.constantFrom('=1+1', '+49', '@a', '_x0041_', '<b>', '007', 'TRUE'),
    ),
    description: fc.string({ maxLength: 40 }),
    required: fc.boolean(),
  })
  .filter(({ name }) => labelKey(name) !== '')
  .map(({ kind: { rule, valid, invalid }, name, description, required }) => ({
    field: { name, description, category: '', required, rule },
    valid,
    invalid,
  }))
const columns = fc.uniqueArray(column, {
  minLength: 1,
  maxLength: 8,
  selector: ({ field }) => labelKey(field.name),
})

/** A row of valid values. Optional cells are sometimes empty, but never all of them: that would be no row. */
const rowOf = (all: readonly Column[]) =>
  fc.tuple(
    ...all.map(({ field, valid }, index) =>
      field.required || index === 0 ? valid : fc.oneof({ weight: 4, arbitrary: valid }, fc.constant('')),
    ),
  )

/** Rows, and an invalid text for one of their cells. */
const scenarios = columns.chain((all) =>
  fc.record({
    fields: fc.constant(all.map(({ field }) => field)),
    rows: fc.array(rowOf(all), { minLength: 1, maxLength: 6 }),
    fault: fc
      .record({ row: fc.nat(), column: fc.nat({ max: all.length - 1 }) })
      .chain(({ row, column: index }) => {
        const { field, invalid } = all[index]
        const blank = field.required && index > 0 ? [fc.constant('')] : []
        const texts = [...(invalid === null ? [] : [invalid]), ...blank]
        return texts.length === 0
          ? fc.constant(null)
          : fc.oneof(...texts).map((text) => ({ row, column: index, text }))
      }),
  }),
)

describe('A template that is filled in', () => {
  it('passes with valid values; with one bad cell, exactly that cell is reported', async () => {
    await fc.assert(
      fc.asyncProperty(scenarios, async ({ fields, rows, fault }) => {
        const template = await joined(writeTemplate({ name: 'Any', fields }, platform))
        const validate = (filled: readonly (readonly string[])[]) =>
          validateTable({
            source: bytesSource(fillIn(template, filled)),
            fileName: 'filled.xlsx',
            fields,
            platform,
          })
        expect(await validate(rows)).toEqual({ kind: 'passed', recordsCount: rows.length })
        if (fault === null) return
        const bad = fault.row % rows.length
        const verdict = await validate(
          rows.map((row, index) => (index === bad ? row.with(fault.column, fault.text) : row)),
        )
        expect(verdict).toMatchObject({
          kind: 'rowErrors',
          cellErrorCount: 1,
          rows: [
            { rowNumber: bad + 2, columnValidationErrors: [{ columnPosition: columnLetter(fault.column) }] },
          ],
        })
      }),
      { numRuns: runs(10) },
    )
  })
})
