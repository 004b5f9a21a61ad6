import { dayNumber, dayOf } from '#calendar.ts'

/** Day 0 of a workbook's epoch: 1899-12-30 (so that March 1900 fits) or 1904-01-01. */
const EPOCH_1900 = dayNumber(1899, 12, 30)
const EPOCH_1904 = dayNumber(1904, 1, 1)
export const dayZeroOf = (date1904: boolean): number => (date1904 ? EPOCH_1904 : EPOCH_1900)
/** Excel treats 1900 as a leap year, as Lotus 1-2-3 did: serial 60 is 29 February 1900, which never was. */
const FALSE_LEAP_DAY = 60
const LAST_DAY = dayNumber(9999, 12, 31)
const SECONDS_PER_DAY = 86400

/** A moment as a workbook stores it. `day` is 0 if there is only a time of day. */
export type SerialMoment = { year: number; month: number; day: number; seconds: number }

/**
 * To the nearest second. A fraction below 1 in the 1900 system has no day: `year`, `month` and `day` are 0.
 * null for what no spreadsheet shows as a date: negative, day 0 of the 1900 system, after 9999.
 */
export function readSerial(serial: number, date1904: boolean): SerialMoment | null {
  if (!(serial >= 0)) return null
  let days = Math.floor(serial)
  let seconds = Math.round((serial - days) * SECONDS_PER_DAY)
  if (seconds === SECONDS_PER_DAY) {
    days++
    seconds = 0
  }
  if (!date1904 && days === 0) return seconds === 0 ? null : { year: 0, month: 0, day: 0, seconds }
  if (!date1904 && days === FALSE_LEAP_DAY) return { year: 1900, month: 2, day: 29, seconds }
  const number = dayZeroOf(date1904) + days + (!date1904 && days < FALSE_LEAP_DAY ? 1 : 0)
  return number > LAST_DAY ? null : { ...dayOf(number), seconds }
}
