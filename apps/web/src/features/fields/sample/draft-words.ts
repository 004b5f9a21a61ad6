import type { Rule } from '@veridict/contract/model/rule'
import { type FieldValues, readUnnamedField } from '#features/fields/field-values.ts'
import { ruleDetails } from '#features/fields/rule-summary.ts'

/** Options of a list that are named. */
const MAX_NAMED = 3

/** What the rule of a draft says beyond its type, or what it still lacks. */
export function draftWords(values: FieldValues): { isFaulty: boolean; words: string } {
  // Whether an expression can be run is told where it is typed.
  const read = readUnnamedField(values)
  return read.ok
    ? { isFaulty: false, words: wordsOf(read.field.rule) }
    : { isFaulty: true, words: Object.values(read.errors)[0] }
}

function wordsOf(rule: Rule): string {
  if (rule.type === 'list') return optionsOf(rule.options)
  if (rule.type === 'pattern') return rule.pattern
  const details = ruleDetails(rule).join(', ')
  if (details === '') return rule.type === 'text' ? 'Any length' : 'Any number'
  if (details === 'whole') return 'Whole numbers'
  return rule.type === 'date' ? details : details[0].toUpperCase() + details.slice(1)
}

function optionsOf(options: readonly string[]): string {
  const more = options.length - MAX_NAMED
  const named = options.slice(0, MAX_NAMED).join(', ')
  return more > 0 ? `${named} and ${more} more` : named
}
