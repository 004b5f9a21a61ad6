import { useQueryClient } from '@tanstack/react-query'
import { isSettled, type SubmissionStatus } from '@veridict/contract/model/submission-status'
import { useEffect, useState } from 'react'
import { readConfig } from '#lib/http/config.ts'
import { openLiveSocket } from '#lib/live/live-socket.ts'
import { isNewUpload, patchStatus } from '#lib/live/status-push.ts'
import { readClaims, tokenStore } from '#lib/session/token-store.ts'
import { historyKey, type HistoryPage, patchHistory } from './api.ts'

/** Polling intervals in milliseconds. */
const offlineInterval = 10_000
const liveInterval = 60_000
/** Pushes are collected for this many milliseconds before the page is read again. */
const refetchDelay = 400

/**
 * Applies the server's pushes to the history while the screen is open, and reads the page again after every
 * connect. Returns false without a connection; the screen then polls more often.
 * See docs/BEHAVIOUR.md#live-status.
 */
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
    const shownIds = () =>
      client
        .getQueriesData<HistoryPage>({ queryKey: historyKey })
        .flatMap(([, page]) => page?.data.map(({ id }) => id) ?? [])
    const close = openLiveSocket({
      handshake: makeHandshake,
      onPush: (push) => {
        patchHistory(client, (row) => (row.id === push.FileId ? patchStatus(row, push) : row))
        // A verdict has more to show than the push says, and may belong to another filter. The response of a
        // running read may be older than the push and would undo it: read once more.
        if (
          isNewUpload(push.FileId, shownIds()) ||
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

/**
 * Milliseconds between two reads of the page; false for no polling. Polls only while a row is in progress;
 * with a live connection too, because pushes may be lost.
 */
export function pollInterval(
  rows: readonly { status: SubmissionStatus }[] | undefined,
  isLive: boolean,
): number | false {
  if (rows === undefined || rows.every(({ status }) => isSettled(status))) return false
  return isLive ? liveInterval : offlineInterval
}
