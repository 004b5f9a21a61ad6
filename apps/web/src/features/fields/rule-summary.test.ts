import { expect, it } from 'vitest'
import { ruleSummary } from './rule-summary.ts'

it.for([
  { ruleType: 0, config: {}, said: 'Text' },
  { ruleType: 0, config: { minLength: 1, maxLength: 120 }, said: 'Text, 1 to 120 characters' },
  { ruleType: 0, config: { maxLength: 5 }, said: 'Text, at most 5 characters' },
  { ruleType: 1, config: { scale: 2, min: 0, max: 100 }, said: 'Number, 0 to 100, 2 decimals' },
  { ruleType: 1, config: { scale: 0, min: 1 }, said: 'Number, at least 1, whole' },
  { ruleType: 2, config: { format: 'dd/MM/yyyy' }, said: 'Date, dd/MM/yyyy' },
  { ruleType: 3, config: { regularExpression: 'a+' }, said: 'Regular expression' },
  { ruleType: 4, config: { optionSetValues: ['a', 'b'] }, said: 'Item from a list, 2 values' },
] as const)('$said', ({ ruleType, config, said }) => {
  expect(ruleSummary({ ruleType, ruleConfigJson: JSON.stringify(config) })).toBe(said)
})

it('says the type alone where the config cannot be read', () => {
  expect(ruleSummary({ ruleType: 1, ruleConfigJson: 'x' })).toBe('Number')
})
