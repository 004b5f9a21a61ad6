import { fieldMessages } from '@veridict/contract/messages/fields'
import type { RuleType } from '@veridict/contract/model/rule'
import * as engine from '@veridict/engine/try-field'
import { describe, expect, it } from 'vitest'
import { emptyField, type FieldValues, isSameRule, readField } from './field-values.ts'
import { trialOf } from './use-rule-engine.ts'

const form = (type: RuleType | '', values: Partial<FieldValues>): FieldValues => ({
  ...emptyField,
  type,
  ...values,
})

/** What the panel shows for a value. */
function resultOf(values: FieldValues, value: string): string {
  const trial = trialOf(values, engine)
  if (trial.kind === 'incomplete') return trial.lacks.join(' ')
  const verdict = trial.trial.check(value)
  return verdict.kind === 'refused'
    ? `${verdict.error.error} Expected ${verdict.error.expected}.`
    : `Accepted as "${verdict.trimmed}"`
}

describe('Trying a value in the form of a field', () => {
  it.for([
    {
      values: form('text', { hasLengthRange: true, maxLength: 3 }),
      value: ' abc ',
      says: 'Accepted as "abc"',
      why: 'trimmed first',
    },
    {
      values: form('text', { hasLengthRange: false, maxLength: 3 }),
      value: 'abcd',
      says: 'Accepted as "abcd"',
      why: 'a range that is off',
    },
    {
      values: form('number', { scale: 2 }),
      value: '12,50',
      says: "Use '.' as the decimal separator. Expected a number with at most 2 decimals, like 12.5.",
      why: 'a decimal comma',
    },
    {
      values: form('date', { format: 'dd/MM/yyyy' }),
      value: '31/02/2024',
      says: 'This day does not exist in the calendar. Expected a date like 31/12/2024 (dd/MM/yyyy).',
      why: 'a day that does not exist',
    },
    {
      values: form('pattern', { pattern: 'CLM-\\d{6}', description: 'The number of the claim' }),
      value: 'CLM-1',
      says: 'The value does not have the required form. Expected The number of the claim.',
      why: 'the description is what clerks read',
    },
    {
      values: form('list', { options: 'Open\n Closed \n\nOpen' }),
      value: 'closed',
      says: 'The value is not in the list; did you mean "Closed"? Expected one of Open, Closed.',
      why: 'the list as it will be saved',
    },
    {
      values: form('text', {}),
      value: ' ',
      says: 'This cell must not be empty. Expected any text.',
      why: 'blank, where a value is required',
    },
    {
      values: form('text', { required: false }),
      value: ' ',
      says: 'Accepted as ""',
      why: 'blank, where it may be',
    },
  ])('says $says for "$value": $why', ({ values, value, says }) => expect(resultOf(values, value)).toBe(says))

  it.for([
    { values: emptyField, lacks: [fieldMessages.typeRequired], why: 'no type' },
    { values: form('date', {}), lacks: [fieldMessages.dateFormatRequired], why: 'no format' },
    { values: form('list', { options: ' \n' }), lacks: [fieldMessages.listRequired], why: 'no values' },
    { values: form('pattern', {}), lacks: [fieldMessages.patternRequired], why: 'no expression' },
    {
      values: form('number', { hasRange: true, minimum: 5, maximum: 1 }),
      lacks: [fieldMessages.minimumAboveMaximum, fieldMessages.maximumBelowMinimum],
      why: 'bounds the wrong way round',
    },
    {
      values: form('number', { hasRange: true, minimum: '-' }),
      lacks: [fieldMessages.configInvalid],
      why: 'a number that is half typed',
    },
    {
      values: form('pattern', { pattern: '(?=a)b' }),
      lacks: [fieldMessages.patternInvalid('look-ahead and look-behind are not supported.')],
      why: 'an expression that the engine cannot run',
    },
  ])('names what the rule lacks: $why', ({ values, lacks }) =>
    expect(trialOf(values, engine)).toEqual({ kind: 'incomplete', lacks }),
  )

  it('reports a wrong expression at its input, in the words of the server', () => {
    const values = { ...form('pattern', { pattern: '(a' }), name: 'Code' }
    const refusal = fieldMessages.patternInvalid(engine.checkPattern('(a')!)
    expect(readField(values, engine.checkPattern)).toEqual({ ok: false, errors: { pattern: refusal } })
    expect(readField({ ...values, name: '' }, engine.checkPattern)).toEqual({
      ok: false,
      errors: { name: fieldMessages.nameRequired, pattern: refusal },
    })
    expect(readField(values).ok).toBe(true)
  })

  it('needs no other trial for another name or category, and one for anything else', () => {
    const before = form('list', { options: 'Open' })
    expect(isSameRule(before, { ...before, name: 'Status', category: 'Claims' })).toBe(true)
    expect(isSameRule(before, { ...before, options: 'Open\n' })).toBe(false)
    expect(isSameRule(before, { ...before, description: 'What clerks read' })).toBe(false)
  })
})
