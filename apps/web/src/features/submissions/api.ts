import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Page } from '@veridict/contract/api/endpoint'
import { listSubmissions, retryIngestion, type SubmissionItem } from '@veridict/contract/api/submissions'
import { pageSizes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { isSettled, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { useEffect, useState } from 'react'
import { announceFailure } from '#lib/http/announce.tsx'
import { isStatus, messageOf } from '#lib/http/call-failure.ts'
import { call } from '#lib/http/client.ts'
import { readConfig } from '#lib/http/config.ts'
import { pageQueryOf } from '#lib/http/query-of.ts'
import { isNewUpload, openLiveSocket, patchStatus } from '#lib/live/live-socket.ts'
import { readClaims, tokenStore } from '#lib/session/token-store.ts'

type HistoryPage = Page<SubmissionItem>

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
function patchHistory(client: QueryClient, change: (row: SubmissionItem) => SubmissionItem): void {
  client.setQueriesData<HistoryPage>({ queryKey: historyKey }, (page) => {
    if (page === undefined) return page
    const data = page.data.map(change)
    return data.every((row, index) => row === page.data[index]) ? page : { ...page, data }
  })
}

/** The rows of all cached pages. */
const cachedRows = (client: QueryClient): SubmissionItem[] =>
  client.getQueriesData<HistoryPage>({ queryKey: historyKey }).flatMap(([, page]) => page?.data ?? [])

/**
 * After a success the row is in progress, unless a push changed it during the call: a storage that is still
 * down fails before the response arrives. A 409 `IngestionFileNotFound` marks the row as removed; after any
 * other 409 it is read again. See docs/BEHAVIOUR.md#retry.
 */
export function useRetryIngestion() {
  const client = useQueryClient()
  return useMutation({
    meta: { quiet: true },
    mutationFn: (id: number) => call(retryIngestion, { body: { FileId: id } }),
    onMutate: (id) => new Set(cachedRows(client).filter((row) => row.id === id)),
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

/** Polling intervals in milliseconds. */
const offlineInterval = 10_000
const liveInterval = 60_000
/** Pushes are collected for this many milliseconds before the page is read again. */
const refetchDelay = 400

/** Rereads the page after every connect; false without a connection. See docs/BEHAVIOUR.md#live-status. */
export function useLiveStatus(): boolean {
  const client = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: historyKey })
    let refetchTimer: ReturnType<typeof setTimeout> | undefined
    const refetchSoon = () => {
      clearTimeout(refetchTimer)
      refetchTimer = setTimeout(refetch, refetchDelay)
    }
    const close = openLiveSocket({
      handshake: makeHandshake,
      onPush: (push) => {
        patchHistory(client, (row) => (row.id === push.FileId ? patchStatus(row, push) : row))
        const shownIds = cachedRows(client).map(({ id }) => id)
        // A verdict has more to show than the push says, and may belong to another filter. The response of a
        // running read may be older than the push and would undo it: read once more.
        if (
          isNewUpload(push.FileId, shownIds) ||
          isSettled(push.FilesStatus) ||
          client.isFetching({ queryKey: historyKey }) > 0
        )
          refetchSoon()
      },
      onConnected: () => {
        setIsLive(true)
        refetch()
      },
      onLost: () => setIsLive(false),
    })
    return () => {
      close()
      clearTimeout(refetchTimer)
      setIsLive(false)
    }
  }, [client])
  return isLive
}

async function makeHandshake() {
  const session = tokenStore.read()
  const userId = session === null ? undefined : readClaims(session.token)?.nameid
  if (session === null || userId === undefined) return null
  const { apiKey } = await readConfig()
  return { ApiKey: apiKey, ClientRole: 'Consumer' as const, UserId: userId, AccessToken: session.token }
}

/** In milliseconds; false if no row is in progress. It polls with a connection, too: pushes may be lost. */
export function pollInterval(
  rows: readonly { status: SubmissionStatus }[] | undefined,
  isLive: boolean,
): number | false {
  if (rows === undefined || rows.every(({ status }) => isSettled(status))) return false
  return isLive ? liveInterval : offlineInterval
}
