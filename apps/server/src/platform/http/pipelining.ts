import { Socket } from 'node:net'
import { connectionLimits } from '@veridict/contract/limits'
import type { FastifyInstance } from 'fastify'
import { whenClosed } from '#platform/http/when-closed.ts'

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
