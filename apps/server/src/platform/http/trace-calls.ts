import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CallSpan, Tracing } from '#platform/telemetry/tracing.ts'
import { whenClosed } from '#platform/http/when-closed.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** null without tracing, and of requests that are no call of the contract: pages and health checks. */
    span: CallSpan | null
  }
}

export function traceCalls(app: FastifyInstance): void {
  app.decorateRequest('span', null)
}

/** Begins the span of a call, in the trace of the caller's `traceparent` if it has one. */
export function startSpan(request: FastifyRequest, { raw }: FastifyReply, tracing: Tracing): void {
  const call = { method: request.method, route: request.routeOptions.url ?? 'unknown' }
  const span = tracing.startCall(request.headers['traceparent'], call)
  if (span === null) return
  request.span = span
  whenClosed(raw, () => span.end(raw.writableFinished ? raw.statusCode : null))
}

/** Needed again in every step: Fastify calls some from events of the connection, which lose the span. */
export const inSpan = <T>({ span }: FastifyRequest, work: () => T): T => (span ? span.run(work) : work())
