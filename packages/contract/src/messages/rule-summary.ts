import {
  checkDigitNames,
  type ListRule,
  type PatternRule,
  type Rule,
  ruleTypeNames,
  type TextRule,
} from '#model/rule.ts'
import { counted, firstNames } from '#notation/count.ts'

/** A rule in a few words, like "Number, 0 to 100, 2 decimals". Ours. */
export const ruleSummary = (rule: Rule): string => [ruleTypeNames[rule.type], ...ruleDetails(rule)].join(', ')

/** The settings of a rule, like "0 to 100", "2 decimals". */
function ruleDetails(rule: Rule): string[] {
  switch (rule.type) {
    case 'text':
      return [
        ...range(rule.minLength, rule.maxLength).map((text) => `${text} characters`),
        ...checkDigit(rule),
      ]
    case 'number':
      return [...range(rule.minimum, rule.maximum), ...decimals(rule.scale)]
    case 'date':
      return rule.format === '' ? [] : [rule.format]
    case 'pattern':
      return checkDigit(rule)
    case 'list':
      return [counted(rule.options.length, 'value'), ...severalValues(rule)]
  }
}

const checkDigit = ({ checkDigit: scheme }: TextRule | PatternRule): string[] =>
  scheme === undefined ? [] : [`check digit ${checkDigitNames[scheme]}`]

const severalValues = ({ separator, minValues, maxValues }: ListRule): string[] =>
  separator === undefined ? [] : [`${range(minValues, maxValues)[0] ?? 'several'} in a cell`]

function range(minimum: number | undefined, maximum: number | undefined): string[] {
  if (minimum !== undefined && minimum === maximum) return [`exactly ${minimum}`]
  if (minimum !== undefined && maximum !== undefined) return [`${minimum} to ${maximum}`]
  if (minimum !== undefined) return [`at least ${minimum}`]
  return maximum === undefined ? [] : [`at most ${maximum}`]
}

const decimals = (scale: number | undefined): string[] =>
  scale === undefined ? [] : [scale === 0 ? 'whole' : counted(scale, 'decimal')]

/** Most options of a list that are named. */
const MAX_NAMED = 3

/** The settings of a rule in a few words: 'Exactly 8 characters', 'Open, Closed and 2 more'. */
export function settingsSummary(rule: Rule): string {
  if (rule.type === 'list') return [firstNames(rule.options, MAX_NAMED), ...severalValues(rule)].join(', ')
  if (rule.type === 'pattern') return [rule.pattern, ...checkDigit(rule)].join(', ')
  const details = ruleDetails(rule).join(', ')
  if (details === '') return rule.type === 'text' ? 'Any length' : 'Any number'
  if (details === 'whole') return 'Whole numbers'
  return rule.type === 'date' ? details : details[0].toUpperCase() + details.slice(1)
}
