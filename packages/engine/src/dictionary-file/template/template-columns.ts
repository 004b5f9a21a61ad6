import { worksheetBounds } from '@veridict/contract/limits'
import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { type DateFormat, parseDateFormat } from '@veridict/contract/notation/date-format'
import type { Platform } from '#platform.ts'
import { compileRule } from '#rules/compile-rule.ts'

/** A column of a template. */
export type TemplateColumn = {
  readonly field: Field
  readonly letter: string
  /** What is right, in the words that errors use. */
  readonly expected: string
  /** Number format of its cells. */
  readonly format: string
  /** In characters. */
  readonly width: number
  /** The range of the sheet of lists that its drop-down offers; null where it has none. */
  readonly choices: ListRange | null
}

/** Options below a heading, in a column of the sheet of lists. */
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

/** The columns of the sheet to fill in, one for each field, in order. */
export function templateColumns(fields: readonly Field[], platform: Platform): TemplateColumn[] {
  const lists = new ListRanges()
  return fields.map((field, index) => ({
    field,
    letter: columnLetter(index),
    expected: compileRule(field, platform, null).expected,
    format: formatOf(field.rule),
    width: Math.min(WIDEST, Math.max(NARROWEST, field.name.length + 4)),
    choices: field.rule.type === 'list' ? lists.rangeOf(field.name, field.rule.options) : null,
  }))
}

/** Lists that are alike share a range. */
class ListRanges {
  private readonly ranges = new Map<string, ListRange | null>()
  private count = 0

  rangeOf(heading: string, listed: readonly string[]): ListRange | null {
    const key = JSON.stringify(listed)
    let range = this.ranges.get(key)
    if (range === undefined) this.ranges.set(key, (range = this.newRange(heading, listed)))
    return range
  }

  /** Options as the engine compares them: trimmed, each once. null for a list that has no room on a sheet. */
  private newRange(heading: string, listed: readonly string[]): ListRange | null {
    const options = [...new Set(listed.map((option) => option.trim()).filter((option) => option !== ''))]
    return options.length === 0 || options.length >= worksheetBounds.maxRows
      ? null
      : { letter: columnLetter(this.count++), heading, options }
  }
}

/**
 * What is typed must reach the engine as it was typed. Spreadsheets change much: '007' to 7, '1-2' to a day,
 * '=a' to an error. So cells are text, but for numbers and for dates that they cannot mistake.
 */
function formatOf(rule: Rule): string {
  if (rule.type === 'number') return isBeyondDoubles(rule) ? TEXT_FORMAT : GENERAL_FORMAT
  const date = rule.type === 'date' ? parseDateFormat(rule.format) : null
  return date !== null && isUnmistakable(date) ? dateCode(date) : TEXT_FORMAT
}

/** Digits that a spreadsheet keeps of a number; it makes zeros of the others. */
const KEPT_DIGITS = 15

function isBeyondDoubles({ scale = 0, minimum = 0, maximum = 0 }: NumberRule): boolean {
  return scale > KEPT_DIGITS || Math.max(Math.abs(minimum), Math.abs(maximum)) >= 10 ** KEPT_DIGITS
}

/**
 * Year, month, day, the year with four digits: every spreadsheet in every country reads that as the same day.
 * Another order is read by the country's: 03/04/2024 in a cell of format dd/mm/yyyy becomes the 4th of March
 * in America, silently. Nor can a part alone be a date: 2024 is a day of 1905.
 */
const isUnmistakable = ({ parts }: DateFormat): boolean =>
  parts.map((part) => part[0]).join('') === 'yMd' && parts[0] === 'yyyy'

/** The same in a spreadsheet's notation. A bare '/' would become the country's own separator. */
const dateCode = ({ parts, separator }: DateFormat): string =>
  parts.map((part) => part.toLowerCase()).join(`\\${separator}`)
