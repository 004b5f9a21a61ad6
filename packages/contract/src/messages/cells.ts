import kinds from '#messages/cell-error-kinds.json' with { type: 'json' }
import type { CellFaultCode } from '#model/cell-error.ts'
import { type CheckDigitScheme, checkDigitNames } from '#model/rule.ts'
import { counted, writeCount } from '#notation/count.ts'

/** What is wrong with a cell, and what would be right, with an example. See docs/BEHAVIOUR.md#cells. */
export const cellErrors = {
  required: 'This cell must not be empty.',
  textTooShort: (length: number, minimum: number) =>
    `The text has ${counted(length, 'character')}, at least ${writeCount(minimum)} are needed.`,
  textTooLong: (length: number, maximum: number) =>
    `The text has ${counted(length, 'character')}, at most ${writeCount(maximum)} are allowed.`,
  notANumber: 'This is not a number.',
  dateCell: 'The cell of this number has a date or time format.',
  decimalComma: "Use '.' as the decimal separator.",
  tooManyDecimals: (found: number, scale: number) =>
    `The number has ${counted(found, 'decimal')}, at most ${scale} are allowed.`,
  numberTooSmall: (minimum: string) => `The number is below ${minimum}.`,
  numberTooLarge: (maximum: string) => `The number is above ${maximum}.`,
  notADate: (format: string) => `This is not a date in the format ${format}.`,
  notACalendarDay: 'This day does not exist in the calendar.',
  timeOfDay: 'The date carries a time of day.',
  patternMismatch: 'The value does not have the required form.',
  notInList: (nearest: string | null) =>
    nearest === null
      ? 'The value is not in the list.'
      : `The value is not in the list; did you mean "${nearest}"?`,
  emptyValue: (separator: string) => `The cell holds a '${separator}' without a value beside it.`,
  tooFewValues: (count: number, minimum: number) =>
    `The cell holds ${counted(count, 'value')}, at least ${writeCount(minimum)} are needed.`,
  tooManyValues: (count: number, maximum: number) =>
    `The cell holds ${counted(count, 'value')}, at most ${writeCount(maximum)} are allowed.`,
  checkDigit: (scheme: CheckDigitScheme) =>
    `The check digit (${checkDigitNames[scheme]}) does not fit: a character is wrong or missing.`,
  errorCell: (value: string) => `The cell holds the error ${value} instead of a value.`,
  notCalculated:
    'The formula in this cell has no result yet. ' +
    'Open the file in Excel and save it, so that it is calculated.',
  missingCell: 'The row ends before this column.',
  extraCell: (expected: number) =>
    `The row has more cells than the ${counted(expected, 'column')} ` + 'of the header.',
  cellBefore: (first: string) => `The cell stands left of the table, which begins in column ${first}.`,
} as const

/** What is wrong, without the figures and values of a single cell: for counts, summaries and mails. */
export const cellErrorKinds: Readonly<Record<CellFaultCode, string>> = kinds

export const cellExpectations = {
  anyText: 'any text',
  textBetween: (minimum: number, maximum: number) =>
    minimum === maximum
      ? `a text of exactly ${counted(minimum, 'character')}`
      : `a text of ${writeCount(minimum)} to ${counted(maximum, 'character')}`,
  textAtLeast: (minimum: number) => `a text of at least ${counted(minimum, 'character')}`,
  textAtMost: (maximum: number) => `a text of at most ${counted(maximum, 'character')}`,
  number: (
    example: string,
    scale: number | undefined,
    minimum: string | undefined,
    maximum: string | undefined,
  ) => {
    const kind = scale === 0 ? 'a whole number' : 'a number'
    const range =
      minimum !== undefined && maximum !== undefined
        ? ` from ${minimum} to ${maximum}`
        : minimum !== undefined
          ? ` of at least ${minimum}`
          : maximum !== undefined
            ? ` of at most ${maximum}`
            : ''
    const digits = scale === undefined || scale === 0 ? '' : ` with at most ${counted(scale, 'decimal')}`
    return `${kind}${range}${digits}, like ${example}`
  },
  date: (example: string, format: string) => `a date like ${example} (${format})`,
  /** The description says it in words, without the full stop of a sentence. */
  pattern: (description: string, pattern: string) =>
    description === '' ? `a value of the form ${pattern}` : description.replace(/\.\s*$/, ''),
  list: (shown: readonly string[], more: number) =>
    shown.length === 1 && more === 0
      ? `the value ${shown[0]}`
      : `one of ${shown.join(', ')}${more > 0 ? ` and ${writeCount(more)} more` : ''}`,
  severalValues: (list: string, separator: string, minimum: number, maximum: number) => {
    const least = minimum > 1 ? `at least ${counted(minimum, 'value')}` : 'values'
    const most =
      minimum > 1
        ? `${writeCount(minimum)} to ${counted(maximum, 'value')}`
        : `at most ${counted(maximum, 'value')}`
    const bounds = maximum === Infinity ? least : minimum === maximum ? counted(minimum, 'value') : most
    return `${bounds} separated by '${separator}', each ${list}`
  },
  checkDigit: (expected: string, scheme: CheckDigitScheme) =>
    `${expected}, with the check digit of ${checkDigitNames[scheme]}`,
  noCell: 'no cell beyond the last column of the header',
  noCellBefore: (first: string) => `no cell left of column ${first}`,
} as const
