import { type LiveHandshake, livePath, type StatusPush } from '@veridict/contract/api/live'
import { readPush } from './status-push.ts'

const firstDelay = 1000
const longestDelay = 30_000
/** Milliseconds after which a connection counts as stable: the next loss starts with the shortest delay. */
const stableAfter = 5000

export type LiveSocketOptions = {
  /** Called for every connection, so that it has the newest token; null without a session: do not connect. */
  handshake: () => Promise<LiveHandshake | null>
  onPush: (push: StatusPush) => void
  /** After every connection, also the first: pushes may have been missed, so the caller reads again. */
  onConnected: () => void
  onLost: () => void
}

/**
 * Keeps a live connection open, with growing delays between retries, until the returned function is called.
 * See docs/BEHAVIOUR.md#live-status.
 */
export function openLiveSocket({ handshake, onPush, onConnected, onLost }: LiveSocketOptions): () => void {
  let socket: WebSocket | null = null
  let failures = 0
  /** While the handshake is being made, no second connection may start. */
  let isPreparing = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const retryLater = () => {
    if (stopped) return
    timer = setTimeout(connect, reconnectDelay(failures))
    failures += 1
  }
  const connect = async () => {
    clearTimeout(timer)
    if (isPreparing) return
    isPreparing = true
    const firstMessage = await handshake().catch(() => null)
    isPreparing = false
    if (stopped) return
    if (firstMessage === null) return retryLater()
    const current = new WebSocket(liveAddress(location.origin))
    socket = current
    let stableTimer: ReturnType<typeof setTimeout> | undefined
    current.addEventListener('open', () => {
      current.send(JSON.stringify(firstMessage))
      stableTimer = setTimeout(() => (failures = 0), stableAfter)
      onConnected()
    })
    current.addEventListener('message', ({ data }) => {
      const push = readPush(data)
      if (push !== null) onPush(push)
    })
    current.addEventListener('close', () => {
      clearTimeout(stableTimer)
      if (stopped) return
      onLost()
      retryLater()
    })
  }
  const reconnectNow = () => {
    if (socket?.readyState !== WebSocket.OPEN && socket?.readyState !== WebSocket.CONNECTING) void connect()
  }

  addEventListener('online', reconnectNow)
  void connect()
  return () => {
    stopped = true
    clearTimeout(timer)
    removeEventListener('online', reconnectNow)
    socket?.close()
  }
}

/**
 * Milliseconds before the next try. The ceiling doubles from 1 s to 30 s with each failure; a random part of
 * up to half is taken off, so that not all pages reconnect at the same moment after a restart of the server.
 * `random` returns 0 to 1.
 */
export function reconnectDelay(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestDelay, firstDelay * 2 ** Math.min(failures, 16))
  return ceiling / 2 + (ceiling / 2) * random()
}

/** Behind TLS wherever the page is. */
export const liveAddress = (origin: string): string => origin.replace(/^http/, 'ws') + livePath
