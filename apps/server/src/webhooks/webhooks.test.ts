import { createHmac, randomUUID } from 'node:crypto'
import { webhookMessages } from '@veridict/contract/messages/webhooks'
import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { createWebhookSender } from '#platform/webhooks/webhook-sender.ts'
import { type MovedSubmission, moveSubmission } from '#submissions/submission-moves.ts'
import { claimDeliveries, deleteOldDeliveries, deliveryClaim } from '#webhooks/webhooks.ts'
import { settleValidation } from '#submissions/settle-validation.ts'
import { deliverWebhooks, queueWebhook } from '#webhooks/deliver-webhooks.ts'
import { buildCompany, buildSubmission } from '#test/factories.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'
import { ingestSubmission } from '#test/run-submission.ts'
import { type ReceivedWebhook, startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

const {
  InProcess,
  ValidationFailed,
  ValidationPassed,
  IngestionSuccess,
  IngestionFailed,
  IngestionFileNotFound,
} = SubmissionStatus

let portal: TestApp
let receiver: WebhookReceiver
let companyId: number
beforeAll(async () => {
  portal = await createTestApp({ webhookAllowPrivate: true })
  companyId = portal.clerk.companyId ?? 0
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate webhooks, webhook_deliveries`.execute(portal.owner)
  portal.wakened.length = 0
  receiver = await startWebhookReceiver()
})
afterEach(() => receiver.close())

const url = (id = companyId) => `/api/Company/${id}/Webhook`
const set = (address: unknown, id = companyId) =>
  portal.call('PUT', url(id), { as: portal.administrator, body: { url: address } })
const secretOf = async (address: string, id = companyId): Promise<string> =>
  (await set(address, id)).json().value.secret
const read = async () => (await portal.call('GET', url(), { as: portal.administrator })).json().value
const rows = () => portal.deps.db.selectFrom('webhookDeliveries').selectAll().orderBy('id').execute()
const deliver = () => deliverWebhooks(portal.deps)
const makeDue = () =>
  portal.deps.db
    .updateTable('webhookDeliveries')
    .set({ nextAttemptAt: new Date(Date.now() - 1000) })
    .execute()
const fail = (status: number) => {
  receiver.respond = (response) => response.writeHead(status).end()
}

type PlanNode = {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}
/** Rows of the outbox that a plan read, as PostgreSQL counted them. */
function rowsRead(node: PlanNode): number {
  const own = node['Relation Name'] === 'webhook_deliveries' ? 1 : 0
  const each = node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
  const below = (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0)
  return own * each * node['Actual Loops'] + below
}

/** Queues the message about a submission of the company that just failed validation. */
async function queue(id = companyId): Promise<SubmissionRow> {
  const counts = { recordsCount: 10, errorRowCount: 3 }
  const built = await buildSubmission(portal.deps.db, { companyId: id, status: InProcess, ...counts })
  return portal.deps.db.transaction().execute(async (trx) => {
    const move = { from: InProcess, to: ValidationFailed }
    const submission = (await moveSubmission(trx, built.id, move)) as MovedSubmission
    await queueWebhook(submission, trx, portal.deps)
    return submission
  })
}

const verified = ({ body, headers }: ReceivedWebhook, secret: string) =>
  new Webhook(secret).verify(body, headers as Record<string, string>)

describe('A webhook', () => {
  it('is set with a secret that only this reply has, replaced by the next, and removed', async () => {
    expect(await read()).toMatchObject({ url: null })
    const reply = await set(receiver.url)
    expect(reply.json().successMessage).toBe(webhookMessages.set)
    const { secret } = reply.json().value
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32)
    expect(await read()).toEqual({ url: receiver.url, waitingCount: 0, lastProblem: null })
    const [row] = await portal.deps.db.selectFrom('webhooks').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(secret.slice('whsec_'.length))
    expect(await secretOf(receiver.url)).not.toBe(secret)
    expect((await set(null)).json().value).toEqual({ url: null, secret: null })
    expect(await read()).toMatchObject({ url: null })
  })

  it.for([
    ['', webhookMessages.urlInvalid],
    ['example.com', webhookMessages.urlInvalid],
    ['ftp://example.com/', webhookMessages.urlInvalid],
    ['file:///etc/passwd', webhookMessages.urlInvalid],
    ['https://exa mple.com/', webhookMessages.urlInvalid],
    ['https://', webhookMessages.urlInvalid],
    ['https://me:word@example.com/', webhookMessages.credentials],
  ] as const)('is refused with the address "%s"', async ([address, message]) => {
    const reply = await set(address)
    expect(reply.statusCode).toBe(400)
    expect(reply.json().errors).toEqual({ url: [message] })
  })

  it('may not lead into a private network, unless a setting allows it', async () => {
    const { webhooks } = portal.deps
    portal.app.deps.webhooks = createWebhookSender({ allowPrivate: false })
    try {
      const reply = await set('https://127.0.0.1/')
      expect(reply.statusCode).toBe(400)
      expect(reply.json().errors).toEqual({ url: [webhookMessages.privateAddress] })
      expect((await set(receiver.url)).json().errors).toEqual({ url: [webhookMessages.httpsRequired] })
      expect(await read()).toMatchObject({ url: null })
    } finally {
      portal.app.deps.webhooks = webhooks
    }
  })

  it('needs a company that exists', async () => {
    const missing = 2_000_000_000
    expect((await set(receiver.url, missing)).statusCode).toBe(404)
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/Test'],
    ] as const) {
      const reply = await portal.call(method, url(missing) + path, { as: portal.administrator })
      expect(reply.statusCode).toBe(404)
    }
  })

  it('is in the audit trail without what may be a secret of the receiver', async () => {
    const secret = await secretOf(`${receiver.url}?key=hidden`)
    const entries = portal.deps.db.selectFrom('auditEntries').where('action', '=', 'webhook.set').selectAll()
    const entry = (await entries.orderBy('id', 'desc').execute())[0]
    expect(entry).toMatchObject({
      actorEmail: portal.administrator.email,
      companyId,
      detail: { before: { sentTo: null }, after: { sentTo: new URL(receiver.url).origin } },
    })
    expect(JSON.stringify(entry)).not.toContain('hidden')
    expect(JSON.stringify(entry)).not.toContain(secret)
  })
})

describe('A test of a webhook', () => {
  const test = () => portal.call('POST', `${url()}/Test`, { as: portal.administrator })

  it('sends a signed message and returns the status', async () => {
    const secret = await secretOf(receiver.url)
    expect((await test()).json().value).toEqual({ status: 204, problem: null })
    expect(verified(receiver.received[0], secret)).toMatchObject({ type: 'webhook.test', data: {} })
    fail(500)
    expect((await test()).json().value).toEqual({ status: 500, problem: null })
  })

  it('says why there was no response', async () => {
    await set(receiver.url)
    await receiver.close()
    expect((await test()).json().value).toEqual({ status: null, problem: webhookMessages.noConnection })
    receiver = await startWebhookReceiver()
  })

  it('needs a webhook', async () => {
    expect((await test()).statusCode).toBe(404)
  })
})

describe('The message about a submission', () => {
  it('is signed, and has what the history shows', async () => {
    const secret = await secretOf(receiver.url)
    const { id, fileName, updatedAt } = await queue()
    expect(portal.wakened).toEqual(['deliverWebhooks'])
    await deliver()
    expect(receiver.received).toHaveLength(1)
    const [{ headers, body }] = receiver.received
    expect(verified(receiver.received[0], secret)).toEqual({
      type: 'submission.final',
      timestamp: updatedAt.toISOString(),
      data: { id, fileName, status: ValidationFailed, recordsCount: 10, errorRowCount: 3 },
    })
    // The same by hand: https://www.standardwebhooks.com, "Signature scheme".
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signed = `${String(headers['webhook-id'])}.${String(headers['webhook-timestamp'])}.${body}`
    const signature = createHmac('sha256', key).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${signature}`)
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  it.for([
    {
      status: ValidationFailed,
      async settle() {
        const leaseId = randomUUID()
        const submission = await buildSubmission(portal.deps.db, { companyId, status: InProcess, leaseId })
        const problem = { errorType: ErrorType.NoRows, message: 'There are no rows.', details: [] }
        await settleValidation({ submission, leaseId }, { kind: 'fileProblem', problem }, portal.deps)
      },
    },
    {
      status: IngestionSuccess,
      async settle() {
        const { id } = await buildStoredSubmission(portal.deps, { companyId, status: ValidationPassed })
        await ingestSubmission(id, portal.deps, new AbortController().signal)
      },
    },
    {
      status: IngestionFileNotFound,
      async settle() {
        const { id } = await buildSubmission(portal.deps.db, { companyId, status: IngestionFailed })
        const retry = { as: portal.clerk, body: { FileId: id } }
        expect(
          (await portal.call('POST', '/api/FileSubmission/retryingestionupload', retry)).statusCode,
        ).toBe(409)
      },
    },
  ])('is queued with the move to status $status', async ({ status, settle }) => {
    await set(receiver.url)
    await settle()
    expect((await rows()).map(({ body }) => JSON.parse(body).data.status)).toEqual([status])
  })

  it('is not queued for a storage error, which a retry may still change', async () => {
    await set(receiver.url)
    const { id, storageKey } = await buildStoredSubmission(portal.deps, {
      companyId,
      status: ValidationPassed,
    })
    await portal.deps.storage.delete(`.sources/${storageKey}`)
    await ingestSubmission(id, portal.deps, new AbortController().signal)
    const { status } = await portal.deps.db
      .selectFrom('submissions')
      .where('id', '=', id)
      .select('status')
      .executeTakeFirstOrThrow()
    expect(status).toBe(IngestionFailed)
    expect(await rows()).toEqual([])
  })

  it('is not queued without a webhook, or if the move is rolled back', async () => {
    await queue()
    await set(receiver.url)
    const { id } = await buildSubmission(portal.deps.db, { companyId, status: InProcess })
    const failing = portal.deps.db.transaction().execute(async (trx) => {
      const submission = await moveSubmission(trx, id, { from: InProcess, to: ValidationFailed })
      await queueWebhook(submission as MovedSubmission, trx, portal.deps)
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    expect(await rows()).toEqual([])
  })
})

describe('A delivery', () => {
  it.for([500, 404, 301, 307])('that gets %i is sent again within 10 s with the same id', async (status) => {
    const secret = await secretOf(receiver.url)
    await queue()
    fail(status)
    await deliver()
    const [row] = await rows()
    expect(row).toMatchObject({ attempts: 1, deliveredAt: null, lastError: `status ${status}` })
    expect(row.nextAttemptAt.getTime() - Date.now()).toBeLessThan(4_000)
    expect(await read()).toMatchObject({ waitingCount: 1, lastProblem: `status ${status}` })
    await deliver()
    expect(receiver.received).toHaveLength(1)
    await makeDue()
    receiver.respond = (response) => response.writeHead(202).end()
    await deliver()
    const [first, second] = receiver.received
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
    expect(verified(second, secret)).toEqual(verified(first, secret))
    expect((await rows())[0]).toMatchObject({ attempts: 2, deliveredAt: expect.any(Date), lastError: null })
  })

  it('is tried for a day with growing delays, and then given up', async () => {
    await set(receiver.url)
    await queue()
    fail(503)
    const delays: number[] = []
    for (;;) {
      await makeDue()
      await deliver()
      const [row] = await rows()
      if (row.givenUpAt !== null) break
      delays.push(Math.round((row.nextAttemptAt.getTime() - Date.now()) / 1000))
    }
    expect(delays).toEqual(delays.toSorted((one, other) => one - other))
    const hours = delays.reduce((sum, delay) => sum + delay) / 3600
    expect([hours > 23, hours < 25]).toEqual([true, true])
    const { length } = receiver.received
    await makeDue()
    await deliver()
    expect(receiver.received).toHaveLength(length)
  })

  it('whose process dies after the receiver took it is sent again with the same id', async () => {
    await set(receiver.url)
    await queue()
    const [claimed] = await claimDeliveries(portal.deps.db, { limit: 20, hasFailed: false, except: [] })
    await deliver()
    expect(receiver.received).toEqual([])
    await makeDue()
    await deliver()
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([claimed.messageId])
  })

  it('is made once by many workers', async () => {
    const companies = [
      companyId,
      ...(await Promise.all([1, 2, 3].map(() => buildCompany(portal.deps.db)))).map(({ id }) => id),
    ]
    for (const id of companies) {
      await set(receiver.url, id)
      for (let count = 0; count < 5; count++) await queue(id)
    }
    await Promise.all(Array.from({ length: 8 }, deliver))
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect(ids).toHaveLength(companies.length * 5)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('to a receiver that does not respond delays no message of another company', async () => {
    const other = await buildCompany(portal.deps.db)
    const silent = await startWebhookReceiver()
    silent.respond = () => {}
    await set(silent.url)
    await set(receiver.url, other.id)
    for (let count = 0; count < 5; count++) await queue()
    await queue(other.id)
    const run = deliver()
    await until(() => silent.received.length === 1 && receiver.received.length === 1)
    for (let count = 0; count < 20; count++) await queue(other.id)
    await until(() => receiver.received.length === 21)
    expect(silent.received).toHaveLength(1)
    await silent.close()
    await run
  })

  it('to any number of receivers that do not respond delays no company whose receiver does', async () => {
    const silent = await startWebhookReceiver()
    silent.respond = () => {}
    for (let count = 0; count < 25; count++) {
      const { id } = await buildCompany(portal.deps.db)
      await set(silent.url, id)
      for (let message = 0; message < 2; message++) await queue(id)
    }
    // As after the first attempts.
    const failed = { lastError: 'it did not respond', nextAttemptAt: new Date(Date.now() - 60_000) }
    await portal.deps.db.updateTable('webhookDeliveries').set(failed).execute()
    await set(receiver.url)
    const stop = new AbortController()
    const run = deliverWebhooks(portal.deps, stop.signal)
    await until(() => silent.received.length === 20)
    for (let count = 0; count < 5; count++) await queue()
    await until(() => receiver.received.length === 5)
    expect(silent.received).toHaveLength(20)
    stop.abort()
    await silent.close()
    await run
  })

  it('is claimed without reading what else waits, due or not', async () => {
    for (const nextAttempt of ['-1 second', '1 hour']) {
      const { id } = await buildCompany(portal.deps.db)
      await set(receiver.url, id)
      const submission = await buildSubmission(portal.deps.db, { companyId: id })
      await sql`
        insert into webhook_deliveries (company_id, submission_id, message_id, body, next_attempt_at)
        select ${id}, ${submission.id}, ${id} || '-' || number, '{}', now() + ${nextAttempt}::interval
        from generate_series(1, 5000) as number
      `.execute(portal.owner)
    }
    await sql`analyze webhook_deliveries`.execute(portal.owner)
    const claim = deliveryClaim({ limit: 20, hasFailed: false, except: [] })
    const { rows: plans } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`
      explain (analyze, timing off, format json) ${claim}
    `.execute(portal.deps.db)
    expect(rowsRead(plans[0]!['QUERY PLAN'][0].Plan)).toBeLessThan(20)
    expect((await rows()).filter(({ attempts }) => attempts === 1)).toHaveLength(1)
  })

  it('goes on at once when the clock was set back', async () => {
    await set(receiver.url)
    await queue()
    const nextAttemptAt = new Date(Date.now() + 30 * 86_400_000)
    await portal.deps.db.updateTable('webhookDeliveries').set({ nextAttemptAt }).execute()
    await deliver()
    expect(receiver.received).toHaveLength(1)
  })

  it('that waits goes to a new address at once, signed with the new secret', async () => {
    await set('http://127.0.0.1:9/gone')
    await queue()
    await deliver()
    expect((await rows())[0].lastError).toBe(webhookMessages.noConnection)
    const secret = await secretOf(receiver.url)
    await deliver()
    expect(verified(receiver.received[0], secret)).toMatchObject({ type: 'submission.final' })
  })

  it.for([
    { what: 'the webhook is removed', end: (id: number) => set(null, id) },
    {
      what: 'the company is deleted',
      end: (id: number) => portal.call('DELETE', `/api/Company/${id}`, { as: portal.administrator }),
    },
  ])('that waits is dropped when $what', async ({ end }) => {
    const { id } = await buildCompany(portal.deps.db)
    await set(receiver.url, id)
    await queue(id)
    expect((await end(id)).statusCode).toBe(200)
    await makeDue()
    await deliver()
    expect(receiver.received).toEqual([])
    expect(await rows()).toEqual([])
  })

  it('that is queued while the webhook is removed is deleted with the old ones', async () => {
    const { id } = await buildCompany(portal.deps.db)
    await set(receiver.url, id)
    const submission = await buildSubmission(portal.deps.db, { companyId: id, status: IngestionSuccess })
    await portal.deps.db.transaction().execute(async (trx) => {
      await queueWebhook({ ...submission, hasWebhook: true } as MovedSubmission, trx, portal.deps)
      // Sends the insertion, which waits for the next statement.
      await trx.selectFrom('webhookDeliveries').select('id').execute()
      await set(null, id)
    })
    await portal.owner
      .updateTable('webhookDeliveries')
      .set({ createdAt: new Date(Date.now() - 30 * 86_400_000) })
      .execute()
    await deliver()
    expect(await rows()).toHaveLength(1)
    await deleteOldDeliveries(portal.deps.db, 29)
    expect(await rows()).toEqual([])
  })
})
