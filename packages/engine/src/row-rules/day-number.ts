import type { DateUnit } from '@veridict/contract/model/row-rule'
import { type DateFormat, type DatePart, writeDate } from '@veridict/contract/notation/date-format'
import { dayNumber, dayOf, DAYS_IN_MONTH, fullYear, isDay } from '#calendar.ts'

/** A day moved by a whole number; by months or years at most to the last day of the month. */
export function movedDay(number: number, by: number, unit: DateUnit): number {
  if (unit === 'days') return number + by
  const { year, month, day } = dayOf(number)
  const months = year * 12 + month - 1 + (unit === 'years' ? by * 12 : by)
  const newYear = Math.floor(months / 12)
  const newMonth = (((months % 12) + 12) % 12) + 1
  const isLeapDay = newMonth === 2 && isDay((((newYear % 400) + 400) % 400) + 400, 2, 29)
  return dayNumber(newYear, newMonth, Math.min(day, DAYS_IN_MONTH[newMonth] + (isLeapDay ? 1 : 0)))
}

export function dayText(number: number, format: DateFormat): string {
  const { year, month, day } = dayOf(number)
  return writeDate(format, year, month, day)
}

/** For a format without a year. */
const LEAP_YEAR = 2000
const ZERO = 0x30

/** The day of the bytes `[from, to)`, which are a valid date in the format. */
export function readDayNumber(
  bytes: Uint8Array,
  from: number,
  to: number,
  parts: readonly DatePart[],
  currentYear: number,
): number {
  let [year, month, day] = [LEAP_YEAR, 1, 1]
  let at = from
  for (const part of parts) {
    let value = 0
    for (; at < to; at++) {
      const digit = bytes[at] - ZERO
      if (digit >>> 0 > 9) break
      value = value * 10 + digit
    }
    at++
    if (part[0] === 'd') day = value
    else if (part[0] === 'M') month = value
    else year = part === 'yy' ? fullYear(value, currentYear) : value
  }
  return dayNumber(year, month, day)
}
