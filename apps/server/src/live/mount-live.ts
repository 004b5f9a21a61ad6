import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { livePath } from '@veridict/contract/api/live'
import { noticeMessages } from '@veridict/contract/messages/notices'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Deps } from '#deps.ts'
import { Hub } from '#live/hub.ts'
import { serveLiveConnection, type LiveContext } from '#live/live-connection.ts'
import { identifyWatcher, readRecentNews } from '#services/submissions/identify-watcher.ts'

const KIB = 1024
/** A handshake with a long token fits; nothing larger is ever sent by a client. */
const MAX_MESSAGE_BYTES = 8 * KIB
const PING_MILLISECONDS = 30_000
const GOING_AWAY = 1001
const UPGRADE_REQUIRED = 426
const CLOSE_MILLISECONDS = 1_000

/**
 * Opens the live connection at /ws. Not a route: browsers tell the page's origin with every upgrade, and
 * another one than ours is refused before there is a socket. Who asks without an upgrade is told of it (RFC
 * 9110, 15.5.22).
 */
export function mountLive(app: FastifyInstance): void {
  const { deps } = app
  const hub = new Hub()
  const stopFollowing = hub.follow(deps.bus)
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_MESSAGE_BYTES,
    perMessageDeflate: false,
    clientTracking: true,
  })
  const door: LiveContext = {
    hub,
    identify: (handshake) => identifyWatcher(handshake, deps),
    recent: ({ scope }) => readRecentNews(scope, deps),
  }
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const refusal = refusalOf(request, deps)
    if (refusal !== null) return refuse(socket, refusal)
    server.handleUpgrade(request, socket, head, (client) => {
      watchPulse(client)
      serveLiveConnection(client, door)
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
 * Of all offers to upgrade only that of WebSocket is looked at: a client that offers HTTP/2 (curl, Java's
 * HttpClient) gets the plain answer to its request, as RFC 9110, 7.8, allows.
 */
export const isWebSocketUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

/** Throws nothing, whatever the address: an error in an event's listener ends the process. */
function refusalOf({ url, headers }: IncomingMessage, deps: Deps): string | null {
  if (URL.parse(url ?? '/', 'http://localhost')?.pathname !== livePath) return '404 Not Found'
  return isOurOrigin(headers.origin, headers.host, deps.env.publicUrl) ? null : '403 Forbidden'
}

/**
 * Browsers always send Origin; programs that send none are no danger, since the token is in the handshake and
 * not in a cookie. Ours is the portal's public address, or the address by which this very request came.
 */
function isOurOrigin(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  return new URL(origin).origin === new URL(publicUrl).origin || new URL(origin).host === host
}

/** Hangs up whether or not the other side does: Node times no socket that asked for an upgrade. */
function refuse(socket: Duplex, status: string): void {
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Ends connections whose other side is gone without a word. */
function watchPulse(socket: WebSocket): void {
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
  const deadline = Date.now() + CLOSE_MILLISECONDS
  while (server.clients.size > 0 && Date.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const socket of server.clients) socket.terminate()
}
