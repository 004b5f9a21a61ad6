import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Closes the connection of a client that takes no byte of a reply for a time; Node also sees parts of a chunk
 * go. Otherwise clients that never read, also those without an account, would fill the memory: with one long
 * reply, or with short ones to many requests that they sent at once.
 */
export function closeStalledReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, { raw }) => {
    raw.setTimeout(app.deps.limits.downloads.stalledMilliseconds, () => raw.destroy())
    // Else it would go on for the next call, if that was sent after this one, while it is worked on. Before
    // Node's own listener, which sets the time of a connection that waits for a call.
    // Requests that tests inject have no socket.
    raw.prependOnceListener('finish', () => void (raw.socket instanceof Socket && raw.socket.setTimeout(0)))
  })
}
