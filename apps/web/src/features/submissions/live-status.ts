import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { readConfig } from '#lib/http/config.ts'
import { openLiveSocket } from '#lib/live/live-socket.ts'
import { patchStatus } from '#lib/live/patch-status.ts'
import { readClaims } from '#lib/session/claims.ts'
import { tokenStore } from '#lib/session/token-store.ts'
import { type HistoryPage, historyKey, patchHistory } from './api.ts'
import { isNews } from './is-news.ts'

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
        if (isNews(push.FileId, shownIds()) || client.isFetching({ queryKey: historyKey }) > 0) refetchSoon()
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
