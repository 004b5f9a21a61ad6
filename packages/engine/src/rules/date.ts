import { cellErrors, cellExpectations } from '@veridict/contract/messages/cells'
import type { DateRule } from '@veridict/contract/model/rule'
import {
  type DateFormat,
  type DatePart,
  parseDateFormat,
  writeDate,
} from '@veridict/contract/notation/date-format'
import * as calendar from '#calendar.ts'
import type { DatePlaces } from '#fast-path/column-kernel.ts'
import { ByteKind, type ByteKinds } from '#formats/byte-kinds.ts'
import { anyDay, type ByteAccept, NOT_SURE } from '#fast-path/fast-path.ts'
import { type CompiledRule, neverSure } from '#rules/compiled-rule.ts'

// Copied, because V8 does not fold imported constants (see `byte-names.ts`).
const { DAYS_IN_MONTH, fullYear, isDay } = calendar

/** The time of day after a day, as some programs export it. */
const TIME_OF_DAY =
  /^[ T]\s*\d{1,2}(?:[:.]\d{2}){1,2}(?:[.,]\d+)?\s*(?:[AaPp]\.?[Mm]\.?|Z|[+-]\d{2}:?\d{2})?$/

/**
 * Exactly the format, and a day of the calendar. What the format lacks is chosen so that the day exists:
 * without a year, 29 February does. A time of day has its own fault. See docs/BEHAVIOUR.md#cells.
 */
export function compileDate(rule: DateRule, currentYear: number): CompiledRule {
  const format = parseDateFormat(rule.format)
  if (format === null) throw new Error(`Not a date format: ${rule.format}`)
  const date = new DateReader(format, currentYear)
  const places = placesIn(format)
  const expected = cellExpectations.date(writeDate(format, 2024, 12, 31), rule.format)
  const notADate = { code: 'notADate', error: cellErrors.notADate(rule.format), expected } as const
  const notACalendarDay = { code: 'notACalendarDay', error: cellErrors.notACalendarDay, expected } as const
  const timeOfDay = { code: 'timeOfDay', error: cellErrors.timeOfDay, expected } as const
  return {
    expected,
    check: (text) => {
      const end = date.read(text)
      if (end === text.length) return isDay(date.year, date.month, date.day) ? null : notACalendarDay
      return end > 0 && TIME_OF_DAY.test(text.slice(end)) ? timeOfDay : notADate
    },
    checkDay: anyDay,
    fastPath: (kinds, required) => (places === null ? neverSure : datePath(places, kinds, required)),
    ...(places !== null && { describe: (kernel, column) => kernel.date(column, places) }),
  }
}

const NO_DATE = -1

/** One object for all cells: a bad date allocates nothing; a regular expression would make an array. */
class DateReader {
  /** The last date read. What the format leaves out keeps these values. */
  year = LEAP_YEAR
  month = 1
  day = 1
  readonly #parts: readonly DatePart[]
  readonly #separator: number
  readonly #currentYear: number

  constructor({ parts, separator }: DateFormat, currentYear: number) {
    this.#parts = parts
    this.#separator = separator.charCodeAt(0)
    this.#currentYear = currentYear
  }

  /** Returns where the date ends, or NO_DATE. */
  read(text: string): number {
    const parts = this.#parts
    let at = 0
    for (let index = 0; index < parts.length; index++) {
      if (index > 0 && (at === text.length || text.charCodeAt(at++) !== this.#separator)) return NO_DATE
      const part = parts[index]
      const first = at
      const last = Math.min(text.length, at + (part.length === 4 ? 4 : 2))
      let value = 0
      for (; at < last; at++) {
        const digit = text.charCodeAt(at) - ZERO
        if (digit >>> 0 > 9) break
        value = value * 10 + digit
      }
      // `d` and `M` take one or two digits, all others exactly as many as they have letters.
      if (at - first < part.length) return NO_DATE
      if (part === 'd' || part === 'dd') this.day = value
      else if (part === 'M' || part === 'MM') this.month = value
      else this.year = part === 'yy' ? fullYear(value, this.#currentYear) : value
    }
    return at
  }
}

/** For a format without a year. */
const LEAP_YEAR = 2000

const ZERO = 0x30

/** null unless the format has three parts of fixed widths and a four-digit year: ten bytes, as in presets. */
function placesIn({ parts, separator }: DateFormat): DatePlaces | null {
  const day = offsetOf('dd', parts)
  const month = offsetOf('MM', parts)
  const year = offsetOf('yyyy', parts)
  if (day < 0 || month < 0 || year < 0) return null
  const firstSeparator = parts[0].length
  const secondSeparator = firstSeparator + 1 + parts[1].length
  return { day, month, year, firstSeparator, secondSeparator, separatorByte: separator.charCodeAt(0) }
}

/** 29 February goes to the reference. */
function datePath(
  { day, month, year, firstSeparator, secondSeparator, separatorByte }: DatePlaces,
  kinds: ByteKinds,
  required: boolean,
): ByteAccept {
  const length = 10
  return (bytes, position) => {
    if (kinds[bytes[position]] === ByteKind.End) return required ? NOT_SURE : position
    const dayTens = bytes[position + day] - ZERO
    const dayUnits = bytes[position + day + 1] - ZERO
    const monthTens = bytes[position + month] - ZERO
    const monthUnits = bytes[position + month + 1] - ZERO
    const millennia = bytes[position + year] - ZERO
    const centuries = bytes[position + year + 1] - ZERO
    const decades = bytes[position + year + 2] - ZERO
    const years = bytes[position + year + 3] - ZERO
    const digits = dayTens | dayUnits | monthTens | monthUnits | millennia | centuries | decades | years
    // For 0 to 9, neither the number nor the number + 6 has a bit beyond the fourth; for all others one has.
    const sixMore =
      (dayTens + 6) |
      (dayUnits + 6) |
      (monthTens + 6) |
      (monthUnits + 6) |
      (millennia + 6) |
      (centuries + 6) |
      (decades + 6) |
      (years + 6)
    if ((digits | sixMore) >>> 0 > 15) return NOT_SURE
    if (
      bytes[position + firstSeparator] !== separatorByte ||
      bytes[position + secondSeparator] !== separatorByte
    )
      return NOT_SURE
    const dayNumber = dayTens * 10 + dayUnits
    const monthNumber = monthTens * 10 + monthUnits
    const end = position + length
    if (kinds[bytes[end]] !== ByteKind.End) return NOT_SURE
    if (dayNumber === 29 && monthNumber === 2) return NOT_SURE
    if (monthNumber > 12 || dayNumber === 0 || dayNumber > DAYS_IN_MONTH[monthNumber]) return NOT_SURE
    return (millennia | centuries | decades | years) === 0 ? NOT_SURE : end
  }
}

/** Bytes from the start of a date to one of its parts; -1 if the format does not have it. */
function offsetOf(part: DatePart, parts: readonly DatePart[]): number {
  const index = parts.indexOf(part)
  return index < 0 ? -1 : parts.slice(0, index).reduce((sum, other) => sum + other.length + 1, 0)
}
