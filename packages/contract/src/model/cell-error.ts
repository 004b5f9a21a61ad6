import type kinds from '#messages/cell-error-kinds.json'

/** What a check found wrong with a cell. `code` is stable, for tests and counts. */
export type CellFault = {
  code: CellFaultCode
  /** What is wrong, a sentence. */
  error: string
  /** What would be right, a sentence with an example. */
  expected: string
}

export type CellFaultCode = keyof typeof kinds

/** A fault with its place and value, as people read it. The names are those of the wire. */
export type CellError = {
  /** Letters as a spreadsheet shows them: A, Z, AA. */
  columnPosition: string
  /** The field's name. */
  label: string
  error: string
  /** The cell's text as in the file, cut at `errorScreenLimits.maxValueLength`. */
  value: string
  expected: string
  /** The `id` of the cause it belongs to (`model/cause`). */
  cause: string
  /** The value that would be right; null if none is nearly certain. '' is a suggestion: an empty cell. */
  suggestion: string | null
  /** The name of the rule between cells that it breaks. Absent, like `columns`, for an error of the cell. */
  rule?: string
  /** The letters of all cells that the rule's condition and this test name, in the order of the file. */
  columns?: string[]
}

/** The value of a field that identifies the row; cut like the value of a cell error. */
export type RowKeyPart = { label: string; value: string }

export type RowReport = {
  /** As a spreadsheet shows it: the header is 1, the first record 2. */
  rowNumber: number
  /** The texts of the fields that identify the row, in the order of the fields. */
  key: RowKeyPart[]
  totalCount: number
  columnValidationErrors: CellError[]
}

/** An error with the members that replies and JSON always have. */
export const jsonError = <E extends Pick<CellError, 'rule' | 'columns'>>({ rule, columns, ...error }: E) => ({
  ...error,
  rule: rule ?? null,
  columns: columns ?? [],
})

/** A row with the members that replies and JSON always have. */
export const jsonRow = ({ columnValidationErrors, ...row }: RowReport) => ({
  ...row,
  columnValidationErrors: columnValidationErrors.map(jsonError),
})
