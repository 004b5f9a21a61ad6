import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PortalProcess } from '#test/portal-process.ts'
import { findRow } from '#test/submission-fixture.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'
import {
  startSilentReceiver,
  startTraceReceiver,
  type ReceivedSpan,
  type TraceReceiver,
} from '#test/trace-receiver.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

/** The span of a program that uploads. */
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

let portals: TestPortals
let collector: TraceReceiver
let webhooks: WebhookReceiver

beforeAll(async () => {
  portals = await createTestPortals({ WEBHOOK_ALLOW_PRIVATE: '1', OTEL_BSP_SCHEDULE_DELAY: '100' })
  collector = await startTraceReceiver()
  webhooks = await startWebhookReceiver()
  const companyId = portals.uploader.clerk.companyId ?? 0
  await portals.db
    .insertInto('webhooks')
    .values({ companyId, url: webhooks.url, secretSalt: 'salt' })
    .execute()
})
afterAll(async () => {
  await portals.close()
  await collector.close()
  await webhooks.close()
})

const start = (roles: string, endpoint: string) =>
  portals.start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, roles)
const upload = (portal: PortalProcess, headers: Record<string, string> = {}) =>
  portals.uploader.upload(portal, 'claims-may.csv', 'Name,Amount\nAda Lovelace,1.50\n', { headers })

/** One line for each span below `parent`, indented by its depth, in the order of the alphabet. */
const treeOf = (spans: readonly ReceivedSpan[], parent: string, depth = 0): string[] =>
  spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .flatMap(({ name, spanId }) => [`${'  '.repeat(depth)}${name}`, ...treeOf(spans, spanId, depth + 1)])

const ofResource = (key: string) =>
  new Set(
    collector.spans.map(
      ({ resource }) => resource.find((attribute) => attribute.key === key)?.value.stringValue,
    ),
  )

it('An upload is one trace, from the call to its e-mail and webhook, in two processes', async () => {
  const web = await start('web', collector.url)
  await start('worker', collector.url)
  const id = await upload(web, { traceparent })
  const spans = () => collector.spans.filter(({ traceId }) => traceId === caller.traceId)
  await expect
    .poll(() => treeOf(spans(), caller.spanId), { timeout: 30_000 })
    .toEqual([
      'POST /api/FileSubmission',
      '  commit',
      '    validateSubmission',
      '      ingest',
      '        send e-mail',
      '        send webhook',
      '      settle',
      '      validate',
      '        validator',
      '  receive',
      '  store',
    ])
  expect(ofResource('service.name')).toEqual(new Set(['veridict']))
  expect(ofResource('service.instance.id').size).toBe(2)
  const job = spans().find(({ name }) => name === 'validateSubmission')
  expect(job?.attributes).toEqual([{ key: 'veridict.submission.id', value: { intValue: id } }])
  const call = spans().find(({ name }) => name.startsWith('POST'))
  expect(call?.attributes.toSorted((a, b) => a.key.localeCompare(b.key))).toEqual([
    { key: 'http.request.method', value: { stringValue: 'POST' } },
    { key: 'http.response.status_code', value: { intValue: 202 } },
    { key: 'http.route', value: { stringValue: '/api/FileSubmission' } },
  ])
  expect(JSON.stringify(collector.spans)).not.toMatch(/Lovelace|claims-may|@example/)
})

it.for(['is unavailable', 'never responds'] as const)(
  'A collector of traces that %s changes neither uploads nor stops',
  async (kind) => {
    const receiver = await startSilentReceiver()
    if (kind === 'is unavailable') await receiver.close()
    const portal = await start('web,worker', receiver.url)
    const id = await upload(portal)
    const row = () => findRow(portals.db, id)
    await expect.poll(row, { timeout: 30_000 }).toMatchObject({ status: 4 })
    // 1 if the stop had taken longer than it may.
    const ended = once(portal.child, 'exit')
    portal.child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    if (kind === 'never responds') await receiver.close()
  },
)
