import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listRowErrors, readErrorReport } from '@veridict/contract/api/submission-errors'
import { pageSizes } from '@veridict/contract/limits'
import { call } from '#lib/http/client.ts'

/** A page of the errors of a submission. */
export const errorReportQuery = (id: number, page: number) =>
  queryOptions({
    queryKey: ['submission-errors', id, { page }],
    queryFn: ({ signal }) =>
      call(readErrorReport, {
        params: { id },
        query: { PageNumber: page, PageSize: pageSizes.fileErrors },
        signal,
      }),
    placeholderData: keepPreviousData,
    meta: { showsNotFound: true },
  })

/** All errors of one row. */
export const rowErrorsQuery = (id: number, rowNumber: number) =>
  queryOptions({
    queryKey: ['submission-errors', id, 'row', rowNumber],
    queryFn: ({ signal }) =>
      call(listRowErrors, {
        params: { id },
        query: { rowNumber, pageNumber: 1, pageSize: pageSizes.max },
        signal,
      }),
  })
