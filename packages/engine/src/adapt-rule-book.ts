import type { Field } from '@veridict/contract/model/field'
import type { RuleBook, RuleTest } from '@veridict/contract/model/row-rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { freeName, hasProposedName, proposedName } from '@veridict/contract/notation/rule-sentence'
import { dayText, readDayNumber } from '#row-rules/day-number.ts'
import type { TextPlatform } from '#platform.ts'

/**
 * The rule book after a change of a field: rules follow its new name, constants its new date format, and
 * proposed names both. A rule that cannot follow stays, and `checkRuleBook` refuses it.
 */
export function adaptRuleBook(book: RuleBook, before: Field, after: Field, platform: TextPlatform): RuleBook {
  const rewrite = dateRewriter(before, after, platform)
  if (before.name === after.name && rewrite === null) return book
  const valueOf = (column: string) => (value: string) => (column === before.name && rewrite?.(value)) || value
  const withConstants = (test: RuleTest): RuleTest => {
    if ('values' in test) return { ...test, values: test.values.map(valueOf(test.column)) }
    if ('than' in test && 'value' in test.than)
      return { ...test, than: { value: valueOf(test.column)(test.than.value) } }
    if (!('rows' in test)) return test
    return { ...test, rows: test.rows.map((row) => row.map((value, at) => valueOf(test.columns[at])(value))) }
  }
  /** Any part of a rule; `key` is where it stands. */
  const adapt = <T>(part: T, key = ''): T => {
    if (part === before.name && COLUMN_KEYS.has(key)) return after.name as T
    if (Array.isArray(part)) return part.map((item) => adapt(item, key)) as T
    if (typeof part !== 'object' || part === null) return part
    const given = 'is' in part ? withConstants(part as unknown as RuleTest) : part
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, adapt(value, name)])) as T
  }

  const taken = book.rules.map(({ name }) => name)
  const rules = book.rules.map((rule, place) => {
    const adapted = adapt(rule)
    if (hasProposedName(rule)) taken[place] = freeName(proposedName(adapted), taken.toSpliced(place, 1))
    return { ...adapted, name: taken[place] }
  })
  return { ...book, rules, exempt: adapt(book.exempt) }
}

/** Of the parts of a rule, those that name columns. */
const COLUMN_KEYS = new Set(['column', 'columns', 'sum', 'times'])

/** Writes constants of the field in its new format; null if the format stays. A blank stays blank. */
function dateRewriter(
  { rule: from }: Field,
  { rule: to }: Field,
  { encodeUtf8, currentYear }: TextPlatform,
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
