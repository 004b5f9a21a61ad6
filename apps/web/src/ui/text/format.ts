import { writeCount } from '@veridict/contract/notation/count'

const units = ['KB', 'MB', 'GB'] as const
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The month is a word, because 05/06 is ambiguous. */
const dateTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** Date and time in the browser's time zone, like "21 Nov 2026, 06:57". */
export const formatTime = (moment: Date): string => dateTime.format(moment)

const exactTime = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' })

/** Date and time for readers in any time zone, like "21 November 2026 at 06:57:12 UTC". */
export const formatMoment = (moment: Date): string => exactTime.format(moment)

/** null after a week. In the future (a slow clock) it is "just now", by more than an hour null. */
export function relativeTime(moment: Date, now: number): string | null {
  const passed = now - moment.getTime()
  if (passed < -hour) return null
  if (passed < minute) return 'just now'
  if (passed < hour) return relative.format(-Math.floor(passed / minute), 'minute')
  if (passed < day) return relative.format(-Math.floor(passed / hour), 'hour')
  if (passed < 7 * day) return relative.format(-Math.floor(passed / day), 'day')
  return null
}

/** The same, or the date and time: "on 21 Nov 2026, 06:57". */
export const agoOf =
  (now: number) =>
  (at: string): string =>
    relativeTime(new Date(at), now) ?? `on ${formatTime(new Date(at))}`

const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' })
const dayOfAnyYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** In the browser's time zone: "14:05 today", "3 May", or "3 May 2025" in another year than `now`. */
export function formatDay(moment: Date, now: Date = new Date()): string {
  if (moment.toDateString() === now.toDateString()) return `${timeOfDay.format(moment)} today`
  return (moment.getFullYear() === now.getFullYear() ? dayOfYear : dayOfAnyYear).format(moment)
}

const usDate = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: '2-digit', day: '2-digit' })

/** The date `days` after a moment, as MM/dd/yyyy in the browser's time zone. */
export function usDateAfter(moment: Date, days: number): string {
  const then = new Date(moment)
  then.setDate(then.getDate() + days)
  return usDate.format(then)
}

/** A size like "4.2 KB" or "25 MB", in steps of 1024; a file that is not empty has at least 0.1 KB. */
export function fileSize(bytes: number): string {
  let size = bytes === 0 ? 0 : Math.max(0.1, bytes / 1024)
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  const digits = size >= 100 ? 0 : 1
  return `${writeCount(Number(size.toFixed(digits)))} ${units[unit]}`
}
