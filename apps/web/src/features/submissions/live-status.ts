import { useQueryClient } from '@tanstack/react-query'
import { isSettled, type SubmissionStatus } from '@veridict/contract/model/submission-status'
import { useEffect, useState } from 'react'
import { readConfig } from '#lib/http/config.ts'
import { openLiveSocket } from '#lib/live/live-socket.ts'
import { isNewUpload, patchStatus } from '#lib/live/status-push.ts'
import { readClaims } from '#lib/session/claims.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { type HistoryPage, historyKey, patchHistory } from './api.ts'

const withoutLive = 10_000
const besidesLive = 60_000
/** Pushes of new uploads are gathered this long before the page is read again, in milliseconds. */
const gatherNewsFor = 400

/**
 * Patches the history from the server's pushes while the screen is open, and reads the page again after every
 * (re)connection. Gives whether the connection stands, so that the screen can fall back to asking. Spec §4;
 * api.md, "Live status".
 */
export function useLiveStatus(): { isLive: boolean } {
  const client = useQueryClient()
  const [isLive, setIsLive] = useState(false)
  useEffect(() => {
    const refetch = () => void client.invalidateQueries({ queryKey: historyKey })
    let news: ReturnType<typeof setTimeout> | undefined
    const refetchSoon = () => {
      clearTimeout(news)
      news = setTimeout(refetch, gatherNewsFor)
    }
    const shownIds = () =>
      client
        .getQueriesData<HistoryPage>({ queryKey: historyKey })
        .flatMap(([, page]) => page?.data.map(({ id }) => id) ?? [])
    const close = openLiveSocket({
      handshake: makeHandshake,
      onPush: (push) => {
        patchHistory(client, (row) => (row.id === push.FileId ? patchStatus(row, push) : row))
        // An answer on its way may be older than the push, and would put the row back: it is read once more.
        if (isNewUpload(push.FileId, shownIds()) || client.isFetching({ queryKey: historyKey }) > 0)
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
      clearTimeout(news)
      setIsLive(false)
    }
  }, [client])
  return { isLive }
}

async function makeHandshake() {
  const session = tokenStore.read()
  const userId = session === null ? undefined : readClaims(session.token)?.nameid
  if (session === null || userId === undefined) return null
  const { apiKey } = await readConfig()
  return { ApiKey: apiKey, ClientRole: 'Consumer' as const, UserId: userId, AccessToken: session.token }
}

/**
 * How often to ask for the page, in milliseconds: only while a row of it is in progress; often without a live
 * connection, and now and then with one, because pushes are hints and may be lost. false = never.
 */
export function pollInterval(
  rows: readonly { status: SubmissionStatus }[] | undefined,
  isLive: boolean,
): number | false {
  if (rows === undefined || rows.every(({ status }) => isSettled(status))) return false
  return isLive ? besidesLive : withoutLive
}
