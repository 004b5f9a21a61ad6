import type { CellFault } from '@veridict/contract/model/cell-error'
import type { DateRule } from '@veridict/contract/model/rule'
import { type DateFormat, parseDateFormat, writeDate } from '@veridict/contract/notation/date-format'
import { certainYear, fullYear, isDay } from '#calendar.ts'
import { withoutEndSigns, withoutQuotes, withPlainSpaces } from '#likeness/clean-text.ts'
import { WrittenDate } from '#causes/written-date.ts'
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

/** Numbers of days in 1931 to 2049 are dates without their format. Not earlier: 10524 may be 01-05-24. */
const FIRST_SERIAL = 11_324
const LAST_SERIAL = 54_788
const NUMBER = /^\d+(?:\.\d+)?$/
/** Month and year, by numbers or by the name of the month. */
const MONTHS = [
  /^(?<name>[a-z\u00c0-\u017f]{3,12})\.?(?:[\s,./-]+|\s+de\s+)(?<year>\d{4})$/i,
  /^(?<year>\d{4})[\s,./-]+(?<name>[a-z\u00c0-\u017f]{3,12})\.?$/i,
  /^(?<year>\d{4})[/. -](?<month>\d{1,2})$/,
  /^(?<month>\d{1,2})[/. -](?<year>\d{4})$/,
]
/** In seconds. What another time zone makes of midnight: 23:00, and 22:00 in summer. */
const EVENINGS = [22 * 3600, 23 * 3600]
/** After it, and before midnight, a clock was off. */
const LAST_MINUTE = 23 * 3600 + 59 * 60

function secondsOf({ hour, minute, second = '0', half }: Record<string, string | undefined>): number {
  const hours =
    half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
  return hours * 3600 + Number(minute) * 60 + Number(second)
}

/** A date with a time of day, after which the next day may be meant. */
function withTime(diagnosis: Diagnosis, seconds: number): Diagnosis {
  if (diagnosis.suggestion === null && diagnosis.readings === null) return diagnosis
  return seconds > LAST_MINUTE || EVENINGS.includes(seconds) ? unresolved('timeOfDay', 'open') : diagnosis
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
  const dates = new DateReadings(parseDateFormat(rule.format)!, currentYear)
  return function diagnose(text, { code }): Diagnosis {
    const found = dates.diagnoseDate(text, code) ?? dates.diagnoseMonth(text) ?? dates.diagnoseSerial(text)
    if (found !== null) return found
    const plain = withPlainSpaces(text)
    const bare = withoutQuotes(plain)
    const inner = bare === text ? withoutEndSigns(text) : bare
    if (inner === text) return notADate
    const fault = check(inner)
    if (fault !== null) return diagnose(inner, fault)
    return corrected(bare === text ? 'punctuation' : bare === plain ? 'spaces' : 'quotes', '', inner)
  }
}

type FaultCode = CellFault['code']

/** What dates of one field mean, as people and programs write them. */
class DateReadings {
  readonly #date = new WrittenDate()
  readonly #format: DateFormat
  /** `d` and `M` as they are written with two digits. */
  readonly #padded: DateFormat
  readonly #isShortYear: boolean
  readonly #isYearLast: boolean
  readonly #isDayFirst: boolean
  readonly #currentYear: number

  constructor(format: DateFormat, currentYear: number) {
    const { parts } = format
    const place = (unit: string) => parts.findIndex((part) => part.startsWith(unit))
    const inTwo = { d: 'dd', M: 'MM' } as const
    this.#format = format
    this.#padded = { ...format, parts: parts.map((part) => (part in inTwo ? inTwo[part as 'd'] : part)) }
    this.#isShortYear = parts.includes('yy')
    this.#isYearLast = place('y') === 2
    this.#isDayFirst = place('d') < place('M')
    this.#currentYear = currentYear
  }

