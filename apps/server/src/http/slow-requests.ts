import type { FastifyInstance } from 'fastify'

const KIB = 1024
const PERIOD_MILLISECONDS = 30_000
/**
 * Slower than any line still in use; a sender below it is stalled or holds our sockets on purpose
 * (reliability, F4).
 */
const MIN_BYTES_PER_PERIOD = 16 * KIB

/**
 * Hangs up on requests whose body trickles in or has stopped coming. A limit on the whole request would be
 * simpler, and would cut honest uploads of 25 MB over slow lines.
 */
export function closeSlowRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.headers['content-length'] === undefined && raw.headers['transfer-encoding'] === undefined) return
    let seen = raw.socket.bytesRead
    const timer = setInterval(() => {
      if (raw.complete) return clearInterval(timer)
      if (raw.socket.bytesRead - seen < MIN_BYTES_PER_PERIOD) raw.destroy()
      seen = raw.socket.bytesRead
    }, PERIOD_MILLISECONDS).unref()
    raw.once('close', () => clearInterval(timer))
  })
}
