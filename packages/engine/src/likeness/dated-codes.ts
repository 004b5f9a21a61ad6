import { monthNamed } from '#likeness/month-names.ts'

/** What a spreadsheet may read in a code: 2-6 is 6 February or 2 June, 10-15 is October 2015. */
type Reading = { readonly code: string; readonly month: number; readonly dayOrYear: number }

const NAME = '(?<name>[a-z\u00c0-\u017f]{3,12})'
const TWO_NUMBERS = /^(?<first>\d{1,2}|\d{4}) ?[-/.] ?(?<second>\d{1,2}|\d{4})$/
const NAME_FIRST = new RegExp(`^${NAME}[-/. ]?(?<number>\\d{1,2}|\\d{4})$`, 'i')
const NAME_LAST = new RegExp(`^(?<number>\\d{1,2})[-/. ]?${NAME}$`, 'i')

/** 9-Sep, 09. Sept., 9-Sep-24. */
const DAY_MONTH = new RegExp(`^(?<day>\\d{1,2})(?:[-/ ]|\\. ?)${NAME}\\.?(?:[-/ ](?<year>\\d{2,4}))?$`, 'i')
/** Sep-24. */
const MONTH_YEAR = new RegExp(`^${NAME}(?:[-/ ]|\\. ?)(?<year>\\d{1,2}|\\d{4})$`, 'i')
/** A true date of a workbook. */
const DAY = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})(?:[ T]00:00:00)?$/
const NUMBERS = /^(?<first>\d{1,2})([/.-])(?<second>\d{1,2})\2(?<year>\d{4})$/

const isMonth = (number: number): boolean => number >= 1 && number <= 12
const isSameYear = (number: number, year: number): boolean => number > 12 && number % 100 === year % 100

function readingsOf(code: string): Reading[] {
  const numbers = TWO_NUMBERS.exec(code)?.groups
  const [first, second] = [Number(numbers?.first), Number(numbers?.second)]
  const named = (NAME_FIRST.exec(code) ?? NAME_LAST.exec(code))?.groups
  const month = named === undefined ? 0 : monthNamed(named.name)
  return [
    { code, month: first, dayOrYear: second },
    { code, month: second, dayOrYear: first },
    { code, month, dayOrYear: Number(named?.number) },
  ].filter((reading) => isMonth(reading.month) && reading.dayOrYear > 0)
}

/** The days that a text can be; a day is 1 where the text has only month and year. */
function daysOf(text: string): { month: number; day: number; year: number }[] {
  const named = (DAY_MONTH.exec(text) ?? MONTH_YEAR.exec(text))?.groups
  if (named !== undefined) {
    const year = Number(named.year ?? 0)
    const days = named.day === undefined ? [1, year] : [Number(named.day)]
    return days.map((day) => ({ month: monthNamed(named.name), day, year }))
  }
  const { year, month, day } = DAY.exec(text)?.groups ?? {}
  const numbers = NUMBERS.exec(text)?.groups
  const [first, second] = [Number(numbers?.first), Number(numbers?.second)]
  return [
    { month: Number(month), day: Number(day), year: Number(year) },
    { month: first, day: second, year: Number(numbers?.year) },
    { month: second, day: first, year: Number(numbers?.year) },
  ]
}

/**
 * For codes that a spreadsheet may take for dates: ranges such as 5-10, ratios such as 2/3, names such as
 * SEPT9. The function returns the codes that a date may have been; null for a text that is no date.
 */
export function datedCodes(codes: readonly string[]): (text: string) => string[] | null {
  const readings = codes.flatMap((code) => (/\d/.test(code) ? readingsOf(code) : []))
  return (text) => {
    const days = readings.length === 0 ? [] : daysOf(text).filter(({ month }) => isMonth(month))
    if (days.length === 0) return null
    const fits = ({ month, dayOrYear }: Reading) =>
      days.some(
        (date) =>
          date.month === month &&
          (date.day === dayOrYear || (date.day === 1 && isSameYear(dayOrYear, date.year))),
      )
    return [...new Set(readings.filter(fits).map(({ code }) => code))]
  }
}
