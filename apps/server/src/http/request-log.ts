import type { FastifyInstance } from 'fastify'

/**
 * One line a call: what, how it ended, how long, who. The pattern of the path stands for the path and there
 * is no query, body or header, so that searches, tokens and addresses never reach the log.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      userId: request.viewer?.userId,
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'call')
    else request.log.debug(line, 'call')
  })
}
