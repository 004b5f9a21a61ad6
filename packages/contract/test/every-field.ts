import type { Field } from '#model/field.ts'
import { type RuleOf, type RuleType, ruleTypes } from '#model/rule.ts'

/** For tests: each rule type with all its settings. The compiler names a setting that is missing here. */
export const everyRule: { readonly [T in RuleType]: Required<RuleOf<T>> } = {
  text: { type: 'text', minLength: 1, maxLength: 40, checkDigit: 'luhn' },
  number: { type: 'number', scale: 2, minimum: -1.5, maximum: 1000 },
  date: { type: 'date', format: 'd.M.yy' },
  pattern: { type: 'pattern', pattern: '[A-Z]{2}|\\d+', checkDigit: 'npi' },
  list: { type: 'list', options: ['Open', '007', '=1+1'], separator: ';', minValues: 0, maxValues: 3 },
}

/** For tests: a field of each rule type, with every part given. */
export const everyField: readonly Required<Field>[] = ruleTypes.map((type, index) => ({
  name: `A ${type}`,
  description: `What this ${type} holds`,
  category: 'Options',
  required: index % 2 === 0,
  identifiesRow: true,
  rule: everyRule[type],
}))
