import type { CellFault } from '@veridict/contract/model/cell-error'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import type { PassedWrong } from '#causes/conclusion.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { NOT_SURE } from '#fast-path/fast-path.ts'

/** The fault of a date that is valid but surely means another day. Its sentences are never shown. */
export const swappedDate: CellFault = { code: 'notACalendarDay', error: '', expected: '' }

/** The columns of a file so that those with swapped dates report the valid ones, too, as `swappedDate`. */
export function withSwappedDates(
  columns: readonly ColumnCheck[],
  passedWrong: readonly PassedWrong[],
): ColumnCheck[] {
  const swapped = new Set(passedWrong.map(({ column }) => column))
  return columns.map((column, index) => (swapped.has(index) ? reportsSwapped(column) : column))
}

function reportsSwapped(column: ColumnCheck): ColumnCheck {
  return {
    ...column,
    accept: () => NOT_SURE,
    acceptQuoted: () => NOT_SURE,
    reject: () => null,
    check: (text) => column.check(text) ?? (swappedBack(column, text) === null ? null : swappedDate),
    checkDay: (year, month, day) =>
      column.checkDay(year, month, day) ?? (day <= 12 && day !== month ? swappedDate : null),
  }
}

/** A valid date of a column with day and month exchanged; null if that is no other date. */
export function swappedBack({ field }: ColumnCheck, text: string): string | null {
  const { parts, separator } = parseDateFormat(field?.rule.type === 'date' ? field.rule.format : '')!
  const units = text.trim().split(separator)
  const [day, month] = ['d', 'M'].map((unit) => parts.findIndex((part) => part.startsWith(unit)))
  if (!(Number(units[day]) <= 12) || Number(units[day]) === Number(units[month])) return null
  const exchanged = [units[day], units[month]]
  for (const [index, place] of [month, day].entries())
    units[place] = String(Number(exchanged[index])).padStart(parts[place].length, '0')
  return units.join(separator)
}
