/** The days of each month, by its number (1 to 12), in a year that is no leap year. */
export const DAYS_IN_MONTH = Uint8Array.of(0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)

/** Whether the day exists in the Gregorian calendar. */
export function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  const isLeapYear = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return day <= DAYS_IN_MONTH[month] || (month === 2 && day === 29 && isLeapYear)
}

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

/** The reverse (Hinnant, "chrono-compatible low-level date algorithms"). */
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

/** Years that a two-digit year may lie ahead of today's; beyond, it is one of the 1900s. */
export const YEARS_AHEAD = 20

/**
 * One of the 2000s up to 20 years ahead of today, else of the 1900s. A file has the same verdict in any year:
 * 1900 + n and 2000 + n have the same days, except for n = 0, which always means 2000.
 */
export const fullYear = (digits: number, currentYear: number): number =>
  (2000 + digits <= currentYear + YEARS_AHEAD ? 2000 : 1900) + digits

/** One of the 2000s up to today's year, of the 1900s if it were over 20 years ahead; else open: 0. */
export function certainYear(digits: number, currentYear: number): number {
  if (2000 + digits <= currentYear) return 2000 + digits
  return 2000 + digits > currentYear + YEARS_AHEAD ? 1900 + digits : 0
}
