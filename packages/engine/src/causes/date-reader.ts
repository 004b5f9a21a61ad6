import { monthNamed, WEEKDAY } from '#likeness/month-names.ts'

/** A date as people write it. `month` is 0 where `first` and `second` are day and month in unknown order. */
export type WrittenDate = {
  /** 0 where the date has none. Two digits as they are, with `hasShortYear`. */
  year: number
  month: number
  day: number
  first: number
  second: number
  hasShortYear: boolean
  /** The day first where the order is open. */
  format: string
  /** Where the date ends. */
  end: number
}

const SEPARATORS = '/.- _,\\'

const isDigit = (code: number): boolean => (code - 0x30) >>> 0 <= 9

/**
 * Reads the date that a text begins with. One object for all cells, so that it allocates only the name of the
 * format: the fields are those of the date read last.
 */
export class DateReader implements WrittenDate {
  year = 0
  month = 0
  day = 0
  first = 0
  second = 0
  hasShortYear = false
  format = ''
  end = 0
  readonly #values = [0, 0, 0]
  readonly #lengths = [0, 0, 0]

  /** Whether the text begins with a date, which need not exist in the calendar. */
  read(text: string): boolean {
    this.year = this.month = this.day = this.first = this.second = 0
    this.hasShortYear = false
    return isDigit(text.charCodeAt(0))
      ? this.#readNumbers(text) || this.#readNamed(text)
      : this.#readNamed(text)
  }

  #readNumbers(text: string): boolean {
    let at = 0
    let separator = ''
    for (let index = 0; index < 3; index++) {
      if (index > 0) {
        const next = text[at]
        if (next === undefined || !SEPARATORS.includes(next)) return this.#readCompact(text, at, index)
        if (index === 1) separator = next
        else if (next !== separator) return false
        at++
        // 31. 12. 2024
        if (separator === '.' && text[at] === ' ') at++
      }
      const start = at
      let value = 0
      for (; at < text.length && at < start + 9; at++) {
        const digit = text.charCodeAt(at) - 0x30
        if (digit >>> 0 > 9) break
        value = value * 10 + digit
      }
      if (at === start) return false
      this.#values[index] = value
      this.#lengths[index] = at - start
    }
    this.end = at
    return this.#place(separator)
  }

  #place(separator: string): boolean {
    const [a, b, c] = this.#values
    const [aLength, bLength, cLength] = this.#lengths
    if (bLength > 2) return false
    if (aLength === 4 && cLength <= 2) {
      this.year = a
      this.month = b
      this.day = c
      this.format = formatsOf(separator).yearFirst[bLength === 2 && cLength === 2 ? 1 : 0]
      return true
    }
    if (aLength > 2 || (cLength !== 4 && cLength !== 2)) return false
    this.first = a
    this.second = b
    this.year = c
    this.hasShortYear = cLength === 2
    const isPadded = aLength === 2 && bLength === 2
    const { yearLast, shortYearLast } = formatsOf(separator)
    this.format = (cLength === 4 ? yearLast : shortYearLast)[isPadded ? 1 : 0]
    return true
  }

  /** Eight digits: 20241231, 31122024. */
  #readCompact(text: string, at: number, parts: number): boolean {
    if (parts !== 1 || this.#lengths[0] !== 8) return false
    const value = this.#values[0]
    this.end = at
    const year = Math.floor(value / 10_000)
    if (isLikelyYear(year)) {
      this.year = year
      this.month = Math.floor(value / 100) % 100
      this.day = value % 100
      this.format = 'yyyyMMdd'
      return true
    }
    if (!isLikelyYear(value % 10_000)) return false
    this.year = value % 10_000
    this.first = Math.floor(value / 1_000_000)
    this.second = Math.floor(value / 10_000) % 100
    this.format = 'ddMMyyyy'
    return text.length >= at
  }

  /** With the name of a month: 3 Dec 2024, December 3rd, 2024, 2024-Dec-03, 3. März 2024. */
  #readNamed(text: string): boolean {
    const dayFirst = DAY_NAME_YEAR.exec(text)
    const monthFirst = dayFirst ?? NAME_DAY_YEAR.exec(text)
    const match = monthFirst ?? YEAR_NAME_DAY.exec(text)
    if (match === null) return false
    const { day, name } = match.groups!
    const year = match.groups!.year.replace("'", '')
    const month = monthNamed(name)
    if (month === 0) return false
    this.month = month
    this.day = Number(day)
    this.year = Number(year)
    this.hasShortYear = year.length === 2
    this.end = match[0].length
    const yearFormat = this.hasShortYear ? 'yy' : 'yyyy'
    // June may be shortened as well: `loose` decides by the other dates.
    const monthFormat = name.length > LONGEST_SHORT_NAME ? 'MMMM' : 'MMM'
    if (dayFirst !== null) this.format = `d ${monthFormat} ${yearFormat}`
    else if (monthFirst !== null) this.format = `${monthFormat} d, ${yearFormat}`
    else this.format = `${yearFormat} ${monthFormat} d`
    return true
  }
}

/** With short days and months, and with two digits. Made once: most bad dates have one of few formats. */
type Formats = { yearFirst: string[]; yearLast: string[]; shortYearLast: string[] }
const formats = new Map<string, Formats>()

function formatsOf(separator: string): Formats {
  let known = formats.get(separator)
  if (known === undefined) {
    const joined = (...parts: string[]) => parts.join(separator)
    known = {
      yearFirst: [joined('yyyy', 'M', 'd'), joined('yyyy', 'MM', 'dd')],
      yearLast: [joined('d', 'M', 'yyyy'), joined('dd', 'MM', 'yyyy')],
      shortYearLast: [joined('d', 'M', 'yy'), joined('dd', 'MM', 'yy')],
    }
    formats.set(separator, known)
  }
  return known
}

const isLikelyYear = (year: number): boolean => year >= 1900 && year < 2100

/** June, Juli, Sept, März. */
const LONGEST_SHORT_NAME = 4
const DAY_OF_WEEK = `(?:${WEEKDAY}\\.?,?\\s+)?`
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|[º°])?'
const NAME = '(?<name>[a-z\u00c0-\u017f]{3,12})\\.?'
const OF = '(?:(?:of|de|di)\\s+)?'
const YEAR = "(?<year>\\d{4}|'?\\d{2})(?!\\d)"
const DAY_NAME_YEAR = new RegExp(`^${DAY_OF_WEEK}${DAY}[\\s./-]*${OF}${NAME}[\\s,./-]*${OF}${YEAR}`, 'i')
const NAME_DAY_YEAR = new RegExp(`^${DAY_OF_WEEK}${NAME}[\\s./-]*${DAY}(?:\\s*,\\s*|[\\s/-]+)${YEAR}`, 'i')
const YEAR_NAME_DAY = new RegExp(`^(?<year>\\d{4})[\\s,./-]*${NAME}[\\s./-]*${DAY}(?!\\d)`, 'i')