  /** A date, also with a time of day after it; null for another text. */
  diagnoseDate(text: string, code: FaultCode): Diagnosis | null {
    const date = this.#date
    if (!date.read(text)) return null
    if (date.end === text.length) return this.#diagnoseWritten(code, false)
    const time = TIME_OF_DAY.exec(text.slice(date.end))?.groups
    if (time === undefined) return null
    const seconds = secondsOf(time)
    // In another zone it may be another day.
    if (time.zone !== undefined && seconds >= 60) return unresolved('timeOfDay', 'zone')
    return withTime(this.#diagnoseWritten(code, true), seconds)
  }

  /** A month, where the field has no day. */
  diagnoseMonth(text: string): Diagnosis | null {
    const found = this.#has('d') ? undefined : MONTHS.find((form) => form.test(text))?.exec(text)!.groups
    if (found === undefined) return null
    const month = found.name === undefined ? Number(found.month) : monthNamed(found.name)
    if (month < 1 || month > 12) return found.name === undefined ? impossible : null
    const ofNumbers = text.startsWith(found.year) ? 'yyyy-MM' : 'MM-yyyy'
    const written = this.#write(Number(found.year), month, 1)
    return corrected('dateFormat', found.name === undefined ? ofNumbers : 'MMM yyyy', written)
  }

  /** The number of a day, as a spreadsheet keeps dates. */
  diagnoseSerial(text: string): Diagnosis | null {
    if (!NUMBER.test(text)) return null
    const serial = Number(text)
    if (serial < FIRST_SERIAL || serial > LAST_SERIAL) return otherNumber
    const { year, month, day, seconds } = readSerial(serial, false)!
    return withTime(corrected('excelSerial', '', this.#write(year, month, day)), seconds)
  }

  #diagnoseWritten(code: FaultCode, hasTime: boolean): Diagnosis {
    const year = this.#yearRead()
    if (year === 0 && this.#date.hasShortYear) return this.#diagnoseOpenYear()
    if (year < FIRST_YEAR) return notADate
    return this.#date.month === 0
      ? this.#diagnoseOpenOrder(year, code, hasTime)
      : this.#diagnoseKnownOrder(year, code, hasTime)
  }

  #yearRead(): number {
    const { year, hasShortYear } = this.#date
    if (!hasShortYear) return year
    const isAsField = this.#isShortYear || !this.#has('y')
    return isAsField ? fullYear(year, this.#currentYear) : certainYear(year, this.#currentYear)
  }

  #has(unit: string): boolean {
    return this.#format.parts.some((part) => part.startsWith(unit))
  }

  /** null if two digits would mean another year. Days and months get two digits, unless read with fewer. */
  #write(year: number, month: number, day: number, written = ''): string | null {
    const isOwnForm =
      separatorOf(written) === this.#format.separator && written.startsWith('y') !== this.#isYearLast
    const format = isOwnForm && /\b[dM]\b/.test(written) ? this.#format : this.#padded
    if (this.#isShortYear && fullYear(year % 100, this.#currentYear) !== year) return null
    return writeDate(format, year, month, day)
  }

  #diagnoseKnownOrder(year: number, code: FaultCode, hasTime: boolean): Diagnosis {
    const { month, day, format: written } = this.#date
    const kind = hasTime ? 'timeOfDay' : 'dateFormat'
    const isSwappable = isDay(year, day, month)
    // In the field's own yyyy-dd-MM, with a time after it.
    const isOwnOrder = code === 'timeOfDay' && this.#isDayFirst && isSwappable
    if (isOwnOrder) return corrected(kind, written, this.#write(year, day, month, written))
    if (isDay(year, month, day)) return corrected(kind, written, this.#write(year, month, day, written))
    if (!written.startsWith('yyyy') || !isSwappable) return impossible
    const suggestion = this.#write(year, day, month, written)
    return code === 'notACalendarDay'
      ? corrected('dateSwapped', written, suggestion, Proof.SwappedOwn)
      : corrected(kind, swappedFormat(written), suggestion)
  }

  #diagnoseOpenOrder(year: number, code: FaultCode, hasTime: boolean): Diagnosis {
    const { first, second, hasShortYear, format: written } = this.#date
    const dayFirst = isDay(year, second, first) ? this.#write(year, second, first, written) : undefined
    const monthFirst = isDay(year, first, second) ? this.#write(year, first, second, written) : undefined
    const yearFirst = hasShortYear ? this.#readYearFirst() : null
    if (dayFirst === undefined && monthFirst === undefined) return yearFirst ?? impossible
    if (yearFirst !== null && first > 12 && !this.#isSurelyLast()) {
      if (hasTime) return unresolved('dateShortYear', PLACE)
      return open('dateOrder', yearFirst.detail, null, [dayFirst ?? null, yearFirst.suggestion], 0)
    }
    const isLast = hasShortYear && (yearFirst === null || this.#isSurelyLast())
    const ofYear = isLast ? Proof.YearLast : 0
    if (dayFirst !== undefined && monthFirst !== undefined) {
      const kind = hasTime ? 'timeOfDay' : 'dateOrder'
      if (first === second) return corrected(kind, written, dayFirst, ofYear)
      // With a time of day after it, a date in the field's own format keeps its meaning.
      const own = this.#isDayFirst ? dayFirst : monthFirst
      return open(kind, written, code === 'timeOfDay' ? own : null, [dayFirst, monthFirst], ofYear)
    }
    const isDayFirst = dayFirst !== undefined
    const suggestion = (isDayFirst ? dayFirst : monthFirst) ?? null
    const isOwnForm =
      !hasTime &&
      isDayFirst !== this.#isDayFirst &&
      separatorOf(written) === this.#format.separator &&
      this.#isYearLast
    const ofOrder = isDayFirst ? Proof.DayFirst : Proof.MonthFirst
    const proves = ofOrder | ofYear | (isOwnForm ? Proof.SwappedOwn : 0)
    if (code === 'notACalendarDay') return corrected('dateSwapped', written, suggestion, proves)
    const detail = isDayFirst ? written : swappedFormat(written)
    return corrected(hasTime ? 'timeOfDay' : 'dateFormat', detail, suggestion, proves)
  }

  /** Of 24-03-30, the 30 is a year that could be 1930 or 2030, or a day. */
  #diagnoseOpenYear(): Diagnosis {
    const yearFirst = this.#readYearFirst()
    return yearFirst === null || this.#isSurelyLast()
      ? unresolved('dateShortYear', this.#date.format)
      : open('dateShortYear', yearFirst.detail, null, [null, yearFirst.suggestion], 0)
  }

  /** 24-03-17 as 17 March 2024; null where its first number is no year, or the others are no day. */
  #readYearFirst(): Diagnosis | null {
    const { month, first, second, year: day, format: written } = this.#date
    if (month !== 0 || !written.startsWith('dd')) return null
    const year = (this.#isShortYear ? fullYear : certainYear)(first, this.#currentYear)
    const format = ['yy', 'MM', 'dd'].join(separatorOf(written))
    return isDay(year, second, day)
      ? corrected('dateFormat', format, this.#write(year, second, day, written), Proof.YearFirst)
      : null
  }

  /** Hardly anyone writes 24.03.17 for 17 March 2024, or 24/03/17 beside dates like 17/03/2024. */
  #isSurelyLast(): boolean {
    const separator = separatorOf(this.#date.format)
    return separator === '.' || (separator === '/' && !this.#isShortYear)
  }
}

export const separatorOf = (written: string): string => /[^dMy]/.exec(written)?.[0] ?? ''

/** 'dd/MM/yyyy' ↔ 'MM/dd/yyyy'. */
export const swappedFormat = (written: string): string =>
  written.replace(/d+|M+/g, (unit) => (unit[0] === 'd' ? 'M' : 'd').repeat(unit.length))
