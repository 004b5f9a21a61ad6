import { fieldMessages as texts } from '@veridict/contract/messages/fields'
import { RuleType } from '@veridict/contract/model/rule'
import { describe, expect, it } from 'vitest'
import { bodyOf, emptyField, faultsOf, type FieldValues, valuesOf } from './field-values.ts'

const field = (ruleType: RuleType, values: Partial<FieldValues>): FieldValues => ({
  ...emptyField,
  itemName: 'Amount',
  ruleType: String(ruleType),
  ...values,
})
const { Text, Number: Numeric, Date: Day, Pattern, List } = RuleType

describe('Faults of a field', () => {
  it.for([
    {
      values: emptyField,
      faults: { itemName: texts.nameRequired, ruleType: texts.typeRequired },
      why: 'nothing is filled in',
    },
    { values: field(Text, {}), faults: {}, why: 'a text needs nothing more' },
    { values: field(Text, { minLength: -1 }), faults: {}, why: 'a range that is switched off is not judged' },
    {
      values: field(Text, { hasLengthRange: true, minLength: -1 }),
      faults: { minLength: texts.negativeLength },
      why: 'negative',
    },
    {
      values: field(Text, { hasLengthRange: true, minLength: 1.5 }),
      faults: { minLength: texts.lengthNotInteger },
      why: 'decimal',
    },
    {
      values: field(Text, { hasLengthRange: true, minLength: 501 }),
      faults: { minLength: texts.minLengthTooLarge },
      why: 'too large',
    },
    {
      values: field(Text, { hasLengthRange: true, maxLength: 0 }),
      faults: { maxLength: texts.maxLengthZero },
      why: 'a maximum of 0',
    },
    {
      values: field(Text, { hasLengthRange: true, minLength: 9, maxLength: 3 }),
      faults: { minLength: texts.minLengthAboveMaximum, maxLength: texts.maxLengthInvalid },
      why: 'bounds the wrong way round are told at both',
    },
    {
      values: field(Numeric, { hasRange: true, min: 5, max: 3 }),
      faults: { min: texts.minimumAboveMaximum, max: texts.maximumBelowMinimum },
      why: 'so are those of a number',
    },
    { values: field(Numeric, { scale: -1 }), faults: { scale: texts.scaleInvalid }, why: 'a negative scale' },
    { values: field(Day, {}), faults: { format: texts.dateFormatRequired }, why: 'a date without format' },
    {
      values: field(Pattern, {}),
      faults: { regularExpression: texts.patternRequired },
      why: 'an expression that is empty',
    },
    {
      values: field(List, { listText: ' \n \n' }),
      faults: { listText: texts.listRequired },
      why: 'a list of blanks',
    },
  ])('$why', ({ values, faults }) => expect(faultsOf(values)).toEqual(faults))
})

describe('What is sent', () => {
  it('turns "can be empty" round', () => {
    expect(bodyOf(field(Text, { canBeEmpty: true })).isRequired).toBe(false)
    expect(bodyOf(field(Text, {})).isRequired).toBe(true)
  })

  it.for([
    { values: field(Text, { minLength: 3 }), config: {}, why: 'a range that is switched off is dropped' },
    {
      values: field(Numeric, { scale: 2, hasRange: true, min: 0 }),
      config: { scale: 2, min: 0 },
      why: 'an empty bound is left out',
    },
    {
      values: field(List, { listText: ' a \n\nb\r\na' }),
      config: { optionSetValues: ['a', 'b'] },
      why: 'values are trimmed, blanks dropped',
    },
    {
      values: field(Day, { format: 'yyyy-MM-dd', listText: 'x' }),
      config: { format: 'yyyy-MM-dd' },
      why: 'options of other types stay behind',
    },
  ])('$why', ({ values, config }) => expect(JSON.parse(bodyOf(values).ruleConfig)).toEqual(config))

  it.for([
    field(Text, { hasLengthRange: true, minLength: 1, maxLength: 9, description: 'd', category: 'c' }),
    field(Numeric, { scale: 2, hasRange: true, min: -1.5, max: 7, canBeEmpty: true }),
    field(List, { listText: 'a\nb' }),
    field(Pattern, { regularExpression: '\\d+' }),
    field(Day, { format: 'd.M.yy' }),
  ])('comes back as the same form (type $ruleType)', (values) => {
    const { itemName, ruleConfig, ...body } = bodyOf(values)
    expect(valuesOf({ id: 1, ...body, columnName: itemName, ruleConfigJson: ruleConfig })).toEqual(values)
  })
})
