import { fieldMessages } from '@veridict/contract/messages/fields'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { fieldToWire, type RuleNumber, ruleNumbers } from '@veridict/contract/api/wire-field'
import pino from 'pino'
import { afterAll, describe, expect, it } from 'vitest'
import { createValidatorPool } from '#platform/validator/create-validator-pool.ts'
import { AppError } from '#errors.ts'
import { checkField } from '#dictionaries/check-fields.ts'

const { text: Text, number: Number, date: Date, pattern: Pattern, list: List } = ruleNumbers

const validator = createValidatorPool({ processes: 1 })
const log = pino({ level: 'silent' })
afterAll(() => validator.close())

const check = (ruleType: RuleNumber, ruleConfig: string, engine = validator) =>
  checkField(
    { itemName: 'Amount', description: '', category: '', isRequired: true, ruleType, ruleConfig },
    { validator: engine, log },
  )

async function refusalOf(ruleType: RuleNumber, ruleConfig: string, engine = validator) {
  try {
    await check(ruleType, ruleConfig, engine)
  } catch (error) {
    if (error instanceof AppError) return { status: error.status, errors: error.fieldErrors }
    throw error
  }
  return null
}

describe('A rule configuration that is kept', () => {
  it.for([
    { type: Text, config: {}, kept: {}, why: 'a text needs no bounds' },
    {
      type: Text,
      config: { minLength: 0, maxLength: 500 },
      kept: { minLength: 0, maxLength: 500 },
      why: 'bounds are inclusive',
    },
    { type: Text, config: { minLength: 3, maxLength: null }, kept: { minLength: 3 }, why: 'null means none' },
    {
      type: Number,
      config: { scale: 0, min: -1.5, max: -1.5 },
      kept: { scale: 0, min: -1.5, max: -1.5 },
      why: 'bounds may be equal',
    },
    { type: Date, config: { format: 'd.M.yy' }, kept: { format: 'd.M.yy' }, why: 'a custom format' },
    {
      type: Pattern,
      config: { regularExpression: '\\p{L}+' },
      kept: { regularExpression: '\\p{L}+' },
      why: 'a pattern of the engine',
    },
    {
      type: List,
      config: { optionSetValues: [' a ', '', 'b', 'a'] },
      kept: { optionSetValues: ['a', 'b'] },
      why: 'values are tidied',
    },
  ])('$config: $why', async ({ type, config, kept }) => {
    expect(fieldToWire(await check(type, JSON.stringify(config))).ruleConfig).toEqual(kept)
  })
})

describe('A rule configuration that is refused', () => {
  it.for([
    { type: Text, config: { minLength: -1 }, errors: { minLength: [fieldMessages.negativeLength] } },
    { type: Text, config: { minLength: 1.5 }, errors: { minLength: [fieldMessages.lengthNotInteger] } },
    { type: Text, config: { minLength: '1' }, errors: { minLength: [fieldMessages.lengthNotInteger] } },
    { type: Text, config: { minLength: 501 }, errors: { minLength: [fieldMessages.minLengthTooLarge] } },
    { type: Text, config: { maxLength: 0 }, errors: { maxLength: [fieldMessages.maxLengthZero] } },
    { type: Text, config: { maxLength: 501 }, errors: { maxLength: [fieldMessages.maxLengthInvalid] } },
    {
      type: Text,
      config: { minLength: 5, maxLength: 4 },
      errors: {
        minLength: [fieldMessages.minLengthAboveMaximum],
        maxLength: [fieldMessages.maxLengthInvalid],
      },
    },
    { type: Number, config: { scale: -1 }, errors: { scale: [fieldMessages.scaleInvalid] } },
    { type: Number, config: { scale: 0.5 }, errors: { scale: [fieldMessages.scaleInvalid] } },
    { type: Number, config: { min: 'x' }, errors: { min: [fieldMessages.configInvalid] } },
    {
      type: Number,
      config: { min: 2, max: 1 },
      errors: { min: [fieldMessages.minimumAboveMaximum], max: [fieldMessages.maximumBelowMinimum] },
    },
    { type: Date, config: {}, errors: { format: [fieldMessages.dateFormatRequired] } },
    { type: Date, config: { format: '' }, errors: { format: [fieldMessages.dateFormatRequired] } },
    { type: Date, config: { format: 'dd/MM-yyyy' }, errors: { format: [fieldMessages.dateFormatInvalid] } },
    { type: Date, config: { format: 'DD/MM/YYYY' }, errors: { format: [fieldMessages.dateFormatInvalid] } },
    {
      type: Pattern,
      config: { regularExpression: '' },
      errors: { regularExpression: [fieldMessages.patternRequired] },
    },
    {
      type: Pattern,
      config: { regularExpression: ' \t\u00a0' },
      errors: { regularExpression: [fieldMessages.patternRequired] },
    },
    {
      type: Pattern,
      config: { regularExpression: 'x'.repeat(2001) },
      errors: { regularExpression: [noticeMessages.tooLong(2000)] },
    },
    { type: List, config: {}, errors: { optionSetValues: [fieldMessages.listRequired] } },
    {
      type: List,
      config: { optionSetValues: [' ', ''] },
      errors: { optionSetValues: [fieldMessages.listRequired] },
    },
    {
      type: List,
      config: { optionSetValues: ['a\nb'] },
      errors: { optionSetValues: [fieldMessages.listValueWithLineBreak] },
    },
    {
      type: List,
      config: { optionSetValues: [1] },
      errors: { optionSetValues: [fieldMessages.configInvalid] },
    },
    {
      type: List,
      config: { optionSetValues: ['a\0'] },
      errors: { optionSetValues: [noticeMessages.invalidValue] },
    },
    {
      type: List,
      config: { optionSetValues: ['\ud800'] },
      errors: { optionSetValues: [noticeMessages.invalidValue] },
    },
    { type: Text, config: { format: 'dd' }, errors: { ruleConfig: [fieldMessages.configInvalid] } },
    { type: Text, config: [], errors: { ruleConfig: [fieldMessages.configInvalid] } },
    { type: Text, config: null, errors: { ruleConfig: [fieldMessages.configInvalid] } },
  ])('$type $config', async ({ type, config, errors }) =>
    expect(await refusalOf(type, JSON.stringify(config))).toEqual({ status: 400, errors }),
  )

  it.for(['', '{', 'text', '{"minLength":1e999}', '{"__proto__":{"polluted":true}}', '{"constructor":1}'])(
    '%s is not one',
    async (text) => {
      expect((await refusalOf(Text, text))?.status).toBe(400)
      expect({}).not.toHaveProperty('polluted')
    },
  )

  it.for(['((', '(?<=a+)b', '(a)\\1', '[z-a]', 'a{2,1}'])(
    'the engine cannot run %s',
    async (regularExpression) => {
      const refusal = await refusalOf(Pattern, JSON.stringify({ regularExpression }))
      expect(refusal?.status).toBe(400)
      expect(refusal?.errors?.regularExpression[0]).toMatch(/^This regular expression cannot be used: ./)
    },
  )

  it.for([
    { regularExpression: '[A-Z]{3}', status: undefined, why: 'a common one is known to be good' },
    { regularExpression: '\\p{L}{3}', status: 503, why: 'others are compiled in a validator process' },
  ])(
    'gets $status for $regularExpression without a validator process: $why',
    async ({ regularExpression, status }) => {
      const closed = createValidatorPool({ processes: 1 })
      closed.close()
      expect((await refusalOf(Pattern, JSON.stringify({ regularExpression }), closed))?.status).toBe(status)
    },
  )
})
