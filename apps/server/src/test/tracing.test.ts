import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '#db/database.ts'
import type { Database, UserRow } from '#db/tables.ts'
import { systemClock } from '#drivers/clock.ts'
import { createTokens } from '#drivers/tokens.ts'
import { buildAccessToken, buildAdministrator, buildDictionary, buildUser } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import {
  startSilentReceiver,
  startTraceReceiver,
  type ReceivedSpan,
  type TraceReceiver,
} from '#test/trace-receiver.ts'
import { uploadForm } from '#test/upload-form.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

const API_KEY = 'trace-test-key'
const TOKEN_SECRET = 's'.repeat(32)
/** The span of a program that uploads. */
const caller = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`

let database: TestDatabase
let dataDir: string
let db: Kysely<Database>
let clerk: UserRow
let token: string
let dictionaryId: number
let collector: TraceReceiver
let webhooks: WebhookReceiver
const running: PortalProcess[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'veridict-traces-'))
  db = openDatabase(database.url)
  await buildAdministrator(db)
  clerk = await buildUser(db)
  const companyId = clerk.companyId ?? 0
  dictionaryId = (await buildDictionary(db, { companyId })).id
  const tokens = createTokens({ secret: TOKEN_SECRET, accessTokenMinutes: 60 }, systemClock)
  token = await buildAccessToken({ db, tokens }, clerk)
  collector = await startTraceReceiver()
  webhooks = await startWebhookReceiver()
  await db.insertInto('webhooks').values({ companyId, url: webhooks.url, secretSalt: 'salt' }).execute()
})
afterAll(async () => {
  await Promise.all(running.map((portal) => portal.end('SIGKILL')))
  await collector.close()
  await webhooks.close()
  await db.destroy()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(roles: string, endpoint: string): Promise<PortalProcess> {
  const env = {
    API_KEY,
    TOKEN_SECRET,
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_PRIVATE: '1',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '100',
  }
  const portal = await startPortalProcess(env, roles)
  running.push(portal)
  return portal
}

async function upload(portal: PortalProcess, headers: Record<string, string> = {}): Promise<number> {
  const content = 'Name,Amount\nAda Lovelace,1.50\n'
  const form = await uploadForm(
    ['dataDictionaryId', String(dictionaryId)],
    ['file', content, 'claims-may.csv'],
  )
  const response = await fetch(`${portal.address}/api/FileSubmission`, {
    method: 'POST',
    headers: { ApiKey: API_KEY, authorization: `Bearer ${token}`, ...form.headers, ...headers },
    body: new Uint8Array(form.body),
  })
  expect(response.status).toBe(202)
  return ((await response.json()) as { value: { id: number } }).value.id
}

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

it.for(['is away', 'never answers'] as const)(
  'A collector of traces that %s changes neither uploads nor stops',
  async (kind) => {
    const receiver = await startSilentReceiver()
    if (kind === 'is away') await receiver.close()
    const portal = await start('web,worker', receiver.url)
    const id = await upload(portal)
    const status = () =>
      db.selectFrom('submissions').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    await expect.poll(status, { timeout: 30_000 }).toEqual({ status: 4 })
    // 1 if the stop had taken longer than it may.
    const ended = once(portal.child, 'exit')
    portal.child.kill('SIGTERM')
    expect(await ended).toEqual([0, null])
    if (kind === 'never answers') await receiver.close()
  },
)
