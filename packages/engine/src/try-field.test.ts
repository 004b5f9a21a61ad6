import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { tryField, type TrialResult } from '#try-field.ts'
import { validateTable } from '#validate-table.ts'
import { ruleCases } from '../test/rule-cases.ts'
import { bytesSource, testPlatform } from '../test/test-platform.ts'

const platform = testPlatform()
const fieldOf = (rule: Rule, more: Partial<Field> = {}): Field => ({
  name: 'Tried',
  description: '',
  category: '',
  required: true,
  rule,
  ...more,
})

/** The verdict on a file with the value in one cell. */
async function verdictOfFile(field: Field, value: string): Promise<unknown> {
  const bytes = platform.encodeUtf8(`Key,Tried\nk,"${value.replaceAll('"', '""')}"\n`)
  const key = fieldOf({ type: 'text' }, { name: 'Key' })
  const verdict = await validateTable({
    source: bytesSource(bytes),
    fileName: 'one.csv',
    fields: [key, field],
    platform,
  })
  return verdict.kind === 'rowErrors' ? verdict.rows[0].columnValidationErrors : verdict.kind
}

/** The result of a trial as a verdict on a file, where the value has a place and a cause. */
const asOfFile = (verdict: TrialResult): unknown =>
  verdict.kind === 'accepted' ? 'passed' : [expect.objectContaining(verdict.error)]

describe('Trying a field', () => {
  for (const [type, groups] of Object.entries(ruleCases)) {
    it.for(groups)(
      `of type ${type} gives each value the verdict of a file with it: $rule`,
      async ({ rule, cases }) => {
        for (const required of [true, false]) {
          const field = fieldOf(rule, { required, description: 'What it means' })
          for (const value of ['', ' \u00a0 ', ...cases.map(({ cell }) => cell)]) {
            expect({ value, verdict: asOfFile(tryField(field, platform).check(value)) }).toEqual({
              value,
              verdict: await verdictOfFile(field, value),
            })
          }
        }
      },
    )
  }

  it.for<{ rule: Rule; value: string; error: string; expected: string; why: string }>([
    {
      rule: { type: 'number', scale: 2 },
      value: '12,50',
      error: "Use '.' as the decimal separator.",
      expected: 'a number with at most 2 decimals, like 12.5',
      why: 'a decimal comma',
    },
    {
      rule: { type: 'date', format: 'dd/MM/yyyy' },
      value: '31/02/2024',
      error: 'This day does not exist in the calendar.',
      expected: 'a date like 31/12/2024 (dd/MM/yyyy)',
      why: 'a day that does not exist',
    },
    {
      rule: { type: 'list', options: ['Open', 'Closed'] },
      value: ' closd ',
      error: 'The value is not in the list; did you mean "Closed"?',
      expected: 'one of Open, Closed',
      why: 'the nearest option is named, and the value is shown as it was typed',
    },
    {
      rule: { type: 'pattern', pattern: 'CLM-\\d{2}' },
      value: 'CLM-1',
      error: 'The value does not have the required form.',
      expected: 'a value of the form CLM-\\d{2}',
      why: 'the whole value must match',
    },
    {
      rule: { type: 'text' },
      value: ' ',
      error: 'This cell must not be empty.',
      expected: 'any text',
      why: 'blank, where a value is required',
    },
  ])('$why: $error', ({ rule, value, error, expected }) => {
    const trial = tryField(fieldOf(rule), platform)
    expect(trial.check(value)).toEqual({ kind: 'refused', error: { label: 'Tried', error, value, expected } })
    expect(trial.expected).toBe(expected)
  })

  it.for([
    { value: '  7 ', trimmed: '7', required: true, why: 'white space at its ends does not count' },
    { value: '\u00a07', trimmed: '7', required: true, why: 'nor does a no-break space' },
    { value: ' ', trimmed: '', required: false, why: 'a blank value is an empty cell' },
  ])('returns an accepted value trimmed: $why', ({ value, trimmed, required }) => {
    expect(tryField(fieldOf({ type: 'number' }, { required }), platform).check(value)).toEqual({
      kind: 'accepted',
      trimmed,
    })
  })

  it.for([
    { currentYear: 2026, kind: 'accepted', why: 'in 2026 the year 00 is 2000, which has 29 February' },
    { currentYear: 1979, kind: 'refused', why: 'in 1979 it is 1900, which has not' },
  ])('takes two-digit years by the year of the platform: $why', ({ currentYear, kind }) => {
    const trial = tryField(fieldOf({ type: 'date', format: 'dd/MM/yy' }), { ...platform, currentYear })
    expect(trial.check('29/02/00').kind).toBe(kind)
  })
})
