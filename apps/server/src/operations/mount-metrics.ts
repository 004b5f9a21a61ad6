import { noticeMessages } from '@veridict/contract/messages/notices'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Deps } from '#deps.ts'
import { equalInConstantTime } from '#platform/identity/tokens.ts'
import { isLoopback } from '#env.ts'
import { forbidden } from '#errors.ts'
import { isServedHost } from '#platform/http/served-host.ts'
import { protections } from '#operations/find-degraded.ts'
import { countAll } from '#operations/counts.ts'
import { poolStateOf } from '#platform/database/database.ts'

/** `GET /metrics` in Prometheus' format. docs/OPERATIONS.md lists the names. */
export function mountMetrics(app: FastifyInstance): void {
  const { metrics, env } = app.deps
  app.addHook('onResponse', async (request, reply) => {
    const labels = {
      method: request.method,
      path: request.routeOptions.url ?? 'unknown',
      status: String(reply.statusCode),
    }
    metrics.calls.observe(labels, reply.elapsedTime / 1000)
    // An upload that administrators let be refused is no failure: it would wake them in each maintenance.
    const isStopped = reply.statusCode === 503 && Boolean(request.viewer?.uploadStop)
    if (reply.statusCode >= 500 && !isStopped) metrics.failures.inc({ kind: 'call' })
  })
  const measure = gauges(metrics.registry, app.deps)
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(request, env)) throw forbidden(noticeMessages.metricsClosed)
    await measure()
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics())
  })
}

/** What clients send themselves. A list of what proxies add would never be complete. */
const CLIENT_HEADERS = new RegExp(
  '^(?:accept|sec-|x-prometheus-)|^(?:host|connection|user-agent|authorization|apikey|cookie|priority|' +
    'cache-control|upgrade-insecure-requests)$',
)

/** Asks for the token. A demo, whose passwords are public, also lets a local client without a proxy read. */
function mayReadMetrics({ headers, socket, host }: FastifyRequest, env: Deps['env']): boolean {
  const { metricsToken: token } = env
  if (token !== null) return equalInConstantTime(headers.authorization ?? '', `Bearer ${token}`)
  const isDirect = Object.keys(headers).every((name) => CLIENT_HEADERS.test(name))
  return env.isDemo && isLoopback(socket.remoteAddress ?? '') && isDirect && isServedHost(host, env)
}

/** Metrics that are read at each request for them: the state of the database, the storage and the queue. */
function gauges(registry: Registry, deps: Deps): () => Promise<void> {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name: `veridict_${name}`, help, labelNames, registers: [registry] })
  const submissions = gauge('submissions', 'Submissions by status; final ones estimated if many', ['status'])
  const oldest = gauge('oldest_waiting_seconds', 'Age of the oldest submission without a final status')
  const depth = gauge('queue_depth', 'Jobs that wait', ['queue'])
  const mails = gauge('mails', 'E-mails that wait or were given up', ['state'])
  const webhooks = gauge('webhooks', 'Webhook messages that wait or were given up', ['state'])
  const auditLag = gauge('audit_lag_seconds', 'Age of the oldest entry of the audit trail without its hash')
  const workers = gauge('workers', 'Processes that take jobs')
  const stops = gauge('uploads_stopped_seconds', 'Seconds since uploads are stopped, 0: they are not', ['by'])
  const lastRuns = gauge('last_run_seconds', 'Seconds since the last run', ['job'])
  const pool = gauge('database_pool', 'Connections to the database, and calls that wait for one', ['state'])
  const database = gauge('database_available', '1 while the database can be read')
  const storage = gauge('storage_available', '1 while the storage is there and is the one of this database')
  const protection = gauge('protection', '1 while the database protects this, 0 if not', ['part'])
  const free = gauge('storage_free_bytes', 'Free bytes of the storage, where it has a limit')
  /** Of a gauge with one label. */
  const setEach = (gauge: Gauge<string>, values: Readonly<Record<string, number>>) => {
    for (const [label, value] of Object.entries(values)) gauge.labels(label).set(value)
  }
  return async () => {
    setEach(pool, poolStateOf(deps.db))
    const [work, isAvailable, space] = await Promise.all([
      countAll(deps).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'the database could not be read for the metrics')
        return null
      }),
      deps.storage.confirm().then(
        () => true,
        () => false,
      ),
      deps.storage.space().catch(() => null),
    ])
    storage.set(Number(isAvailable))
    free.set(space?.free ?? NaN)
    database.set(Number(work !== null))
    // The others keep their last values.
    if (work === null) return
    for (const [name, status] of Object.entries(SubmissionStatus)) {
      const count = work.submissions.get(status)
      if (count !== undefined) submissions.set({ status: name }, count)
    }
    auditLag.set(work.auditLagSeconds)
    oldest.set(work.oldestWaitingSeconds)
    for (const [queue, count] of work.queues) depth.set({ queue }, count)
    setEach(mails, work.mails)
    setEach(webhooks, work.webhooks)
    setEach(stops, work.stops)
    workers.set(work.workers)
    for (const part of protections) protection.set({ part }, Number(!work.degraded.includes(part)))
    for (const { job, ageSeconds } of work.lastRuns) lastRuns.set({ job }, ageSeconds)
  }
}
