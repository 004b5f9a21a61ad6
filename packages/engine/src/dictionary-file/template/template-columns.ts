import { templateSheets } from '@veridict/contract/messages/template-file'
import type { Field } from '@veridict/contract/model/field'
import type { NumberRule, Rule } from '@veridict/contract/model/rule'
import type { RuleBook } from '@veridict/contract/model/row-rule'
import { type DateFormat, parseDateFormat } from '@veridict/contract/notation/date-format'
import { type LivingColumn, livingColumns } from '#formulas/living-columns.ts'
import type { TextPlatform } from '#platform.ts'

export type TemplateColumn = LivingColumn & {
  /** The number format of its cells. */
  readonly format: string
  /** In characters. */
  readonly width: number
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
  platform: TextPlatform,
): TemplateColumn[] {
  const table = { headerRowNumber: 1, firstColumn: 0 }
  const place = { table, listSheet: templateSheets.lists, firstListColumn: 0 }
  return livingColumns(fields, book, place, platform).map((column) => ({
    ...column,
    format: formatOf(column.field.rule),
    width: Math.min(WIDEST, Math.max(NARROWEST, column.field.name.length + 4)),
  }))
}

/** Spreadsheets change 007 to 7, 1-2 to a day, =a to an error: only numbers and clear dates are not text. */
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
 * Year (four digits), month, day is one day in every country. Any other order is read by the country's
 * habit: 03/04/2024 as dd/mm/yyyy silently becomes 4 March in America. 2024 alone is a day of 1905.
 */
const isUnmistakable = ({ parts }: DateFormat): boolean =>
  parts.map((part) => part[0]).join('') === 'yMd' && parts[0] === 'yyyy'

/** A date format in a spreadsheet's notation. Without '\\', '/' would become the country's separator. */
const dateCode = ({ parts, separator }: DateFormat): string =>
  parts.map((part) => part.toLowerCase()).join(`\\${separator}`)
