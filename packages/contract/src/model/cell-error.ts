/**
 * Why a cell is refused. `code` is stable, for tests, counts and translations; the sentences are for people.
 */
export type CellFault = {
  code: CellFaultCode
  /** What is wrong, a sentence. */
  error: string
  /** What would be right, a sentence with an example. */
  expected: string
}

export const cellFaultCodes = [
  'required',
  'textTooShort',
  'textTooLong',
  'notANumber',
  'decimalComma',
  'tooManyDecimals',
  'numberTooSmall',
  'numberTooLarge',
  'notADate',
  'notACalendarDay',
  'timeOfDay',
  'patternMismatch',
  'notInList',
  'errorCell',
  'missingCell',
  'extraCell',
] as const
export type CellFaultCode = (typeof cellFaultCodes)[number]

/** A refused cell as people read it. The names are those of the wire (spec §3). */
export type CellError = {
  /** Letters as a spreadsheet shows them: A, Z, AA. */
  columnPosition: string
  /** The field's name. */
  label: string
  error: string
  /** The cell's text as in the file, cut at `errorScreenLimits.maxValueLength`. */
  value: string
  expected: string
}

/** A row with errors. `rowNumber` as a spreadsheet shows it: the header is 1, the first record 2. */
export type RowReport = { rowNumber: number; totalCount: number; columnValidationErrors: CellError[] }
