import type { z } from 'zod'
import type * as shapes from '#api/report-shape.ts'
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

type SentRow = z.infer<typeof shapes.rowReport>
type SentError = z.infer<typeof shapes.columnError>
/** A fault with its place and value. `rule` and `columns` are absent for an error of the cell. */
export type CellError = Omit<SentError, 'cause' | 'rule' | 'columns'> & {
  cause: string
  rule?: string
  columns?: string[]
}

/** The value of a field that identifies the row. */
export type RowKeyPart = SentRow['key'][number]

export type RowReport = Omit<SentRow, 'columnValidationErrors'> & { columnValidationErrors: CellError[] }

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
