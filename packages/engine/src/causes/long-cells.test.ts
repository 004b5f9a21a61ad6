import { worksheetBounds } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import { everyRule } from '@veridict/contract/test/every-field'
import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { columnDiagnoser } from '#causes/column-diagnoser.ts'
import { LONGEST_DIAGNOSED } from '#causes/grammar.ts'
import { compileField } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { re2 } from '#rules/re2.ts'
import { testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()
const settings = { currentYear: 2026, mostValues: 100 }

const rules: readonly Rule[] = [
  ...Object.values(everyRule),
  { type: 'text', minLength: 500 },
  { type: 'number' },
  { type: 'number', scale: 0, minimum: 0, maximum: 1 },
  { type: 'date', format: 'dd/MM/yyyy' },
  { type: 'date', format: 'yyyy' },
  { type: 'pattern', pattern: '\\d{3}-\\d{4}|[A-Z]{2} ?\\d{2}:\\d{2}' },
  { type: 'pattern', pattern: '0*[1-9]\\d{4}' },
  { type: 'list', options: ['Active', 'Zürich (1)', '2 - Zug', '12.5'] },
]

const WORDS = ['_x000D_', '&amp;', '&#1', 'kg', 'Mar', 'Monday', 'pm', 'UTC', 'of ', '1e+', '="', ' - ']
/** What the grammars of dates, numbers, units, times, quotes and rewritten texts are made of. */
const FRAGMENTS = [...'019.,;:/-+ \'"=()%$€#&?_xXTZhe\u00a0\u200b\ufeff\t\n\u0301é٣Ã\u2212“А👍', ...WORDS]
const fragment = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''))
const part = fc.constantFrom('', '1', '5 kg', '12:30', '31.12.2024', '05/03/2024 10:00', 'Active', '5 March')

/** A fragment over and over, between two others, up to the longest cell of a workbook. */
const cells = fc
  .tuple(part, fragment, fc.integer({ min: 1, max: worksheetBounds.maxCellLength }), part)
  .map(([head, repeated, length, tail]) => head + repeated.repeat(length / repeated.length) + tail)

/** The diagnoser of a rule, and the lengths of the texts that it checks again. */
function diagnoserOf(rule: Rule, required: boolean) {
  const field: Field = { name: 'A', description: '1 = Active', category: '', required, rule }
  const column = compileField(field, xmlTerminators, platform, re2)
  const checked: number[] = []
  const check = (text: string) => {
    checked.push(text.length)
    return column.check(text)
  }
  return { diagnose: columnDiagnoser({ ...column, check }, settings), check: column.check, checked }
}

/** Texts that are made of a bad cell and checked: the forms of a time of day are the most. */
const MOST_CHECKED = 250

describe('A long cell', () => {
  it('is diagnosed whatever it holds, and only a short text of it is tried in other forms', () => {
    fc.assert(
      fc.property(fc.constantFrom(...rules), fc.boolean(), cells, (rule, required, value) => {
        const { diagnose, check, checked } = diagnoserOf(rule, required)
        const fault = check(value)
        if (fault === null) return
        const { suggestion } = diagnose({ column: 0, fault, value, memo: null })
        if (suggestion !== null && suggestion !== '') expect(check(suggestion)).toBeNull()
        const isOfDigits = fault.code === 'tooManyDecimals'
        // NFKC makes up to 18 characters of one; a pattern is filled with up to 40.
        if (!isOfDigits) expect(Math.max(0, ...checked)).toBeLessThanOrEqual(18 * LONGEST_DIAGNOSED)
        expect(checked.length).toBeLessThan(MOST_CHECKED)
      }),
      { numRuns: runs(200) },
    )
  })

  it.for([
    { rule: everyRule.date, head: '', repeated: '.', kind: 'notADate' },
    { rule: everyRule.date, head: '31.12.2024', repeated: '. ', kind: 'notADate' },
    { rule: everyRule.list, head: 'Open', repeated: 'x', kind: 'notInList' },
    { rule: everyRule.text, head: '', repeated: 'x ', kind: 'textTooLong' },
    { rule: everyRule.pattern, head: '', repeated: 'A1-', kind: 'patternMismatch' },
    { rule: everyRule.number, head: '5 kg', repeated: ' x', kind: 'notANumber' },
  ])('of "$head" and "$repeated" has a plain cause', ({ rule, head, repeated, kind }) => {
    const value = head + repeated.repeat(20_000 / repeated.length)
    const { diagnose, check } = diagnoserOf(rule, true)
    expect(diagnose({ column: 0, fault: check(value)!, value, memo: null })).toMatchObject({
      kind,
      suggestion: null,
    })
  })

  it.for([
    { rule: everyRule.list, long: '\u200b'.repeat(2000), value: 'Op\u200ben', suggestion: 'Open' },
    { rule: everyRule.number, long: ' '.repeat(2000), value: '5 kg', suggestion: '5' },
    { rule: everyRule.number, long: '0'.repeat(2000), value: '1.50', suggestion: '1.50' },
    { rule: everyRule.date, long: '.'.repeat(900), value: '31.12.2024', suggestion: '31.12.24' },
  ])('keeps the suggestion of $value, where only its end is long', ({ rule, long, value, suggestion }) => {
    const { diagnose, check } = diagnoserOf(rule, true)
    const cell = value + long
    expect(diagnose({ column: 0, fault: check(cell)!, value: cell, memo: null }).suggestion).toBe(suggestion)
  })
})
