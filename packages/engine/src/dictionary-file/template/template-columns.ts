import { worksheetBounds } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type DateFormat, parseDateFormat } from '@veridict/contract/notation/date-format'
import { type LivingColumn, livingColumns } from '#formulas/living-columns.ts'
import type { Platform } from '#platform.ts'
import { compileRule } from '#rules/compile-rule.ts'

export type TemplateColumn = LivingColumn & {
  /** The number format of its cells. */
  readonly format: string
  /** In characters. */
  readonly width: number
  /** The options of its drop-down, on the sheet of lists; null if it has none. */
  readonly choices: ListRange | null
}

/** A column of the sheet of lists: options below a heading. */
export type ListRange = {
  readonly letter: string
  readonly heading: string
  readonly options: readonly string[]
}

/** Number formats in the notation of spreadsheets. */
export const TEXT_FORMAT = '@'
export const GENERAL_FORMAT = 'General'

const NARROWEST = 13
const WIDEST = 42

/** The columns of the data sheet, one per field, in order. */
export function templateColumns(
  fields: readonly Field[],
  book: RuleBook,
  platform: Platform,
): TemplateColumn[] {
  const lists = new ListRanges()
  const columns = fields.map((field) => ({ field, expected: compileRule(field, platform, null).expected }))
  return livingColumns(columns, book).map(({ field, ...living }) => ({
    ...living,
    field,
    format: formatOf(field.rule),
    width: Math.min(WIDEST, Math.max(NARROWEST, field.name.length + 4)),
    choices: field.rule.type === 'list' ? lists.rangeOf(field.name, field.rule.options) : null,
  }))
}

/** Equal lists share a range. */
class ListRanges {
  private readonly ranges = new Map<string, ListRange | null>()
  private count = 0

  rangeOf(heading: string, listed: readonly string[]): ListRange | null {
    const key = JSON.stringify(listed)
    let range = this.ranges.get(key)
    if (range === undefined) this.ranges.set(key, (range = this.newRange(heading, listed)))
    return range
  }

  /** Options as the engine compares them: trimmed, without duplicates. null if they do not fit on a sheet. */
  private newRange(heading: string, listed: readonly string[]): ListRange | null {
    const options = [...new Set(listed.map((option) => option.trim()).filter((option) => option !== ''))]
    return options.length === 0 || options.length >= worksheetBounds.maxRows
      ? null
      : { letter: columnLetter(this.count++), heading, options }
  }
}

/**
 * Values must reach the engine as they were typed. Spreadsheets change many: '007' to 7, '1-2' to a day, '=a'
 * to an error. So cells are text, except for numbers and for dates that cannot be misread.
 */
function formatOf(rule: Rule): string {
  if (rule.type === 'number') return isBeyondDoubles(rule) ? TEXT_FORMAT : GENERAL_FORMAT
  const date = rule.type === 'date' ? parseDateFormat(rule.format) : null
  return date !== null && isUnmistakable(date) ? dateCode(date) : TEXT_FORMAT
}

/** How many digits of a number a spreadsheet keeps; it replaces the others by zeros. */
const KEPT_DIGITS = 15

function isBeyondDoubles({ scale = 0, minimum = 0, maximum = 0 }: NumberRule): boolean {
  return scale > KEPT_DIGITS || Math.max(Math.abs(minimum), Math.abs(maximum)) >= 10 ** KEPT_DIGITS
}

/**
 * Year (four digits), month, day: spreadsheets read this order as the same day in every country. Any other
 * order is read by the country's habit: 03/04/2024 in a cell of format dd/mm/yyyy silently becomes 4 March in
 * America.
 * A single part is not read as a date either: 2024 is read as a day of 1905.
 */
const isUnmistakable = ({ parts }: DateFormat): boolean =>
  parts.map((part) => part[0]).join('') === 'yMd' && parts[0] === 'yyyy'

/** A date format in a spreadsheet's notation. Without '\\', '/' would become the country's separator. */
const dateCode = ({ parts, separator }: DateFormat): string =>
  parts.map((part) => part.toLowerCase()).join(`\\${separator}`)
