import { Server, Socket } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { connectionLimits } from '@veridict/contract/limits'
import type { FastifyInstance } from 'fastify'
import { closeAfterRefusal } from '#platform/http/multipart.ts'
import { whenClosed } from '#platform/http/when-closed.ts'

const KIB = 1024
const PERIOD_MILLISECONDS = 30_000
/** Slower than any real connection. A slower client has stalled or blocks our sockets on purpose. */
const MIN_BYTES_PER_PERIOD = 16 * KIB

/** Closes bodies that are too slow or stopped. A time limit would also close 25 MB over slow connections. */
export function closeSlowRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let seen = raw.socket.bytesRead
    let wasRead = true
    const timer = setInterval(() => {
      if (raw.complete) return clearInterval(timer)
      // A call that waits for its turn is not read yet; its body then has a whole period.
      const isRead = raw.readableFlowing !== null
      const isSlow = raw.socket.bytesRead - seen < MIN_BYTES_PER_PERIOD
      if (isRead && wasRead && isSlow) raw.destroy()
      seen = raw.socket.bytesRead
      wasRead = isRead
    }, PERIOD_MILLISECONDS).unref()
    raw.once('close', () => clearInterval(timer))
  })
}

/**
 * Closes the connection when no byte of a reply is taken for a time; Node also sees parts of a chunk go.
 * Otherwise clients that never read, even without an account, would fill the memory with replies.
 */
export function closeStalledReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, { raw }) => {
    raw.setTimeout(app.deps.limits.stalledMilliseconds, () => raw.destroy())
    // Else it would go on while the next call is worked on, if that was sent after this one. Before Node's
    // own listener, which sets the time of a waiting connection. Requests that tests inject have no socket.
    raw.prependOnceListener('finish', () => void (raw.socket instanceof Socket && raw.socket.setTimeout(0)))
  })
}

const { freeParts, minMeanPart } = connectionLimits

/** Closes bodies in tiny chunks (`connectionLimits`) with the connection: Node would read on to the end. */
export function closeSmallParts(app: FastifyInstance): void {
  const hasChunks = ({ headers }: { headers: Record<string, unknown> }) =>
    headers['transfer-encoding'] !== undefined
  app.addHook('onRequest', async ({ raw }) => {
    if (!hasChunks(raw)) return
    const push = raw.push.bind(raw)
    let parts = 0
    let bytes = 0
    // Before the part is kept: `data` comes when it is read, which may be later.
    raw.push = (part: Buffer | null, encoding) => {
      parts++
      bytes += part?.length ?? 0
      if (parts <= freeParts || bytes >= parts * minMeanPart) return push(part, encoding)
      raw.destroy()
      return false
    }
  })
  app.addHook('onSend', async (request, reply) => {
    if (hasChunks(request.raw)) closeAfterRefusal(request, reply)
  })
}

/** Closes connections that send many calls without waiting for replies (`connectionLimits`). */
export function limitPipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>()
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    // Requests that tests inject have no socket.
    if (!(socket instanceof Socket)) return
    const count = (unanswered.get(socket) ?? 0) + 1
    if (socket.destroyed || count > connectionLimits.unanswered) {
      socket.destroy()
      reply.hijack()
      return
    }
    unanswered.set(socket, count)
    whenClosed(reply.raw, () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1))
  })
}

/** A request that was sent before its client knew of the end arrives within this. */
const LAST_REQUEST_MILLISECONDS = 1000

/** After the signal to stop, each reply closes its connection; the next one then goes to another server. */
export function closeConnectionsWhenStopping(app: FastifyInstance): void {
  const { stopping } = app.deps
  app.addHook('onRequest', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}

/**
 * Takes no new connections, serves open ones for a second, then running requests for `finishSeconds`, so that
 * a client sees at most a refused connection.
 */
export async function stopListening(app: FastifyInstance, finishSeconds: number): Promise<void> {
  await untilIdle()
  // Not the `close` of an HTTP server, which closes idle connections at once: a request may be on its way.
  Server.prototype.close.call(app.server)
  await sleep(LAST_REQUEST_MILLISECONDS)
  const timer = setTimeout(() => app.server.closeAllConnections(), finishSeconds * 1000)
  await app.close()
  clearTimeout(timer)
}

const IDLE_MILLISECONDS = 1
/** An overloaded process has no such turn; orchestrators kill it 30 s after the signal. */
const MAX_MILLISECONDS = 2_000

/** Waits for an idle turn of the event loop. Closing resets connections that came in a busy one. */
async function untilIdle(): Promise<void> {
  const end = performance.now() + MAX_MILLISECONDS
  while (performance.now() < end) {
    const begun = performance.now()
    await turn()
    if (performance.now() - begun < IDLE_MILLISECONDS) return
  }
}
