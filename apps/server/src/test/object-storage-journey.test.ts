import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFaultProxy, type FaultProxy } from '#test/fault-proxy.ts'
import { objectStores, type TestStore } from '#test/object-stores.ts'
import { findRow } from '#test/submission-fixture.ts'
import { buildUploader, type Uploader } from '#test/uploader.ts'
import { startWholePortal, type WholePortal } from '#test/whole-portal.ts'

const { IngestionSuccess, ValidationFailed } = SubmissionStatus
const soon = { timeout: 40_000, interval: 50 }
const workbook = new URL('../../../../samples/claims-clean.xlsx', import.meta.url)

describe.each(objectStores())('A portal with its files in $name', ({ start }) => {
  let store: TestStore
  let proxy: FaultProxy
  let portal: WholePortal
  let uploader: Uploader

  beforeAll(async () => {
    store = await start()
    proxy = await createFaultProxy(store.address)
    const { storageUrl, azureConnectionString } = store.settings(proxy.address)
    portal = await startWholePortal({
      STORAGE_URL: storageUrl,
      AZURE_STORAGE_CONNECTION_STRING: azureConnectionString ?? '',
    })
    uploader = await buildUploader(portal.deps.db)
  })
  afterAll(async () => {
    await portal.close()
    await proxy.close()
    await store.close()
  })

  const upload = (fileName: string, content: string | Buffer) => uploader.upload(portal, fileName, content)
  const readiness = () => fetch(`${portal.address}/api/ready`)
  const rowOf = (id: number) => findRow(portal.deps.db, id)
  const statusOf = async (id: number) => (await rowOf(id)).status

  it('is ready, and takes a file to its company folder', async () => {
    expect((await readiness()).status).toBe(200)
    const csv = `Name,Amount\n${'Ada,1.50\n'.repeat(100_000)}`
    const id = await upload('claims.csv', csv)
    await expect.poll(() => statusOf(id), soon).toBe(IngestionSuccess)
    const row = await rowOf(id)
    expect(row.recordsCount).toBe(100_000)
    const stored = await Array.fromAsync(portal.deps.storage.read(row.targetPath ?? ''))
    expect(Buffer.concat(stored).toString()).toBe(csv)
    await expect.poll(() => portal.deps.storage.exists(`.sources/${row.storageKey}`), soon).toBe(false)
  })

  it('reports errors of a file, and generates its error files', async () => {
    const id = await upload('faulty.csv', 'Name,Amount\nAda,one\n')
    await expect.poll(() => statusOf(id), soon).toBe(ValidationFailed)
    for (const kind of ['Simple', 'Highlighted']) {
      const { headers } = uploader
      const reply = await fetch(`${portal.address}/api/ErrorFile/${id}/${kind}`, { headers })
      expect([reply.status, (await reply.text()).slice(0, 2)]).toEqual([200, 'PK'])
    }
  })

  it('reads a workbook through a local copy', async () => {
    const id = await upload('claims.xlsx', await readFile(workbook))
    await expect.poll(() => statusOf(id), soon).toBe(ValidationFailed)
    expect(await rowOf(id)).toMatchObject({ errorType: 1 })
  })

  it('refuses uploads and lets files wait while the store fails, and goes on', async () => {
    const id = await upload('waits.csv', 'Name,Amount\nAda,1.50\n')
    proxy.break()
    expect(await (await readiness()).json()).toEqual({ message: 'Not ready: storage.' })
    expect((await uploader.send(portal, 'refused.csv', 'Name,Amount\nAda,1.50\n')).status).toBe(503)
    expect([0, 1, 3, IngestionSuccess]).toContain(await statusOf(id))
    proxy.restore()
    await expect.poll(() => statusOf(id), soon).toBe(IngestionSuccess)
    expect((await readiness()).status).toBe(200)
    expect((await readdir(join(portal.dataDir, 'objects'))).filter((name) => name.endsWith('.part'))).toEqual(
      [],
    )
  })
})
