import type { Field } from '@veridict/contract/model/field'
import type { Condition, Operand, RuleBook, RuleTest } from '@veridict/contract/model/row-rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { dayText, readDayNumber } from '#row-rules/day-number.ts'
import type { TrialPlatform } from '#trial-platform.ts'

/**
 * The rule book after a change of a field: rules follow its new name, constants its new date format. A rule
 * that cannot follow stays, and `checkRuleBook` refuses it.
 */
export function adaptRuleBook(
  book: RuleBook,
  before: Field,
  after: Field,
  platform: TrialPlatform,
): RuleBook {
  const rewrite = dateRewriter(before, after, platform)
  if (before.name === after.name && rewrite === null) return book
  const rename = (column: string) => (column === before.name ? after.name : column)
  const valueOf = (column: string) => (value: string) =>
    column === before.name && rewrite !== null ? rewrite(value) : value

  const adaptOperand = (operand: Operand, column: string): Operand => {
    if ('value' in operand) return { value: valueOf(column)(operand.value) }
    if ('sum' in operand) return { ...operand, sum: operand.sum.map(rename) }
    if (!('column' in operand)) return operand
    const { times } = operand
    const renamed = { ...operand, column: rename(operand.column) }
    return typeof times === 'string' ? { ...renamed, times: rename(times) } : renamed
  }
  const adaptTest = (test: RuleTest): RuleTest => {
    if ('columns' in test) {
      const columns = test.columns.map(rename)
      if (!('rows' in test)) return { ...test, columns }
      const rows = test.rows.map((row) => row.map((value, at) => valueOf(test.columns[at])(value)))
      return { ...test, columns, rows }
    }
    const column = rename(test.column)
    if ('values' in test) return { ...test, column, values: test.values.map(valueOf(test.column)) }
    return 'than' in test
      ? { ...test, column, than: adaptOperand(test.than, test.column) }
      : { ...test, column }
  }
  const adaptCondition = (condition: Condition): Condition =>
    'all' in condition ? { all: condition.all.map(adaptTest) } : { any: condition.any.map(adaptTest) }

  const { rules, exempt } = book
  return {
    ...book,
    rules: rules.map((rule) => ({
      ...rule,
      ...(rule.when && { when: adaptCondition(rule.when) }),
      then: rule.then.map(adaptTest),
      ...(rule.otherwise && { otherwise: rule.otherwise.map(adaptTest) }),
    })),
    exempt: exempt && { ...exempt, when: adaptCondition(exempt.when) },
  }
}

/** Writes constants of the field in its new format; null if the format stays. A blank stays blank. */
function dateRewriter(
  { rule: from }: Field,
  { rule: to }: Field,
  { encodeUtf8, currentYear }: TrialPlatform,
): ((value: string) => string) | null {
  if (from.type !== 'date' || to.type !== 'date' || from.format === to.format) return null
  const [earlier, later] = [parseDateFormat(from.format), parseDateFormat(to.format)]
  if (earlier === null || later === null) return null
  return (value) => {
    const bytes = encodeUtf8(value)
    return value === ''
      ? ''
      : dayText(readDayNumber(bytes, 0, bytes.length, earlier.parts, currentYear), later)
  }
}
