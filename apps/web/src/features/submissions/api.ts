import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@veridict/contract/api/endpoint'
import { listSubmissions, retryIngestion, type SubmissionItem } from '@veridict/contract/api/submissions'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { announceFailure } from '#lib/http/announce.tsx'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { pageQueryOf } from '#lib/http/query-of.ts'

export type HistoryPage = Page<SubmissionItem>

/** The key of all cached pages of the history, with any search. */
export const historyKey = [listSubmissions.path] as const

/** One page of the history, newest first; of files in one of `statuses`, if there are any. */
export const historyQuery = (searchText: string, statuses: readonly SubmissionStatus[], page: number) =>
  pageQueryOf(listSubmissions, {
    query: {
      SearchText: searchText,
      PageNumber: page,
      PageSize: pageSizes.default,
      ...(statuses.length > 0 && { Status: statuses }),
    },
  })

/** Changes rows in every cached page. `change` returns the same object for an unchanged row. */
export function patchHistory(client: QueryClient, change: (row: SubmissionItem) => SubmissionItem): void {
  client.setQueriesData<HistoryPage>({ queryKey: historyKey }, (page) => {
    if (page === undefined) return page
    const data = page.data.map(change)
    return data.every((row, index) => row === page.data[index]) ? page : { ...page, data }
  })
}

/** The cached rows of a submission, one for each page that contains it. */
const rowsOf = (client: QueryClient, id: number): Set<SubmissionItem> =>
  new Set(
    client
      .getQueriesData<HistoryPage>({ queryKey: historyKey })
      .flatMap(([, page]) => page?.data.filter((row) => row.id === id) ?? []),
  )

/**
 * Retries the ingestion of a validated file. After a success the row is in progress, unless a push changed
 * it during the call: a storage that is still down fails before the response arrives. A 409 with the
 * message `IngestionFileNotFound` marks the row as removed; after any other 409 the row is out of date and
 * read again. See docs/BEHAVIOUR.md#retry.
 */
export function useRetryIngestion() {
  const client = useQueryClient()
  return useMutation({
    meta: { quiet: true },
    mutationFn: (id: number) => call(retryIngestion, { body: { FileId: id } }),
    onMutate: (id) => rowsOf(client, id),
    onSuccess: (_reply, _id, unchanged) =>
      patchHistory(client, (row) =>
        unchanged.has(row) ? { ...row, status: SubmissionStatus.ValidationPassed } : row,
      ),
    onError: (failure, id) => {
      if (!isStatus(failure, 409)) return announceFailure(failure)
      if (messageOf(failure) === submissionMessages.ingestionFileNotFound) {
        patchHistory(client, (row) =>
          row.id === id ? { ...row, status: SubmissionStatus.IngestionFileNotFound } : row,
        )
      } else void client.invalidateQueries({ queryKey: historyKey })
    },
  })
}
