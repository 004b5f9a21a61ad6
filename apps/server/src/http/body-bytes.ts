import type { FastifyRequest } from 'fastify'

/** The most bytes that the body can have; the limit of the route if it is chunked and states no length. */
export function bodyBytes({ headers, routeOptions }: FastifyRequest): number {
  if (headers['transfer-encoding'] !== undefined) return routeOptions.bodyLimit ?? 0
  return Number(headers['content-length'] ?? 0)
}
