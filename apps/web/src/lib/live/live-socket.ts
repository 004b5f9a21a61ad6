import { type LiveHandshake, livePath, type StatusPush } from '@veridict/contract/api/live'
import { readPush } from './status-push.ts'

const firstDelay = 1000
const longestDelay = 30_000
/**
 * A connection that has held this long counts as good, and the next loss starts from the shortest delay
 * again.
 */
const settledAfter = 5000

export type LiveSocketOptions = {
  /**
   * Made anew for every connection, so that it carries the newest token; null = nobody is logged in, do not
   * connect.
   */
  handshake: () => Promise<LiveHandshake | null>
  onPush: (push: StatusPush) => void
  /**
   * After every connection, the first and each later one: whatever was missed in between must be read again.
   */
  onConnected: () => void
  onLost: () => void
}

/**
 * Holds a live connection open, with growing pauses between tries, until the function it gives is called.
 * Spec §7; api.md, "Live status".
 */
export function openLiveSocket({ handshake, onPush, onConnected, onLost }: LiveSocketOptions): () => void {
  let socket: WebSocket | null = null
  let failures = 0
  /** The settings of the page are being read: a second connection must not be begun beside this one. */
  let isGreeting = false
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const retryLater = () => {
    if (stopped) return
    timer = setTimeout(connect, reconnectDelay(failures))
    failures += 1
  }
  const connect = async () => {
    clearTimeout(timer)
    if (isGreeting) return
    isGreeting = true
    const greeting = await handshake().catch(() => null)
    isGreeting = false
    if (stopped) return
    if (greeting === null) return retryLater()
    const current = new WebSocket(location.origin.replace(/^http/, 'ws') + livePath)
    socket = current
    let settling: ReturnType<typeof setTimeout> | undefined
    current.addEventListener('open', () => {
      current.send(JSON.stringify(greeting))
      settling = setTimeout(() => (failures = 0), settledAfter)
      onConnected()
    })
    current.addEventListener('message', ({ data }) => {
      const push = readPush(data)
      if (push !== null) onPush(push)
    })
    current.addEventListener('close', () => {
      clearTimeout(settling)
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
 * Milliseconds before the next try: doubling from 1 s to 30 s with the number of failed tries, of which a
 * random half is taken away, so that all pages do not come back at the same moment after a restart. `random`
 * gives 0 to 1.
 */
export function reconnectDelay(failures: number, random: () => number = Math.random): number {
  const ceiling = Math.min(longestDelay, firstDelay * 2 ** Math.min(failures, 16))
  return ceiling / 2 + (ceiling / 2) * random()
}
