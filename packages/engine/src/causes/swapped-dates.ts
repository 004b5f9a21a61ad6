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
    describe: undefined,
    check: (text) => column.check(text) ?? (swappedBack(column, text) === null ? null : swappedDate),
    checkDay: (year, month, day) =>
      column.checkDay(year, month, day) ?? (day <= 12 && day !== month ? swappedDate : null),
  }
}

/** A valid date of a column with day and month exchanged; null if that is no other date. */
export function swappedBack({ field }: ColumnCheck, text: string): string | null {
  const { parts, separator } = parseDateFormat(field?.rule.type === 'date' ? field.rule.format : '')!
  const units = text.trim().split(separator)
  const [dayAt, monthAt] = ['d', 'M'].map((unit) => parts.findIndex((part) => part.startsWith(unit)))
  const { [dayAt]: day = '', [monthAt]: month = '' } = units
  if (day === '' || month === '' || Number(day) > 12 || Number(day) === Number(month)) return null
  // 08/03/2020 keeps its zeros where one digit would do.
  const digits = Math.min(day.length, month.length)
  const written = (unit: string, at: number) =>
    String(Number(unit)).padStart(Math.max(digits, parts[at].length), '0')
  units[dayAt] = written(month, dayAt)
  units[monthAt] = written(day, monthAt)
  return units.join(separator)
}
