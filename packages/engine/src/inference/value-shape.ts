import type { CellCheck } from '#fast-path/fast-path.ts'
import { compileNumber } from '#rules/number.ts'

/** Only numbers and dates have a type; the other shapes explain why a column stays a text. */
export type ValueShape = 'number' | 'decimalComma' | 'date' | 'quantity' | 'text'

const NUMBER: CellCheck = compileNumber({ type: 'number' }).check
const HAS_DIGIT = /\d/
/** Other codes of three letters are more likely the start of an identifier. */
const CURRENCY = '(?:\\p{Sc}|EUR|USD|GBP|CHF|JPY|CNY|INR|CAD|AUD|SEK|NOK|DKK|PLN|CZK)'
/** Times of day, dates with one, percentages, and digits with grouping or a currency. */
const QUANTITIES = [
  /^\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s?(?:[AaPp]\.?[Mm]\.?)?$/,
  /^(\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4})(?:T|\s)\s*\d{1,2}:\d{2}/,
  /^[+-]?[\d.,\s]+%$/,
  new RegExp(
    `^[+-]?(?:${CURRENCY}\\s?[+-]?\\d[\\d.,'\\s]*|` +
      `\\d[\\d.,'\\s]*\\s?${CURRENCY}|` +
      `\\d{1,3}(?:[,.'\\s]\\d{3})+(?:[.,]\\d+)?)$`,
    'u',
  ),
]

/** The longest value that could be anything but a text. */
const MAX_LENGTH = 60

/** `text` is trimmed and not blank. Numbers and dates are those that the rules accept. */
export function shapeOf(text: string, isDate: (text: string) => boolean): ValueShape {
  if (text.length > MAX_LENGTH || !HAS_DIGIT.test(text)) return 'text'
  const fault = NUMBER(text)
  if (fault === null) return 'number'
  if (fault.code === 'decimalComma') return 'decimalComma'
  if (isDate(text)) return 'date'
  return QUANTITIES.some((form) => form.test(text)) ? 'quantity' : 'text'
}
