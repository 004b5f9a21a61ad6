import type { RowReport } from '#model/cell-error.ts'
import type { ErrorType } from '#model/error-type.ts'

/** Cells refused for one reason in one column, over the whole file. `columnPosition` in letters. */
export type ErrorGroup = { columnPosition: string; label: string; error: string; count: number }

/**
 * What the engine says of a file. Counts are exact and cover the whole file; `rows` holds the first rows with
 * errors only.
 */
export type Verdict =
  | { kind: 'passed'; recordsCount: number }
  | {
      kind: 'rowErrors'
      recordsCount: number
      errorRowCount: number
      cellErrorCount: number
      rows: RowReport[]
      /** Largest first. */
      groups: ErrorGroup[]
    }
  | { kind: 'fileProblem'; problem: FileProblem }

/** A fault of the file as a whole: nothing of its rows is judged. `message` names place and cure. */
export type FileProblem = { errorType: Exclude<ErrorType, 0>; message: string }
