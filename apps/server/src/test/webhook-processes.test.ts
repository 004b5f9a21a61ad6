import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'
import { buildAdministrator, buildCompany, buildSubmission } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import { startWebhookReceiver, type WebhookReceiver } from '#test/webhook-receiver.ts'

let database: TestDatabase
let dataDir: string
let db: Db
let receiver: WebhookReceiver
let portals: PortalProcess[]

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'veridict-webhooks-'))
  db = openDatabase(database.url)
  await buildAdministrator(db)
  receiver = await startWebhookReceiver()
  portals = [await start(), await start()]
})
afterAll(async () => {
  await Promise.all(portals.map((portal) => portal.end('SIGKILL')))
  await receiver.close()
  await db.destroy()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () =>
  startPortalProcess({
    API_KEY: 'webhook-test-key',
    TOKEN_SECRET: 's'.repeat(32),
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    WEBHOOK_ALLOW_PRIVATE: '1',
    LOG_LEVEL: 'silent',
  })

/** Adds messages of a new company to the outbox; returns their ids. */
async function addMessages(count: number): Promise<string[]> {
  const { id: companyId } = await buildCompany(db)
  // In a final status: recovery would settle another one, which adds a message of its own.
  const status = SubmissionStatus.IngestionSuccess
  const { id: submissionId } = await buildSubmission(db, { companyId, status })
  await db.insertInto('webhooks').values({ companyId, url: receiver.url, secretSalt: 'salt' }).execute()
  const messages = Array.from({ length: count }, () => ({
    companyId,
    submissionId,
    messageId: `msg_${crypto.randomUUID()}`,
    body: '{}',
  }))
  await db.insertInto('webhookDeliveries').values(messages).execute()
  return messages.map(({ messageId }) => messageId)
}

const receivedIds = () => receiver.received.map(({ headers }) => String(headers['webhook-id']))
const waiting = () =>
  db.selectFrom('webhookDeliveries').where('deliveredAt', 'is', null).select('id').execute()
async function allDelivered() {
  await expect.poll(waiting).toEqual([])
}

describe('Two servers', () => {
  it('send each message once', async () => {
    const ids = [...(await addMessages(15)), ...(await addMessages(15)), ...(await addMessages(15))]
    await allDelivered()
    expect(receivedIds().toSorted()).toEqual(ids.toSorted())
  })

  it('send a message again, with its id, when one is killed before the response', async () => {
    receiver.received.length = 0
    receiver.respond = async (response) => {
      receiver.respond = (later) => later.writeHead(204).end()
      await Promise.all(portals.map((portal) => portal.end('SIGKILL')))
      response.destroy()
    }
    const [id] = await addMessages(1)
    await expect.poll(() => portals.every(({ child }) => child.signalCode !== null)).toBe(true)
    portals = [await start()]
    // The claim of the dead process would end after a minute.
    await db
      .updateTable('webhookDeliveries')
      .set({ nextAttemptAt: new Date(Date.now() - 1000) })
      .execute()
    await allDelivered()
    expect(receivedIds()).toEqual([id, id])
  })
})
