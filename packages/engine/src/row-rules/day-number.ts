import type { DateUnit } from '@veridict/contract/model/row-rule'
import { type DateFormat, type DatePart, writeDate } from '@veridict/contract/notation/date-format'
import { DAYS_IN_MONTH, fullYear, isDay } from '#calendar.ts'

/** Days since 1 March of the year 0, in the Gregorian calendar: a leap day is then the last of its year. */
export function dayNumber(year: number, month: number, day: number): number {
  const months = month + 9
  const years = year - 1 + Math.floor(months / 12)
  const ofYear = Math.floor(((months % 12) * 153 + 2) / 5)
  return (
    years * 365 + Math.floor(years / 4) - Math.floor(years / 100) + Math.floor(years / 400) + ofYear + day - 1
  )
}

type Day = { year: number; month: number; day: number }

const DAYS_OF_400_YEARS = 146_097

export function dayOf(number: number): Day {
  const era = Math.floor(number / DAYS_OF_400_YEARS)
  const ofEra = number - era * DAYS_OF_400_YEARS
  const years = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * years + Math.floor(years / 4) - Math.floor(years / 100))
  const months = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * months + 2) / 5) + 1
  const month = months < 10 ? months + 3 : months - 9
  return { year: years + era * 400 + (month <= 2 ? 1 : 0), month, day }
}

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
