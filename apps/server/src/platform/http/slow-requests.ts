import type { FastifyInstance } from 'fastify'

const KIB = 1024
const PERIOD_MILLISECONDS = 30_000
/** Slower than any real connection. A slower client has stalled or blocks our sockets on purpose. */
const MIN_BYTES_PER_PERIOD = 16 * KIB

/**
 * Closes requests whose body comes too slowly or has stopped. A time limit on the whole request would also
 * close uploads of 25 MB over slow connections.
 */
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
