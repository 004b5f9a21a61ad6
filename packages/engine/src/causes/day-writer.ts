import type { DateFormat } from '@veridict/contract/notation/date-format'
import { fullYear, YEARS_AHEAD } from '#calendar.ts'

const TWO_DIGITS = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0'))

/**
 * Writes days in one format, as `writeDate` does, for every bad date of a file. `hasYear` and so on: whether
 * the format has that part.
 */
export class DayWriter {
  readonly hasYear: boolean
  readonly hasDay: boolean
  readonly isDayFirst: boolean
  readonly #parts: readonly string[]
  readonly #separator: string
  readonly #hasShortYear: boolean
  readonly #currentYear: number

  constructor({ parts, separator }: DateFormat, currentYear: number) {
    const place = (unit: string) => parts.findIndex((part) => part.startsWith(unit))
    this.hasYear = place('y') >= 0
    this.hasDay = place('d') >= 0
    this.isDayFirst = place('d') < place('M')
    this.#parts = parts
    this.#separator = separator
    this.#hasShortYear = parts.includes('yy')
    this.#currentYear = currentYear
  }

  /**
   * null where two digits would mean another year. `d` and `M` get two digits if `isPadded`: they take both,
   * and the %d and %m of other programs are written with two.
   */
  write(year: number, month: number, day: number, isPadded: boolean): string | null {
    if (!this.#hasShortYear)
      return this.#joined(year < 1000 ? String(year).padStart(4, '0') : String(year), month, day, isPadded)
    return fullYear(year % 100, this.#currentYear) === year
      ? this.#joined(TWO_DIGITS[year % 100], month, day, isPadded)
      : null
  }

  #joined(year: string, month: number, day: number, isPadded: boolean): string {
    let text = ''
    for (let index = 0; index < this.#parts.length; index++) {
      const part = this.#parts[index]
      const unit = part.charCodeAt(0)
      const value = unit === YEAR ? 0 : unit === MONTH ? month : day
      const written = unit === YEAR ? year : isPadded || part.length === 2 ? TWO_DIGITS[value] : String(value)
      text = index === 0 ? written : text + this.#separator + written
    }
    return text
  }
}

const YEAR = 0x79
const MONTH = 0x4d

/**
 * The year that two digits surely mean; 0 where that is open. Up to today's year it is one of the 2000s; from
 * 20 years ahead on it is one of the 1900s.
 */
export function certainYear(digits: number, currentYear: number): number {
  if (2000 + digits <= currentYear) return 2000 + digits
  return 2000 + digits > currentYear + YEARS_AHEAD ? 1900 + digits : 0
}
