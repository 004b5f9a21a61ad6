import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { callerAddress } from '#http/caller-address.ts'
import { inSpan } from '#http/trace-calls.ts'

/** No or a bad session, a missing right, a limit: what an attack looks like (ASVS 16.3). */
const REFUSED: readonly number[] = [401, 403, 429]

/**
 * Logs one line for each call, refused ones at the level `info` with the caller's address. It has the route's
 * pattern instead of the path, and neither query, body nor headers, so that searches and tokens are never
 * logged.
 */
export function logRequests(app: FastifyInstance): void {
  // The id that is in every line of the log about this call.
  app.addHook('onRequest', async (request, reply) => void reply.header('x-request-id', request.id))
  app.addHook('onResponse', async (request, reply) => inSpan(request, () => logCall(request, reply)))
}

function logCall(request: FastifyRequest, reply: FastifyReply): void {
  const line = {
    method: request.method,
    path: request.routeOptions.url ?? 'unknown',
    status: reply.statusCode,
    milliseconds: Math.round(reply.elapsedTime),
    ...callerOf(request.viewer),
  }
  if (reply.statusCode >= 500) request.log.warn(line, 'call')
  else if (REFUSED.includes(reply.statusCode))
    request.log.info({ ...line, address: callerAddress(request) }, 'refused')
  else request.log.debug(line, 'call')
}

const callerOf = (viewer: FastifyRequest['viewer']) =>
  viewer?.role === 'token' ? { tokenId: viewer.tokenId } : { userId: viewer?.userId }
