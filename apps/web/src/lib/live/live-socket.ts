import { type LiveHandshake, livePath, type StatusPush } from '@veridict/contract/api/live'
import { readPush } from './status-push.ts'

const shortestDelay = 500
/** A page is right again within 5 s after an outage, however long that was. */
const longestDelay = 5000

export type LiveSocketOptions = {
  /** Called for every connection, so that it has the newest token; null without a session: do not connect. */
  handshake: () => Promise<LiveHandshake | null>
  onPush: (push: StatusPush) => void
  /** After every connection, also the first: pushes may have been missed, so the caller reads again. */
  onConnected: () => void
  onLost: () => void
}

/**
 * Keeps a live connection open until the returned function is called.
 * See docs/BEHAVIOUR.md#live-status.
 */
export function openLiveSocket({ handshake, onPush, onConnected, onLost }: LiveSocketOptions): () => void {
  let socket: WebSocket | null = null
  /** While the handshake is being made, no second connection may start. */
  let isPreparing = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const retryLater = () => {
    if (stopped) return
    timer = setTimeout(connect, reconnectDelay())
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
    current.addEventListener('open', () => {
      if (stopped) return current.close()
      current.send(JSON.stringify(firstMessage))
      onConnected()
    })
    current.addEventListener('message', ({ data }) => {
      const push = readPush(data)
      if (push !== null) onPush(push)
    })
    current.addEventListener('close', () => {
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
    // One that is connecting is closed when it is open: closed now, the browser would write a warning.
    if (socket?.readyState !== WebSocket.CONNECTING) socket?.close()
  }
}

/**
 * Milliseconds before the next try, spread over seconds: a thousand pages that lost their server at the same
 * moment do not come back at the same moment. `random` returns 0 to 1.
 */
export const reconnectDelay = (random: () => number = Math.random): number =>
  shortestDelay + (longestDelay - shortestDelay) * random()

/** The address of the live connection, with TLS (`wss:`) where the page has it. */
export const liveAddress = (origin: string): string => origin.replace(/^http/, 'ws') + livePath
