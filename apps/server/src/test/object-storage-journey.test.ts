import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildApp } from '#app.ts'
import { buildDeps, type Runtime } from '#build-deps.ts'
import type { UserRow } from '#db/tables.ts'
import { readEnv } from '#env.ts'
import { startMaintenance } from '#jobs/periodic-work.ts'
import { buildAccessToken, buildDictionary, buildUser } from '#test/factories.ts'
import { createFaultProxy, type FaultProxy } from '#test/fault-proxy.ts'
import { objectStores, type TestStore } from '#test/object-stores.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import { uploadForm } from '#test/upload-form.ts'

const { IngestionSuccess, ValidationFailed } = SubmissionStatus
const soon = { timeout: 40_000, interval: 50 }
const workbook = new URL('../../../../samples/claims-clean.xlsx', import.meta.url)

describe.each(objectStores())('A portal with its files in $name', ({ start }) => {
  let database: TestDatabase
  let store: TestStore
  let proxy: FaultProxy
  let dataDir: string
  let runtime: Runtime
  let app: Awaited<ReturnType<typeof buildApp>>
  let stopMaintenance: () => void
  let clerk: UserRow
  let headers: Record<string, string>
  let dictionaryId: number

  beforeAll(async () => {
    database = await createTestDatabase()
    store = await start()
    proxy = await createFaultProxy(store.address)
    dataDir = await mkdtemp(join(tmpdir(), 'veridict-objects-'))
    const { storageUrl, azureConnectionString } = store.settings(proxy.address)
    const env = readEnv({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      STORAGE_URL: storageUrl,
      AZURE_STORAGE_CONNECTION_STRING: azureConnectionString ?? '',
    })
    const settings = { ...env, databaseUrl: database.url, apiKey: 'objects-key', tokenSecret: 's'.repeat(32) }
    runtime = await buildDeps(settings, pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }))
    const { deps, queue } = runtime
    await deps.storage.confirm()
    await queue.work(deps)
    stopMaintenance = startMaintenance(deps)
    app = await buildApp(deps)
    clerk = await buildUser(deps.db)
    dictionaryId = (await buildDictionary(deps.db, { companyId: clerk.companyId ?? 0 })).id
    headers = { ApiKey: 'objects-key', authorization: `Bearer ${await buildAccessToken(deps, clerk)}` }
  })
  afterAll(async () => {
    stopMaintenance()
    await app.close()
    await runtime.close()
    await proxy.close()
    await store.close()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })

  async function upload(fileName: string, content: string | Buffer) {
    const form = await uploadForm(['file', content, fileName], ['dataDictionaryId', String(dictionaryId)])
    const url = '/api/FileSubmission'
    const reply = await app.inject({
      method: 'POST',
      url,
      headers: { ...headers, ...form.headers },
      payload: form.body,
    })
    return { status: reply.statusCode, id: (reply.json() as { value?: { id: number } }).value?.id ?? 0 }
  }
  const rowOf = (id: number) =>
    runtime.deps.db.selectFrom('submissions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const statusOf = async (id: number) => (await rowOf(id)).status

  it('is ready, and takes a file to its company folder', async () => {
    expect((await app.inject('/api/ready')).statusCode).toBe(200)
    const csv = `Name,Amount\n${'Ada,1.50\n'.repeat(100_000)}`
    const { status, id } = await upload('claims.csv', csv)
    expect(status).toBe(202)
    await expect.poll(() => statusOf(id), soon).toBe(IngestionSuccess)
    const row = await rowOf(id)
    expect(row.recordsCount).toBe(100_000)
    const stored = await Array.fromAsync(runtime.deps.storage.read(row.targetPath ?? ''))
    expect(Buffer.concat(stored).toString()).toBe(csv)
    await expect.poll(() => runtime.deps.storage.exists(`.sources/${row.storageKey}`), soon).toBe(false)
  })

  it('reports errors of a file, and generates its error files', async () => {
    const { id } = await upload('faulty.csv', 'Name,Amount\nAda,one\n')
    await expect.poll(() => statusOf(id), soon).toBe(ValidationFailed)
    for (const kind of ['Simple', 'Highlighted']) {
      const reply = await app.inject({ url: `/api/ErrorFile/${id}/${kind}`, headers })
      expect([reply.statusCode, reply.rawPayload.subarray(0, 2).toString()]).toEqual([200, 'PK'])
    }
  })

  it('reads a workbook through a local copy', async () => {
    const { id } = await upload('claims.xlsx', await readFile(workbook))
    await expect.poll(() => statusOf(id), soon).toBe(ValidationFailed)
    expect(await rowOf(id)).toMatchObject({ errorType: 1 })
  })

  it('refuses uploads and lets files wait while the store fails, and goes on', async () => {
    const { id } = await upload('waits.csv', 'Name,Amount\nAda,1.50\n')
    proxy.break()
    expect((await app.inject('/api/ready')).json()).toEqual({ message: 'Not ready: storage.' })
    expect((await upload('refused.csv', 'Name,Amount\nAda,1.50\n')).status).toBe(503)
    expect([0, 1, 3, IngestionSuccess]).toContain(await statusOf(id))
    proxy.restore()
    await expect.poll(() => statusOf(id), soon).toBe(IngestionSuccess)
    expect((await app.inject('/api/ready')).statusCode).toBe(200)
    expect((await readdir(join(dataDir, 'objects'))).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})
