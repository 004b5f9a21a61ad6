import { monthNamed, WEEKDAY } from '#likeness/month-names.ts'

const SEPARATOR = '[/.\\- _,\\\\]'
/** 31. 12. 2024 has spaces after its points. */
const NUMBERS = new RegExp(
  `^(\\d{1,2}|\\d{4})(${SEPARATOR})(?:(?<=\\.) )?(\\d{1,2})\\2(?:(?<=\\.) )?(\\d\\d?|\\d{4})(?!\\d)`,
)
/** Eight digits: 20241231, 31122024. */
const COMPACT = new RegExp(`^\\d{8}(?!\\d|${SEPARATOR})`)

/** June, Juli, Sept, März. */
const LONGEST_SHORT_NAME = 4
const DAY_OF_WEEK = `(?:${WEEKDAY}\\.?,?\\s+)?`
const DAY = '(?<day>\\d{1,2})(?:st|nd|rd|th|er|[º°])?'
const NAME = '(?<name>[a-z\u00c0-\u017f]{3,12})\\.?'
const OF = '(?:(?:of|de|di)\\s+)?'
const YEAR = "'?(?<year>(?<!')\\d{4}|\\d{2})(?!\\d)"
/** With the name of a month: 3 Dec 2024, December 3rd, 2024, 2024-Dec-03, 3. März 2024. */
const NAMED: readonly { form: RegExp; format: (month: string, year: string) => string }[] = [
  {
    form: new RegExp(`^${DAY_OF_WEEK}${DAY}[\\s./-]*${OF}${NAME}[\\s,./-]*${OF}${YEAR}`, 'i'),
    format: (month, year) => `d ${month} ${year}`,
  },
  {
    form: new RegExp(`^${DAY_OF_WEEK}${NAME}[\\s./-]*${DAY}(?:\\s*,\\s*|[\\s/-]+)${YEAR}`, 'i'),
    format: (month, year) => `${month} d, ${year}`,
  },
  {
    form: new RegExp(`^(?<year>\\d{4})[\\s,./-]*${NAME}[\\s./-]*${DAY}(?!\\d)`, 'i'),
    format: (month, year) => `${year} ${month} d`,
  },
]

/** The date that a text begins with, as people write it. One object for all cells has the date read last. */
export class WrittenDate {
  /** Two digits as they are, with `hasShortYear`. */
  year = 0
  /** 0 where `first` and `second` are day and month in unknown order. */
  month = 0
  day = 0
  first = 0
  second = 0
  hasShortYear = false
  /** The day first where the order is open. */
  format = ''
  /** Where the date ends. */
  end = 0

  /** Whether the text begins with a date, which need not exist in the calendar. */
  read(text: string): boolean {
    this.year = this.month = this.day = this.first = this.second = 0
    this.hasShortYear = false
    return this.#readNumbers(text) || this.#readCompact(text) || this.#readNamed(text)
  }

  #readNumbers(text: string): boolean {
    const found = NUMBERS.exec(text)
    if (found === null) return false
    const { 1: a, 2: separator, 3: b, 4: c } = found
    const isYearFirst = a.length === 4
    if (isYearFirst ? c.length === 4 : c.length === 1) return false
    const isPadded = b.length === 2 && (isYearFirst ? c : a).length === 2
    const day = isPadded ? 'dd' : 'd'
    const month = isPadded ? 'MM' : 'M'
    this.end = found[0].length
    if (isYearFirst) {
      this.year = Number(a)
      this.month = Number(b)
      this.day = Number(c)
      this.format = `yyyy${separator}${month}${separator}${day}`
    } else {
      this.first = Number(a)
      this.second = Number(b)
      this.year = Number(c)
      this.hasShortYear = c.length === 2
      this.format = `${day}${separator}${month}${separator}${this.hasShortYear ? 'yy' : 'yyyy'}`
    }
    return true
  }

  #readCompact(text: string): boolean {
    const digits = COMPACT.exec(text)?.[0]
    if (digits === undefined) return false
    const parts = (...at: number[]) => at.map((from, index) => Number(digits.slice(from, at[index + 1])))
    this.end = digits.length
    const [year, month, day] = parts(0, 4, 6)
    const [first, second, lastYear] = parts(0, 2, 4)
    if (isLikelyYear(year)) Object.assign(this, { year, month, day, format: 'yyyyMMdd' })
    else if (isLikelyYear(lastYear))
      Object.assign(this, { first, second, year: lastYear, format: 'ddMMyyyy' })
    else return false
    return true
  }

  #readNamed(text: string): boolean {
    const found = NAMED.find(({ form }) => form.test(text))
    if (found === undefined) return false
    const [{ length }, { day, name, year }] = [found.form.exec(text)![0], found.form.exec(text)!.groups!]
    this.month = monthNamed(name)
    this.day = Number(day)
    this.year = Number(year)
    this.hasShortYear = year.length === 2
    this.end = length
    // June may be shortened as well: `widerFormat` decides by the other dates.
    const month = name.length > LONGEST_SHORT_NAME ? 'MMMM' : 'MMM'
    this.format = found.format(month, this.hasShortYear ? 'yy' : 'yyyy')
    return this.month > 0
  }
}

const isLikelyYear = (year: number): boolean => year >= 1900 && year < 2100
