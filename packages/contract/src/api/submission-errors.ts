import { z } from 'zod'
import { ErrorType } from '#model/verdict.ts'
import { noticeMessages } from '#messages/notices.ts'
import { maxInteger } from '#notation/id.ts'
import { isStorable } from '#notation/storable-text.ts'
import { endpoint, timestamp, pageNumber, pageOf, pageSize, pagingQuery, wholeNumber } from './endpoint.ts'
import { cause, columnDifference, columnError, rowReport } from './report-shape.ts'

/** Numbers of bad cells, compared with an earlier file: fixed, still bad, and new. */
const changes = { fixed: z.int(), remaining: z.int(), new: z.int() }

/**
 * The previous upload for the same dictionary with nearly the same file name. Compared is the number of cells
 * of each cause. `causes` are those stored for either report; one in both is described as in this report.
 */
export const previousReport = z.object({
  id: z.int(),
  fileName: z.string(),
  createdAt: timestamp,
  ...changes,
  causes: z.array(cause.pick({ id: true, columnPosition: true, label: true, message: true }).extend(changes)),
})

const { RowErrors: _, ...fileProblemTypes } = ErrorType

const fileProblem = z.object({
  errorType: z.literal(Object.values(fileProblemTypes)),
  message: z.string(),
  details: z.array(z.string()),
  /** Sentences about the likely cause. */
  hints: z.array(z.string()),
  /** The company's other dictionaries whose columns the file has. */
  otherDictionaries: z.array(z.object({ id: z.int(), name: z.string() })),
})

export const errorReport = z.object({
  id: z.int(),
  fileName: z.string(),
  /** For the upload of the corrected file. */
  dataDictionaryId: z.int(),
  dataDictionaryName: z.string(),
  /** null, like `uploadedBy`, in replies of a portal before 0.2. */
  dictionaryVersion: z.int().nullable().default(null),
  /** A name, also of a token. */
  uploadedBy: z.string().nullable().default(null),
  createdAt: timestamp,
  /** null, like `errorMessage`, for an accepted file. */
  errorType: z.literal(Object.values(ErrorType)).nullable(),
  errorMessage: z.string().nullable(),
  /** The file problem of `errorMessage` with separate details; null for rows with errors. */
  fileProblem: fileProblem.nullable(),
  /** Types 1 and 2: the columns that differ. Empty for other types, and for reports older than this list. */
  columns: z.array(columnDifference),
  recordsCount: z.int().nullable(),
  errorRowCount: z.int().nullable(),
  cellErrorCount: z.int().nullable(),
  /**
   * Those of errors, then those of warnings, each most cells first and at most `errorScreenLimits.maxCauses`.
   * `causesCount` counts all causes of errors, and those of warnings that are here.
   */
  causes: z.array(cause),
  causesCount: z.int(),
  previous: previousReport.nullable(),
  rows: pageOf(rowReport),
  /** Of rules between cells; no verdict depends on them. null if not counted (portals before 0.2). */
  warningCount: z.int().nullable().default(null),
  warningRowCount: z.int().nullable().default(null),
  /** The first rows with warnings, with the same page and bounds as `rows`. */
  warningRows: pageOf(rowReport).default({ data: [], totalPages: 0, totalCount: 0 }),
})
export type ErrorReport = z.infer<typeof errorReport>

const reportQuery = pagingQuery
  .pick({ PageNumber: true, PageSize: true })
  .extend({ cause: z.string().max(500).refine(isStorable, noticeMessages.invalidValue).optional() })

export const readErrorReport = endpoint(
  'GET /api/FileSubmission/:id/Errors',
  'reader',
  'The errors and warnings of a file with errors, or of an accepted one: at most the first 100 rows, at ' +
    'most 5 errors of each. With `cause`, `rows` are the first rows with that cause, and of each row ' +
    'only its errors or warnings',
  { query: reportQuery, reply: errorReport },
)

export const listRowErrors = endpoint(
  'GET /api/ValidationError/:id/ValidationErrorItems',
  'reader',
  'All errors of one row; of a row without errors, its warnings',
  {
    query: z.object({ rowNumber: wholeNumber(maxInteger), pageNumber, pageSize }),
    reply: pageOf(columnError),
  },
)
