import type { z } from 'zod'
import type { columnDifference } from '#api/report-shape.ts'
import type { Cause, CauseRows } from '#model/cause.ts'
import type { RowReport } from '#model/cell-error.ts'

/** Errors of one kind in one column, over the whole file. `columnPosition` in letters. */
export type ErrorGroup = { columnPosition: string; label: string; error: string; count: number }

/** The verdict on a file. Counts cover the whole file; `rows` are the first rows with errors. */
export type Verdict =
  | { kind: 'passed'; recordsCount: number; warnings?: Warnings }
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
      /** Rows of the first `errorScreenLimits.maxCauses` causes, from the whole file. */
      causeRows: CauseRows[]
      warnings?: Warnings
    }
  | {
      kind: 'fileProblem'
      problem: FileProblem
      /** The column names of the file, if it has some and they differ from the dictionary's. */
      labels?: string[]
    }

/** What rules between cells found that is no error; absent if they found nothing. */
export type Warnings = {
  warningCount: number
  warningRowCount: number
  /** The first rows with warnings, as many as of those with errors. */
  warningRows: RowReport[]
  /** Their causes and rows, like those of errors. */
  causes: Cause[]
  causeRows: CauseRows[]
}

/** The rows of such a file are not checked. `message` names place and cure; `details` are more sentences. */
export type FileProblem = {
  errorType: Exclude<ErrorType, 0>
  message: string
  details: string[]
  /** Sentences about the likely cause: the heading row is missing, the file is for another dictionary. */
  hints?: string[]
  /** Types 1 and 2: the columns that differ, in the order of their positions. */
  columns?: ColumnDifference[]
  /** What is wrong with the structure of the table, where there is one. Their `cells` are 0. */
  causes?: Cause[]
  /** The company's dictionaries whose columns the file has. Found by the portal, not by the engine. */
  otherDictionaries?: { id: number; name: string }[]
}

export type ColumnDifference = z.infer<typeof columnDifference>

export const fileProblemText = ({ message, details, hints = [] }: FileProblem): string =>
  [message, ...details, ...hints].join(' ')

/** What ended a validation, as it travels on the wire. See docs/BEHAVIOUR.md#error-types. */
export const ErrorType = {
  RowErrors: 0,
  Columns: 1,
  ColumnOrder: 2,
  Unreadable: 3,
  NoRows: 4,
  BeyondLimit: 5,
  EmptyDictionary: 6,
  ProcessingFailed: 7,
} as const
export type ErrorType = (typeof ErrorType)[keyof typeof ErrorType]
