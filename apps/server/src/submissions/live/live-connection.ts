import {
  liveCloseCodes,
  liveHandshake,
  type LiveHandshake,
  type StatusPush,
} from '@veridict/contract/api/live'
import { liveTimes } from '@veridict/contract/limits'
import type { WebSocket } from 'ws'
import { encodePush, type Hub, type LiveClient } from '#submissions/live/hub.ts'
import type { Watcher } from '#submissions/live/identify-watcher.ts'

export type LiveContext = {
  hub: Hub
  /** null for a wrong key, a bad token, or a `UserId` that is not the token's. */
  identify(handshake: LiveHandshake): Promise<Watcher | null>
  /** Status changes that the client may have missed between loading its page and connecting. */
  recent(watcher: Watcher): Promise<readonly StatusPush[]>
}

const POLICY_VIOLATION = 1008
const TRY_AGAIN_LATER = 1013
const INTERNAL_ERROR = 1011
/** More tabs than a person opens: more connections are an attack. */
const MAX_CONNECTIONS_PER_USER = 50
/** Clients send nothing after the handshake; a few messages are tolerated. */
const MAX_EXTRA_MESSAGES = 20
/** A client that does not read its pushes is disconnected before they fill the memory. */
const MAX_UNSENT_BYTES = 64 * 1024
/** The longest delay of a timer. */
const MAX_TIMER_MILLISECONDS = 2 ** 31 - 1

/**
 * Serves one socket: handshake, pushes, end. Calls `onHandshake` when the handshake is accepted or refused.
 * See docs/BEHAVIOUR.md#live-status.
 */
export function serveLiveConnection(socket: WebSocket, context: LiveContext, onHandshake: () => void): void {
  const timer = setTimeout(
    () => socket.close(liveCloseCodes.handshakeTimeout, 'no handshake'),
    liveTimes.handshake,
  )
  // Protocol errors close the socket by themselves; without a listener they would end the process.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(timer))
  socket.once('message', (data, isBinary) => {
    clearTimeout(timer)
    limitExtraMessages(socket)
    acceptHandshake(socket, isBinary ? null : (data as Buffer).toString(), context)
      .catch(() => socket.close(INTERNAL_ERROR, 'please try again'))
      .finally(onHandshake)
  })
}

async function acceptHandshake(
  socket: WebSocket,
  message: string | null,
  context: LiveContext,
): Promise<void> {
  const handshake = liveHandshake.safeParse(parseJson(message))
  if (!handshake.success) return socket.close(liveCloseCodes.badMessage, 'not a handshake')
  const watcher = await context.identify(handshake.data)
  if (watcher === null) return socket.close(liveCloseCodes.unauthorized, 'not logged in')
  if (context.hub.countOf(watcher.userId) >= MAX_CONNECTIONS_PER_USER)
    return socket.close(TRY_AGAIN_LATER, 'too many connections')
  const client = clientOf(socket, watcher)
  addToHub(socket, client, watcher, context.hub)
  // If the session ended after the first check, the hub did not know this client yet and could not close it.
  if ((await context.identify(handshake.data)) === null)
    return socket.close(liveCloseCodes.unauthorized, 'the session has ended')
  for (const push of await context.recent(watcher)) client.send(encodePush(push))
}

function clientOf(socket: WebSocket, { scope, userId, sessionId }: Watcher): LiveClient {
  return {
    scope,
    userId,
    sessionId,
    send(push) {
      if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate()
      if (socket.readyState === socket.OPEN) socket.send(push, { binary: false })
    },
    close: (code, reason) => socket.close(code, reason),
  }
}

function addToHub(socket: WebSocket, client: LiveClient, { expiresAt }: Watcher, hub: Hub): void {
  if (socket.readyState !== socket.OPEN) return
  hub.add(client)
  const lifetime = Math.min(Math.max(expiresAt.getTime() - Date.now(), 0), MAX_TIMER_MILLISECONDS)
  const expiry = setTimeout(
    () => socket.close(liveCloseCodes.unauthorized, 'the token has expired'),
    lifetime,
  )
  socket.once('close', () => {
    clearTimeout(expiry)
    hub.remove(client)
  })
}

function limitExtraMessages(socket: WebSocket): void {
  let messages = 0
  socket.on('message', () => {
    if (++messages > MAX_EXTRA_MESSAGES) socket.close(POLICY_VIOLATION, 'too many messages')
  })
}

function parseJson(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text)
  } catch {
    return null // Not JSON, so not a handshake.
  }
}
