import { type LiveHandshake, livePath, type StatusPush, statusPush } from '@veridict/contract/api/live'
import { isFinal, statusMoves, type SubmissionStatus } from '@veridict/contract/model/submission-status'

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

/** Keeps a connection open until the returned function is called. See docs/BEHAVIOUR.md#live-status. */
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

/** In milliseconds, spread over seconds: a thousand pages may lose their server at the same moment. */
export const reconnectDelay = (random: () => number = Math.random): number =>
  shortestDelay + (longestDelay - shortestDelay) * random()

/** The address of the live connection, with TLS (`wss:`) where the page has it. */
export const liveAddress = (origin: string): string => origin.replace(/^http/, 'ws') + livePath

/** null unless it has FileId, FilesStatus and RecordCount in their types. */
export function readPush(text: unknown): StatusPush | null {
  if (typeof text !== 'string') return null
  try {
    const push = statusPush.safeParse(JSON.parse(text))
    return push.success ? push.data : null
  } catch (error) {
    console.error('A live message could not be read.', error)
    return null
  }
}

/** By any number of allowed moves: pushes in between may be missed. */
function canReach(from: SubmissionStatus, to: SubmissionStatus): boolean {
  const seen = new Set<SubmissionStatus>([from])
  for (const status of seen) for (const next of statusMoves[status]) seen.add(next)
  return seen.has(to)
}

type StatusRow = { status: SubmissionStatus; recordsCount: number | null }

/**
 * The same object if nothing changes. A late push is ignored: it would move the row back or remove a known
 * count. See docs/BEHAVIOUR.md#live-status.
 */
export function patchStatus<Row extends StatusRow>(
  row: Row,
  push: { FilesStatus: SubmissionStatus; RecordCount: number | null },
): Row {
  const { FilesStatus: status, RecordCount } = push
  if (row.status !== status && (isFinal(row.status) || !canReach(row.status, status))) return row
  const recordsCount = RecordCount ?? row.recordsCount
  return row.status === status && row.recordsCount === recordsCount ? row : { ...row, status, recordsCount }
}

/** Ids grow with time. An older upload that is not shown is on another page: nothing needs to be read. */
export const isNewUpload = (fileId: number, shownIds: readonly number[]): boolean =>
  shownIds.every((id) => id < fileId)
