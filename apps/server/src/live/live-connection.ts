import {
  liveCloseCodes,
  liveHandshake,
  type LiveHandshake,
  type StatusPush,
} from '@veridict/contract/api/live'
import { liveTimes } from '@veridict/contract/limits'
import type { WebSocket } from 'ws'
import type { Hub, LiveClient } from '#live/hub.ts'
import type { Watcher } from '#services/submissions/identify-watcher.ts'

export type LiveContext = {
  hub: Hub
  /** null for a wrong key, a bad token, or a `UserId` that is not the token's. */
  identify(handshake: LiveHandshake): Promise<Watcher | null>
  /** What the client may have missed between reading its page and listening here. */
  recent(watcher: Watcher): Promise<StatusPush[]>
}

const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
const INTERNAL_ERROR = 1011
/** Tabs of one person; beyond it somebody holds our sockets on purpose. */
const MAX_CONNECTIONS_PER_USER = 50
/** Clients have nothing to say after the handshake. */
const MAX_STRAY_MESSAGES = 20
/** A client that does not take its pushes is cut before they fill our memory. */
const MAX_UNSENT_BYTES = 64 * 1024
/** Longest time that a timer can wait. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

/** Leads one socket through its life: handshake, pushes, end. api.md, "Live status". */
export function serveLiveConnection(socket: WebSocket, door: LiveContext): void {
  const timer = setTimeout(
    () => socket.close(liveCloseCodes.handshakeTimeout, 'no handshake'),
    liveTimes.handshake,
  )
  // Protocol errors close the socket by themselves; unheard, they would end the process.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(timer))
  socket.once('message', (data, isBinary) => {
    clearTimeout(timer)
    limitStrayMessages(socket)
    enter(socket, isBinary ? null : (data as Buffer).toString(), door).catch(() =>
      socket.close(INTERNAL_ERROR, 'please try again'),
    )
  })
}

async function enter(socket: WebSocket, message: string | null, door: LiveContext): Promise<void> {
  const handshake = liveHandshake.safeParse(parseJson(message))
  if (!handshake.success) return socket.close(liveCloseCodes.badMessage, 'not a handshake')
  const watcher = await door.identify(handshake.data)
  if (watcher === null) return socket.close(liveCloseCodes.unauthorized, 'not logged in')
  if (door.hub.countOf(watcher.userId) >= MAX_CONNECTIONS_PER_USER)
    return socket.close(TRY_AGAIN_LATER, 'too many connections')
  const client = clientOf(socket, watcher)
  admit(socket, client, watcher, door.hub)
  // Whoever was shut out while they were looked up was not there yet to hear of it.
  if ((await door.identify(handshake.data)) === null)
    return socket.close(liveCloseCodes.unauthorized, 'the session has ended')
  for (const push of await door.recent(watcher)) client.send(push)
}

function clientOf(socket: WebSocket, { scope, userId, sessionId }: Watcher): LiveClient {
  return {
    scope,
    userId,
    sessionId,
    send(push) {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate()
      if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(push))
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

function admit(socket: WebSocket, client: LiveClient, { expiresAt }: Watcher, hub: Hub): void {
  if (socket.readyState !== socket.OPEN) return
  hub.add(client)
  const life = Math.min(Math.max(expiresAt.getTime() - Date.now(), 0), MAX_TIMER_MILLISECONDS)
  const expiry = setTimeout(() => socket.close(liveCloseCodes.unauthorized, 'the token has expired'), life)
  socket.once('close', () => {
    clearTimeout(expiry)
    hub.remove(client)
  })
}

function limitStrayMessages(socket: WebSocket): void {
  let messages = 0
  socket.on('message', () => {
    if (++messages > MAX_STRAY_MESSAGES) socket.close(POLICY_VIOLATION, 'too many messages')
  })
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null // Not JSON is not a handshake, like everything else that is not one.
  }
}
