import { queryOptions } from '@tanstack/react-query'
import { listRowErrors, readErrorReport } from '@veridict/contract/api/submission-errors'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'
import { pageQueryOf, queryOf } from '#lib/http/query-of.ts'

/** A page of the errors of a submission; with `cause` of the rows of that cause. */
export const errorReportQuery = (id: number, page: number, cause?: string) =>
  queryOptions({
    ...pageQueryOf(readErrorReport, {
      params: { id },
      query: { PageNumber: page, PageSize: pageSizes.fileErrors, cause },
    }),
    meta: { showsNotFound: true },
  })

/** All stored rows, or those of one cause: a hundred at most. */
export const storedRowsQuery = (id: number, cause?: string) =>
  queryOptions({
    queryKey: ['submission-errors', id, 'stored', { cause }],
    queryFn: async ({ signal }) => {
      const query = { PageNumber: 1, PageSize: pageSizes.max, cause }
      return (await call(readErrorReport, { params: { id }, query, signal })).rows.data
    },
  })

export const rowErrorsQuery = (id: number, rowNumber: number) =>
  queryOf(listRowErrors, {
    params: { id },
    query: { rowNumber, pageNumber: 1, pageSize: pageSizes.max },
  })
