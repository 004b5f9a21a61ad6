import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import {
  livePath,
  liveCloseCodes,
  liveHandshake,
  type LiveHandshake,
  type StatusPush,
} from '@veridict/contract/api/live'
import { connectionLimits, liveTimes } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { jsonOrNull } from '@veridict/contract/notation/json-or-null'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Deps } from '#deps.ts'
import { hostRefusal } from '#platform/http/served-host.ts'
import { addressOwner } from '#platform/admission/address-owner.ts'
import { Gate } from '#platform/admission/gate.ts'
import { addressOfUpgrade } from '#platform/http/caller-address.ts'
import { Hub, encodePush, type LiveClient } from '#submissions/live/hub.ts'
import { identifyWatcher, readRecentPushes, type Watcher } from '#submissions/live/identify-watcher.ts'
import { isOwnOrigin } from '#platform/http/own-origin.ts'

const KIB = 1024
/** Enough for the largest message of a client: a handshake with a long token. */
const MAX_MESSAGE_BYTES = 8 * KIB
const PING_MILLISECONDS = 30_000
const GOING_AWAY = 1001
const UPGRADE_REQUIRED = 426
/** A client that has not closed its side by then is cut. */
const CLOSE_MILLISECONDS = 1_000

/** It is no route: a foreign `Origin` gets no socket. Without an upgrade: 426 (RFC 9110, 15.5.22). */
export function mountLive(app: FastifyInstance): void {
  const { deps } = app
  const hub = new Hub()
  const stopFollowing = hub.follow(deps.bus)
  // Apart, because the types do not know `closeTimeout`.
  const options = {
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
    closeTimeout: CLOSE_MILLISECONDS,
  }
  const server = new WebSocketServer(options)
  const waiting = new Gate({ perKey: connectionLimits.withoutHandshake })
  const context: LiveContext = {
    hub,
    identify: (handshake) => identifyWatcher(handshake, deps),
    recent: ({ scope }) => readRecentPushes(scope, deps),
  }
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOf(request, deps)
    if (refusal !== null) return refuse(socket, refusal)
    const endWaiting = waiting.tryEnter(addressOwner(addressOfUpgrade(request, deps.env.trustProxy)))
    if (endWaiting === null) return refuse(socket, 429)
    // Also for an upgrade that fails.
    socket.once('close', endWaiting)
    server.handleUpgrade(request, socket, head, (client) => {
      deps.metrics.sockets.inc()
      client.once('close', () => deps.metrics.sockets.dec())
      terminateDeadSocket(client)
      serveLiveConnection(client, context, endWaiting)
    })
  })
  app.get(livePath, (_request, reply) =>
    reply
      .status(UPGRADE_REQUIRED)
      .headers({ Upgrade: 'websocket', Connection: 'Upgrade' })
      .send({ message: noticeMessages.upgradeRequired }),
  )
  app.addHook('preClose', async () => {
    stopFollowing()
    await closeAll(server)
  })
}

/** Ignores offers of HTTP/2 (curl, Java's HttpClient): a plain response is allowed (RFC 9110, 7.8). */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/** The status of a refusal, or null. Must not throw: an error in an event listener ends the process. */
function refusalOf(request: IncomingMessage, { env }: Deps): number | null {
  const { url, headers } = request
  if (URL.parse(url ?? '/', 'http://localhost')?.pathname !== livePath) return 404
  const refusal = hostRefusal(request, env)
  if (refusal !== null) return refusal.status
  return isOwnOrigin(headers.origin, headers.host, env.publicUrl) ? null : 403
}

/** Closes the socket by itself: Node has no timeout for a socket that asked for an upgrade. */
function refuse(socket: Duplex, status: number): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Ends connections whose client vanished without closing. */
function terminateDeadSocket(socket: WebSocket): void {
  let isAlive = true
  socket.on('pong', () => (isAlive = true))
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, PING_MILLISECONDS)
  socket.once('close', () => clearInterval(timer))
}

async function closeAll(server: WebSocketServer): Promise<void> {
  for (const socket of server.clients) socket.close(GOING_AWAY, 'the server stops')
  await new Promise((resolve) => server.close(resolve))
}

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

/** `onHandshake`: when it is accepted or refused. See docs/BEHAVIOUR.md#live-status. */
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
  const handshake = liveHandshake.safeParse(jsonOrNull(message ?? ''))
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
