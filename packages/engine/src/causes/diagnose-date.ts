import type { CellFault } from '@veridict/contract/model/cell-error'
import type { DateRule } from '@veridict/contract/model/rule'
import { parseDateFormat } from '@veridict/contract/notation/date-format'
import { fullYear, isDay } from '#calendar.ts'
import { type CellClassifier, FIRST_CLASS, NO_CLASS } from '#fast-path/cell-class.ts'
import { withoutEndSigns, withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'
import { certainYear, DayWriter } from '#causes/day-writer.ts'
import { DateReader } from '#causes/date-reader.ts'
import { corrected, type Diagnosis, open, Proof, unresolved } from '#causes/diagnosis.ts'
import { monthNamed } from '#likeness/month-names.ts'
import type { CellCheck } from '#fast-path/fast-path.ts'
import { readSerial } from '#formats/spreadsheet/serial-date.ts'

const BEFORE_TIME = '(?:,?\\s+(?:(?:um|at)\\s+)?|T)'
// No two runs of spaces side by side: on thousands of them, both would be tried at every length.
const TIME_OF_DAY = new RegExp(
  `^${BEFORE_TIME}(?<hour>\\d\\d?)[:.](?<minute>\\d\\d)(?:[:.](?<second>\\d\\d))?(?:[.,]\\d+)?` +
    '(?:\\s*(?:(?<half>[AP])\\.?M\\.?|Uhr|h))?' +
    '(?:\\s*(?<zone>Z|UTC|(?:GMT)?[+-]\\d\\d:?\\d\\d(?: \\([^()]*\\))?))?$',
  'i',
)

/**
 * Numbers of days from 1931 to 2049 are dates that lost their format. Not earlier ones: 10524 is 01-05-24
 * without its first zero.
 */
const FIRST_SERIAL = 11_324
const LAST_SERIAL = 54_788
const NUMBER = /^\d+(?:\.\d+)?$/
const YEAR_MONTH = /^(?<year>\d{4})[/. -](?<month>\d{1,2})$/
const MONTH_YEAR = /^(?<month>\d{1,2})[/. -](?<year>\d{4})$/
const NAME_YEAR = /^(?<name>[a-z\u00c0-\u017f]{3,12})\.?(?:[\s,./-]+|\s+de\s+)(?<year>\d{4})$/i
const YEAR_NAME = /^(?<year>\d{4})[\s,./-]+(?<name>[a-z\u00c0-\u017f]{3,12})\.?$/i
/** In seconds. What another time zone makes of midnight: 23:00, and 22:00 in summer. */
const EVENINGS = [22 * 3600, 23 * 3600]
/** After it, and before midnight, a clock was off. */
const LAST_MINUTE = 23 * 3600 + 59 * 60
/** At the end of the detail of a date in such an evening. */
export const EVENING = ' evening'

function secondsOf({ hour, minute, second = '0', half }: Record<string, string | undefined>): number {
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return hours * 3600 + Number(minute) * 60 + Number(second)
}

/** Of a date with a time: whether its day is open, or what the time proves. */
function withTime(diagnosis: Diagnosis, seconds: number): Diagnosis {
  if (seconds === 0 || (diagnosis.suggestion === null && diagnosis.readings === null)) return diagnosis
  if (seconds > LAST_MINUTE) return unresolved('timeOfDay', 'open')
  return EVENINGS.includes(seconds)
    ? { ...diagnosis, detail: diagnosis.detail + EVENING }
    : { ...diagnosis, proves: diagnosis.proves | Proof.TimeOfDay }
}

/** The detail of dates whose year of two digits may be their first number or their last one. */
export const PLACE = 'place'
/** The oldest year that is no slip of the keyboard. */
const FIRST_YEAR = 1000

const impossible = unresolved('dateImpossible')
const notADate = unresolved('notADate')
const otherNumber = unresolved('notADate', '', Proof.OtherNumber)

/** What is wrong with a value of a date field that is not blank and no placeholder. */
export function dateDiagnoser(
  rule: DateRule,
  check: CellCheck,
  currentYear: number,
): (text: string, fault: CellFault) => Diagnosis {
  const format = parseDateFormat(rule.format)!
  const writer = new DayWriter(format, currentYear)
  const isShortYear = format.parts.includes('yy')
  const reader = new DateReader()

  function yearRead(): number {
    if (!reader.hasShortYear) return reader.year
    return isShortYear || !writer.hasYear
      ? fullYear(reader.year, currentYear)
      : certainYear(reader.year, currentYear)
  }

  /** The date that was just read keeps its digits if it is in the form of the field. */
  function write(year: number, month: number, day: number): string | null {
    const isOwnForm =
      separatorOf(reader.format) === format.separator && reader.format.startsWith('y') !== isYearLast
    return writer.write(year, month, day, !isOwnForm || !/\b[dM]\b/.test(reader.format))
  }

  /** Of the date that was just read. */
  function ofDate(code: CellFault['code'], hasTime: boolean): Diagnosis {
    const { month, day, first, second, format: written } = reader
    const year = yearRead()
    if (year === 0) return ofOpenYear()
    if (year < FIRST_YEAR) return notADate
    const isOwn = code === 'notACalendarDay'
    if (month !== 0) {
      // In the field's own yyyy-dd-MM, with a time after it.
      if (code === 'timeOfDay' && writer.isDayFirst && isDay(year, day, month))
        return corrected('timeOfDay', written, write(year, day, month))
      if (isDay(year, month, day))
        return corrected(hasTime ? 'timeOfDay' : 'dateFormat', written, write(year, month, day))
      if (!written.startsWith('yyyy') || !isDay(year, day, month)) return impossible
      const suggestion = write(year, day, month)
      return isOwn
        ? corrected('dateSwapped', written, suggestion, Proof.SwappedOwn)
        : corrected(hasTime ? 'timeOfDay' : 'dateFormat', swappedFormat(written), suggestion)
    }
    const dayFirst = isDay(year, second, first)
    const monthFirst = isDay(year, first, second)
    const yearFirst = reader.hasShortYear && written.startsWith('dd') ? ofShortYearFirst() : null
    if (!dayFirst && !monthFirst) return yearFirst ?? impossible
    if (yearFirst !== null && first > 12 && !isSurelyLast(written)) {
      if (hasTime) return unresolved('dateShortYear', PLACE)
      return open('dateOrder', yearFirst.detail, null, [write(year, second, first), yearFirst.suggestion], 0)
    }
    const isLast = reader.hasShortYear && (yearFirst === null || isSurelyLast(written))
    const ofYear = isLast ? Proof.YearLast : 0
    const kind = hasTime ? 'timeOfDay' : 'dateOrder'
    if (dayFirst && monthFirst) {
      const one = write(year, second, first)
      if (first === second) return corrected(kind, written, one, ofYear)
      const other = write(year, first, second)
      // With a time of day after it, a date in the field's own format keeps its meaning.
      const own = writer.isDayFirst ? one : other
      const suggestion = code === 'timeOfDay' ? own : null
      return open(kind, written, suggestion, [one, other], ofYear)
    }
    const suggestion = dayFirst ? write(year, second, first) : write(year, first, second)
    const isSwapped = dayFirst !== writer.isDayFirst
    const isOwnForm = isSwapped && !hasTime && separatorOf(written) === format.separator && isYearLast
    const ofOrder = dayFirst ? Proof.DayFirst : Proof.MonthFirst
    const proves = ofOrder | ofYear | (isOwnForm ? Proof.SwappedOwn : 0)
    if (isOwn) return corrected('dateSwapped', written, suggestion, proves)
    const detail = dayFirst ? written : swappedFormat(written)
    return corrected(hasTime ? 'timeOfDay' : 'dateFormat', detail, suggestion, proves)
  }

  /** Of 24-03-30, the 30 is a year that could be 1930 or 2030, or a day. */
  function ofOpenYear(): Diagnosis {
    const { month, format: written } = reader
    const yearFirst = month === 0 && written.startsWith('dd') ? ofShortYearFirst() : null
    if (yearFirst === null || isSurelyLast(written)) return unresolved('dateShortYear', written)
    return open('dateShortYear', yearFirst.detail, null, [null, yearFirst.suggestion], 0)
  }

  /** 24-03-17 as 17 March 2024; null where its first number is no year, or the others are no day. */
  function ofShortYearFirst(): Diagnosis | null {
    const { first, second, year: day, format: written } = reader
    const year = isShortYear ? fullYear(first, currentYear) : certainYear(first, currentYear)
    const separator = separatorOf(written)
    return isDay(year, second, day)
      ? corrected('dateFormat', ['yy', 'MM', 'dd'].join(separator), write(year, second, day), Proof.YearFirst)
      : null
  }

  /** Hardly anyone writes 24.03.17 for 17 March 2024, or 24/03/17 beside dates like 17/03/2024. */
  function isSurelyLast(written: string): boolean {
    const separator = separatorOf(written)
    return separator === '.' || (separator === '/' && !isShortYear)
  }

  const isYearLast = format.parts.length === 3 && format.parts[2].startsWith('y')

  function ofMonth(text: string): Diagnosis | null {
    const named = (NAME_YEAR.exec(text) ?? YEAR_NAME.exec(text))?.groups
    const number = named === undefined ? 0 : monthNamed(named.name)
    if (number > 0)
      return corrected('dateFormat', 'MMM yyyy', writer.write(Number(named!.year), number, 1, true))
    const found = YEAR_MONTH.exec(text) ?? MONTH_YEAR.exec(text)
    if (found === null) return null
    const { year, month } = found.groups!
    if (Number(month) < 1 || Number(month) > 12) return impossible
    const written = found[0].startsWith(year) ? 'yyyy-MM' : 'MM-yyyy'
    return corrected('dateFormat', written, writer.write(Number(year), Number(month), 1, true))
  }

  return function diagnose(text, fault): Diagnosis {
    if (reader.read(text)) {
      if (reader.end === text.length) return ofDate(fault.code, false)
      const time = TIME_OF_DAY.exec(text.slice(reader.end))
      if (time !== null) {
        const seconds = secondsOf(time.groups!)
        // In another zone it may be another day.
        if (time.groups!.zone !== undefined && seconds >= 60) return unresolved('timeOfDay', 'zone')
        return withTime(ofDate(fault.code, true), seconds)
      }
    }
    if (!writer.hasDay) {
      const month = ofMonth(text)
      if (month !== null) return month
    }
    if (NUMBER.test(text)) {
      const serial = Number(text)
      if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return otherNumber
      const { year, month, day, seconds } = readSerial(serial, false)!
      return withTime(corrected('excelSerial', '', writer.write(year, month, day, true)), seconds)
    }
    const plain = withPlainSpaces(text)
    const bare = withoutQuotes(plain)
    if (bare === text) {
      const ended = withoutEndSigns(text)
      const endFault = ended === text ? null : check(ended)
      if (ended === text) return notADate
      return endFault === null ? corrected('punctuation', '', ended) : diagnose(ended, endFault)
    }
    if (check(bare) === null) return corrected(bare === plain ? 'spaces' : 'quotes', '', bare)
    return diagnose(bare, check(bare)!)
  }
}

const ZERO = 0x30
const SEPARATORS = ['/', '.', '-', ' '].map((separator) => separator.charCodeAt(0))
/** Bytes of 3/4/2020 and of 03/04/2020. */
const SHORTEST = 8
const LONGEST = 10

/**
 * Classes of dates of three numbers, the year of four digits first or last: by their form, and by the days
 * that their numbers can be.
 */
export function dateClassifier({ format }: DateRule): CellClassifier | null {
  // Whether a year can be written with two digits depends on the year.
  if (parseDateFormat(format)!.parts.includes('yy')) return null
  return (code, bytes, from, to) => {
    const size = to - from
    if (size < SHORTEST || size > LONGEST || (code !== 'notADate' && code !== 'notACalendarDay'))
      return NO_CLASS
    const yearAtStart = numberIn(bytes, from, from + 4)
    const isYearFirst = yearAtStart >= 0
    const year = isYearFirst ? yearAtStart : numberIn(bytes, to - 4, to)
    const separatorByte = isYearFirst ? bytes[from + 4] : bytes[to - 5]
    const separator = SEPARATORS.indexOf(separatorByte)
    const start = isYearFirst ? from + 5 : from
    const end = isYearFirst ? to : to - 5
    const middle = bytes[start + 1] === separatorByte ? start + 1 : start + 2
    const first = numberIn(bytes, start, middle)
    const second = end - middle > 3 ? -1 : numberIn(bytes, middle + 1, end)
    if (bytes[middle] !== separatorByte || separator < 0 || year < FIRST_YEAR || first < 0 || second < 0)
      return NO_CLASS
    const isDayFirst = isDay(year, second, first)
    const isMonthFirst = isDay(year, first, second)
    const isSame = first === second
    const form = (separator << 2) | (size === LONGEST ? 2 : 0) | (isYearFirst ? 1 : 0)
    const days = (isSame ? 4 : 0) | (isDayFirst ? 2 : 0) | (isMonthFirst ? 1 : 0)
    // Four bits of form, three of days and one of the fault, which form and days leave open: for dd/M/yyyy,
    // 45/3/2020 is in no calendar, and 3/45/2020 is no date.
    return FIRST_CLASS + ((form << 4) | (days << 1) | (code === 'notADate' ? 1 : 0))
  }
}

/** The number of the digits in `[from, to)`; -1 where there are none, or where not all are digits. */
function numberIn(bytes: Uint8Array, from: number, to: number): number {
  let value = from < to ? 0 : -1
  for (let at = from; at < to; at++) {
    const digit = bytes[at] - ZERO
    if (digit >>> 0 > 9) return -1
    value = value * 10 + digit
  }
  return value
}

export const separatorOf = (written: string): string => /[^dMy]/.exec(written)?.[0] ?? ''

/** 'dd/MM/yyyy' ↔ 'MM/dd/yyyy'. */
export const swappedFormat = (written: string): string =>
  written.replace(/d+|M+/g, (unit) => (unit[0] === 'd' ? 'M' : 'd').repeat(unit.length))
