import type { Cause, CauseRows } from '#model/cause.ts'
import type { RowReport } from '#model/cell-error.ts'
import type { ErrorType } from '#model/error-type.ts'

/** Errors of one kind in one column, over the whole file. `columnPosition` in letters. */
export type ErrorGroup = { columnPosition: string; label: string; error: string; count: number }

/** The verdict on a file. Counts cover the whole file; `rows` are the first rows with errors. */
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
      /** Most cells first. Their `cells` add up to `cellErrorCount`. */
      causes: Cause[]
      /** Rows of the first `errorScreenLimits.maxCauses` causes, wherever they lie in the file. */
      causeRows: CauseRows[]
    }
  | { kind: 'fileProblem'; problem: FileProblem }

/**
 * What is wrong with a file as a whole; its rows are then not checked. `message` names place and cure, and
 * each of `details` is one more sentence: a difference between the columns, or a hint.
 */
export type FileProblem = { errorType: Exclude<ErrorType, 0>; message: string; details: string[] }

/** A file problem as one text. */
export const fileProblemText = ({ message, details }: Pick<FileProblem, 'message' | 'details'>): string =>
  [message, ...details].join(' ')
