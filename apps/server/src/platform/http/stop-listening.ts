import { Server } from 'node:net'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

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
 * Ends a server so that a client sees at most a refused connection: takes no new connections, then serves
 * what still comes on open ones for a second, then lets running requests finish, for `finishSeconds` at most.
 */
export async function stopListening(app: FastifyInstance, finishSeconds: number): Promise<void> {
  await untilIdle()
  // Not the `close` of an HTTP server, which also closes connections without a request at once: one may be on
  // its way there.
  Server.prototype.close.call(app.server)
  await sleep(LAST_REQUEST_MILLISECONDS)
  const timer = setTimeout(() => app.server.closeAllConnections(), finishSeconds * 1000)
  await app.close()
  clearTimeout(timer)
}

const IDLE_MILLISECONDS = 1
/** An overloaded process has no such turn; orchestrators kill it 30 s after the signal. */
const MAX_MILLISECONDS = 2_000

/**
 * Waits for a turn of the event loop that took no time. Closing resets the connections that came since the
 * last ones were taken, and while the process is busy, some do.
 */
async function untilIdle(): Promise<void> {
  const end = performance.now() + MAX_MILLISECONDS
  while (performance.now() < end) {
    const begun = performance.now()
    await turn()
    if (performance.now() - begun < IDLE_MILLISECONDS) return
  }
}
