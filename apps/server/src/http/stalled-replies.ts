import type { FastifyInstance } from 'fastify'

/** A shorter text fits into the buffers of the connection. */
const SHORT_TEXT = 16 * 1024

/**
 * Closes the connection of a client that takes no byte of a long reply for a time; Node also sees parts of a
 * chunk go. Otherwise clients that never read, also those without an account, would fill the memory.
 */
export function closeStalledReplies(app: FastifyInstance): void {
  app.addHook('onSend', async (_request, { raw }, payload) => {
    if (payload === undefined || payload === null) return
    if (typeof payload === 'string' && payload.length <= SHORT_TEXT) return
    raw.setTimeout(app.deps.limits.downloads.stalledMilliseconds, () => raw.destroy())
  })
}
