import { fieldMessages as texts } from '@veridict/contract/messages/fields'
import type { RuleType } from '@veridict/contract/model/rule'
import { everyField, everyRule } from '@veridict/contract/test/every-field'
import { describe, expect, it } from 'vitest'
import {
  emptyField,
  type FieldValues,
  inputErrorsOf,
  rangeErrorsOf,
  readField,
  valuesOf,
} from './field-values.ts'

const field = (type: RuleType | '', values: Partial<FieldValues>): FieldValues => ({
  ...emptyField,
  name: 'Amount',
  type,
  ...values,
})

const errorsOf = (values: FieldValues) => {
  const read = readField(values)
  return read.ok ? {} : read.errors
}
const fieldOf = (values: FieldValues) => {
  const read = readField(values)
  if (!read.ok) throw new Error(JSON.stringify(read.errors))
  return read.field
}

describe('Errors of a field', () => {
  it.for([
    {
      values: emptyField,
      errors: { name: texts.nameRequired, type: texts.typeRequired },
      why: 'nothing is filled in',
    },
    { values: field('text', {}), errors: {}, why: 'a text needs nothing more' },
    {
      values: field('text', { minLength: -1 }),
      errors: {},
      why: 'a range that is switched off is not checked',
    },
    {
      values: field('text', { hasLengthRange: true, minLength: -1 }),
      errors: { minLength: texts.negativeLength },
      why: 'negative',
    },
    {
      values: field('text', { hasLengthRange: true, minLength: 1.5 }),
      errors: { minLength: texts.lengthNotInteger },
      why: 'decimal',
    },
    {
      values: field('text', { hasLengthRange: true, minLength: 501 }),
      errors: { minLength: texts.minLengthTooLarge },
      why: 'too large',
    },
    {
      values: field('text', { hasLengthRange: true, maxLength: 0 }),
      errors: { maxLength: texts.maxLengthZero },
      why: 'a maximum of 0',
    },
    {
      values: field('text', { hasLengthRange: true, minLength: 9, maxLength: 3 }),
      errors: { minLength: texts.minLengthAboveMaximum, maxLength: texts.maxLengthInvalid },
      why: 'bounds in the wrong order are reported at both',
    },
    {
      values: field('number', { hasRange: true, minimum: 5, maximum: 3 }),
      errors: { minimum: texts.minimumAboveMaximum, maximum: texts.maximumBelowMinimum },
      why: 'so are those of a number',
    },
    {
      values: field('number', { scale: -1 }),
      errors: { scale: texts.scaleInvalid },
      why: 'a negative scale',
    },
    { values: field('date', {}), errors: { format: texts.dateFormatRequired }, why: 'a date without format' },
    {
      values: field('pattern', {}),
      errors: { pattern: texts.patternRequired },
      why: 'an expression that is empty',
    },
    {
      values: field('list', { options: ' \n \n' }),
      errors: { options: texts.listRequired },
      why: 'a list of blanks',
    },
  ])('$why', ({ values, errors }) => expect(errorsOf(values)).toEqual(errors))
})

describe('The field that is sent', () => {
  it('is required unless it can be empty', () => {
    expect(fieldOf(field('text', { required: false })).required).toBe(false)
    expect(fieldOf(field('text', {})).required).toBe(true)
  })

  it.for([
    {
      values: field('text', { minLength: 3 }),
      rule: { type: 'text' },
      why: 'a range that is switched off is dropped',
    },
    {
      values: field('number', { scale: 2, hasRange: true, minimum: 0 }),
      rule: { type: 'number', scale: 2, minimum: 0 },
      why: 'an empty bound is left out',
    },
    {
      values: field('list', { options: ' a \n\nb\r\na' }),
      rule: { type: 'list', options: ['a', 'b'] },
      why: 'values are trimmed, blanks dropped',
    },
    {
      values: field('date', { format: 'yyyy-MM-dd', options: 'x' }),
      rule: { type: 'date', format: 'yyyy-MM-dd' },
      why: 'options of other types stay behind',
    },
  ])('$why', ({ values, rule }) => expect(fieldOf(values).rule).toEqual(rule))

  it.for(everyField)('comes back from the form with every option: $rule.type', (given) => {
    expect(fieldOf(valuesOf(given))).toEqual(given)
  })

  it('leaves out bounds of values without a separator', () => {
    const values = { ...valuesOf({ ...everyField[0], rule: everyRule.list }), separator: '' }
    expect(fieldOf(values).rule).toEqual({ type: 'list', options: everyRule.list.options })
  })
})

it("shows the server's errors at the inputs", () =>
  expect(
    inputErrorsOf({ itemName: ['a', 'b'], min: ['c'], optionSetValues: ['d'], isRequired: ['e'] }),
  ).toEqual({ name: 'a', minimum: 'c', options: 'd', required: 'e' }))

describe('The bounds that are being typed', () => {
  const none = {
    minLength: null,
    maxLength: null,
    scale: null,
    minimum: null,
    maximum: null,
    minValues: null,
    maxValues: null,
  }
  const number = { ...emptyField, type: 'number', hasRange: true } as const
  const text = { ...emptyField, type: 'text', hasLengthRange: true } as const
  it.for([
    {
      values: { ...number, minimum: 9, maximum: 3 },
      errors: { minimum: texts.minimumAboveMaximum, maximum: texts.maximumBelowMinimum },
      why: 'both inputs say it, also without a name',
    },
    { values: { ...number, minimum: 3, maximum: 9 }, errors: {}, why: 'right' },
    { values: { ...number, minimum: 9 }, errors: {}, why: 'the other one is not typed yet' },
    { values: { ...number, minimum: '-', maximum: 3 }, errors: {}, why: 'a sign begins a number' },
    { values: { ...number, minimum: 9, maximum: 3, hasRange: false }, errors: {}, why: 'the switch is off' },
    { values: { ...number, scale: -1 }, errors: { scale: texts.scaleInvalid }, why: 'a scale' },
    {
      values: { ...text, minLength: 9, maxLength: 3 },
      errors: { minLength: texts.minLengthAboveMaximum, maxLength: texts.maxLengthInvalid },
      why: 'lengths',
    },
    { values: { ...text, minimum: 9, maximum: 3 }, errors: {}, why: 'those of another type' },
  ])('are checked together: $why', ({ values, errors }) =>
    expect(rangeErrorsOf(values)).toEqual({ ...none, ...errors }),
  )
})
