import { STATUS_CODES, type IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { livePath } from '@veridict/contract/api/live'
import { connectionLimits } from '@veridict/contract/limits'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Deps } from '#deps.ts'
import { hostRefusal } from '#platform/http/served-host.ts'
import { addressOwner } from '#platform/admission/address-owner.ts'
import { Gate } from '#platform/admission/gate.ts'
import { addressOfUpgrade } from '#platform/http/caller-address.ts'
import { Hub } from '#submissions/live/hub.ts'
import { serveLiveConnection, type LiveContext } from '#submissions/live/live-connection.ts'
import { identifyWatcher, readRecentPushes } from '#submissions/live/identify-watcher.ts'
import { isOwnOrigin } from '#platform/http/own-origin.ts'

const KIB = 1024
/** Enough for the largest message of a client: a handshake with a long token. */
const MAX_MESSAGE_BYTES = 8 * KIB
const PING_MILLISECONDS = 30_000
const GOING_AWAY = 1001
const UPGRADE_REQUIRED = 426
/** A client that has not closed its side this long after our close frame is cut. */
const CLOSE_MILLISECONDS = 1_000

/**
 * Serves live connections at /ws. Not a route, because a foreign `Origin` is refused before there is a
 * socket. A request without an upgrade gets 426 (RFC 9110, 15.5.22).
 */
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

/**
 * Other offers to upgrade are ignored: a client that offers HTTP/2 (curl, Java's HttpClient) gets a plain
 * response, as RFC 9110, 7.8, allows.
 */
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
