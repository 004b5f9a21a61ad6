import { sessionMessages } from '@veridict/contract/messages/session'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#drivers/tokens.ts'
import { isLoopback } from '#env.ts'
import { forbidden } from '#errors.ts'
import { countWork } from '#services/operations/counts.ts'

/** Seconds; from a short query to an upload of 25 MB over a slow connection. */
const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.5, 1, 2.5, 5, 10, 30, 120]

/** `GET /metrics` in Prometheus' format: process, calls, submissions and e-mails. */
export function mountMetrics(app: FastifyInstance): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  timeCalls(app, registry)
  const measureWork = workGauges(registry, app.deps)
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, app.deps.env.metricsToken)) throw forbidden(sessionMessages.notAllowed)
    await measureWork()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/**
 * With a token set, its owner; else this machine only, and not through a proxy, which would hide the address.
 */
function mayReadMetrics(request: FastifyRequest, token: string | null): boolean {
  if (token !== null) return equalInConstantTime(request.headers.authorization ?? '', `Bearer ${token}`)
  const isProxied =
    request.headers['x-forwarded-for'] !== undefined || request.headers['forwarded'] !== undefined
  return !isProxied && isLoopback(request.socket.remoteAddress ?? '')
}

function timeCalls(app: FastifyInstance, registry: Registry): void {
  const durations = new Histogram({
    name: 'veridict_http_request_duration_seconds',
    help: 'Time from request to reply, by pattern of the path',
    labelNames: ['method', 'path', 'status'],
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      path: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    durations.observe(labels, reply.elapsedTime / 1000)
  })
}

function workGauges(registry: Registry, deps: Deps): () => Promise<void> {
  const submissions = new Gauge({
    name: 'veridict_submissions',
    help: 'Submissions by status',
    labelNames: ['status'],
    registers: [registry],
  })
  const mails = new Gauge({
    name: 'veridict_mails',
    help: 'E-mails that wait or were given up',
    labelNames: ['state'],
    registers: [registry],
  })
  const storage = new Gauge({
    name: 'veridict_storage_available',
    help: '1 while the storage is there and is the one of this database',
    registers: [registry],
  })
  return async () => {
    const isAvailable = deps.storage.confirm().then(
      () => true,
      () => false,
    )
    storage.set(Number(await isAvailable))
    const work = await countWork(deps)
    for (const [name, status] of Object.entries(SubmissionStatus))
      submissions.set({ status: name }, work.submissions.get(status) ?? 0)
    mails.set({ state: 'waiting' }, work.mails.waiting)
    mails.set({ state: 'parked' }, work.mails.parked)
  }
}
