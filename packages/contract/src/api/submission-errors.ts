import { z } from 'zod'
import { pageSizes } from '#limits.ts'
import { ErrorType } from '#model/error-type.ts'
import { defineEndpoint } from './endpoint.ts'
import { idParams } from './envelope.ts'
import { pageOf, pagingQuery } from './paging.ts'

export const columnError = z.object({
  columnPosition: z.string(),
  label: z.string(),
  error: z.string(),
  value: z.string(),
  expected: z.string(),
})

export const rowReport = z.object({
  rowNumber: z.int(),
  totalCount: z.int(),
  columnValidationErrors: z.array(columnError),
})

export const errorReport = z.object({
  id: z.int(),
  fileName: z.string(),
  errorType: z.literal(Object.values(ErrorType)),
  errorMessage: z.string(),
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
  query: z.object({
    rowNumber: z.coerce.number().int().min(1).max(2_147_483_647),
    pageNumber: z.coerce.number().int().min(1).max(1_000_000_000).default(1),
    pageSize: z.coerce.number().int().min(1).max(pageSizes.max).default(pageSizes.default),
  }),
  reply: pageOf(columnError),
})
