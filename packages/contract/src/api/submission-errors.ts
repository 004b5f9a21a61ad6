import { z } from 'zod'
import { ErrorType } from '#model/error-type.ts'
import { defineEndpoint } from './endpoint.ts'
import { idParams } from './envelope.ts'
import { pageNumber, pageOf, pageSize, pagingQuery } from './paging.ts'
import { maxInteger, wholeNumber } from './whole-number.ts'

export const columnError = z.object({
  columnPosition: z.string(),
  label: z.string(),
  error: z.string(),
  value: z.string(),
  expected: z.string(),
  /** The id of its cause; null in reports of before there were causes. */
  cause: z.string().nullable(),
  /** The value that would be right; null where none is nearly certain. '' empties the cell. */
  suggestion: z.string().nullable(),
})

export const rowReport = z.object({
  rowNumber: z.int(),
  totalCount: z.int(),
  columnValidationErrors: z.array(columnError),
})

const { RowErrors: _, ...fileProblemTypes } = ErrorType

const fileProblem = z.object({
  errorType: z.literal(Object.values(fileProblemTypes)),
  message: z.string(),
  details: z.array(z.string()),
})

export const errorReport = z.object({
  id: z.int(),
  fileName: z.string(),
  errorType: z.literal(Object.values(ErrorType)),
  errorMessage: z.string(),
  /** `errorMessage` of a file problem with its details apart; null for rows with errors. */
  fileProblem: fileProblem.nullable(),
  errorRowCount: z.int().nullable(),
  rows: pageOf(rowReport),
})
export type ErrorReport = z.infer<typeof errorReport>

const pageQuery = pagingQuery.pick({ PageNumber: true, PageSize: true })

export const readErrorReport = defineEndpoint({
  method: 'GET',
  path: '/api/FileSubmission/:id/Errors',
  access: 'companyUser',
  summary: 'The errors of a submission: at most the first 100 rows, at most 5 errors of each',
  params: idParams,
  query: pageQuery,
  reply: errorReport,
})

export const listRowErrors = defineEndpoint({
  method: 'GET',
  path: '/api/ValidationError/:id/ValidationErrorItems',
  access: 'companyUser',
  summary: 'All errors of one row',
  params: idParams,
  query: z.object({ rowNumber: wholeNumber(maxInteger), pageNumber, pageSize }),
  reply: pageOf(columnError),
})
