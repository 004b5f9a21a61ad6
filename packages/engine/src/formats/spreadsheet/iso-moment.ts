import type { SerialMoment } from '#formats/spreadsheet/serial-date.ts'

const DATE = String.raw`(\d{4}-\d\d-\d\d)`
const TIME = String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:Z|[+-]\d\d:?\d\d)?`
const MOMENT = new RegExp(`^(?:${DATE}(?:T|$))?(?:${TIME})?$`)
const DURATION = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/
const SECONDS_PER_DAY = 86400

/**
 * A cell of type `d` (strict workbooks): a date, a time, both, or a duration in ISO 8601, to the nearest
 * second, since Excel writes 11:00 as 10:59:59.99. `year`, `month` and `day` are 0 if there is no day.
 * null for any other text, and for days that no calendar has.
 */
export function readIsoMoment(text: string): SerialMoment | null {
  if (text === '' || text.endsWith('T')) return null
  const duration = DURATION.exec(text)
  if (duration !== null) return text === 'P' ? null : timeAlone(secondsOf(duration))
  const match = MOMENT.exec(text)
  if (match === null) return null
  const [, date, ...time] = match
  const seconds = secondsOf(['', '0', ...time])
  return date === undefined ? timeAlone(seconds) : momentOf(date, seconds)
}

const timeAlone = (seconds: number): SerialMoment => ({ year: 0, month: 0, day: 0, seconds })

function secondsOf([, days, hours, minutes, seconds]: readonly (string | undefined)[]): number {
  const number = (part: string | undefined) => Number((part ?? '0').replace(',', '.'))
  return Math.round(((number(days) * 24 + number(hours)) * 60 + number(minutes)) * 60 + number(seconds))
}

function momentOf(date: string, seconds: number): SerialMoment | null {
  const midnight = new Date(`${date}T00:00:00Z`)
  // Some engines roll 30 February over into March.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, date.length) !== date) return null
  // Rounding may have reached the next day.
  const isNextDay = seconds === SECONDS_PER_DAY
  if (isNextDay) midnight.setUTCDate(midnight.getUTCDate() + 1)
  const [year, month, day] = [midnight.getUTCFullYear(), midnight.getUTCMonth() + 1, midnight.getUTCDate()]
  return { year, month, day, seconds: isNextDay ? 0 : seconds }
}
