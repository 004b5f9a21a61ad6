/** The entry point for what saves rules between cells. It imports the rules, but no reader and no writer. */
import { checkRuleBook as checkBook, type CheckedRuleBook } from '@veridict/contract/model/check-rule-book'
import { rowRuleMessages } from '@veridict/contract/messages/row-rules'
import type { Field } from '@veridict/contract/model/field'
import type { CellCheck } from '#fast-path/fast-path.ts'
import type { TextPlatform } from '#platform.ts'
import { compileRule } from '#rules/compile-rule.ts'
import { patternChecker, re2 } from '#rules/re2.ts'

export { adaptRuleBook } from '#adapt-rule-book.ts'

/** See the contract's `checkRuleBook`. */
export function checkRuleBook(
  given: unknown,
  fields: readonly Field[],
  platform: TextPlatform,
): CheckedRuleBook {
  const checks = new Map<Field, CellCheck>()
  const checkOf = (field: Field): CellCheck => {
    let check = checks.get(field)
    if (check === undefined) checks.set(field, (check = compileRule(ofOneValue(field), platform, re2).check))
    return check
  }
  return checkBook(given, fields, {
    value: (field, value) => checkOf(field)(value)?.error ?? null,
    form: (field, value) => {
      if (field.rule.type === 'number') return NUMBER.test(value) ? null : rowRuleMessages.notANumber
      return field.rule.type === 'date' ? (checkOf(field)(value)?.error ?? null) : null
    },
    pattern: patternChecker(),
  })
}

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/

/** A field whose cells hold one of its values. */
function ofOneValue(field: Field): Field {
  const { rule } = field
  return rule.type === 'list' ? { ...field, rule: { type: 'list', options: rule.options } } : field
}
