import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Logs one line for each call. It has the route's pattern instead of the path, and neither query, body nor
 * headers, so that searches, tokens and addresses are never logged.
 */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => {
    const line = {
      method: request.method,
      path: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      milliseconds: Math.round(reply.elapsedTime),
      ...callerOf(request.viewer),
    }
    if (reply.statusCode >= 500) request.log.warn(line, 'call')
    else request.log.debug(line, 'call')
  })
}

const callerOf = (viewer: FastifyRequest['viewer']) =>
  viewer?.role === 'token' ? { tokenId: viewer.tokenId } : { userId: viewer?.userId }
