import { listRowErrors, readErrorReport } from '@veridict/contract/api/submission-errors'
import { pageSizes } from '@veridict/contract/limits'
import { pageQueryOf, queryOf, showsNotFound } from '#lib/http/query-of.ts'

export const errorReportQuery = (id: number, page: number) => ({
  ...pageQueryOf(readErrorReport, {
    params: { id },
    query: { PageNumber: page, PageSize: pageSizes.fileErrors },
  }),
  ...showsNotFound,
})

/** All stored rows, or those of one cause: a hundred at most. */
export const storedRowsQuery = (id: number, cause?: string) => {
  const query = { PageNumber: 1, PageSize: pageSizes.max, cause }
  return queryOf(readErrorReport, { params: { id }, query }, ({ rows }) => rows.data)
}

export const rowErrorsQuery = (id: number, rowNumber: number) =>
  queryOf(listRowErrors, { params: { id }, query: { rowNumber, pageNumber: 1, pageSize: pageSizes.max } })
