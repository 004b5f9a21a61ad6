import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Db } from '#platform/database/tables.ts'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { randomIds } from '#platform/ids.ts'
import type { PortalProcess } from '#test/portal-process.ts'
import { buildStoredSubmission } from '#test/submission-fixture.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'

/** Portals in their own processes, on real folders that are removed and put back like a disk. */
const { Uploaded, ValidationPassed, IngestionSuccess, IngestionFailed } = SubmissionStatus
const soon = { timeout: 40_000, interval: 100 }

const metricsToken = 'a-token-for-metrics'
let portals: TestPortals
let folder: string
let db: Db
beforeAll(async () => {
  portals = await createTestPortals({ METRICS_TOKEN: metricsToken })
  ;({ folder, db } = portals)
})
afterAll(() => portals.close())

const storageFolder = () => join(folder, 'storage')
const away = () => join(folder, 'away')
let started = 0
const start = (storage: string) =>
  portals.start({ DATA_DIR: join(folder, `data-${started++}`), STORAGE_URL: storage })
const upload = async (portal: PortalProcess, name: string) =>
  (await portals.uploader.send(portal, name, 'Name,Amount\nAda,1.50\n')).status
async function retry({ address }: PortalProcess, FileId: number): Promise<number> {
  const request = {
    method: 'POST',
    headers: { ...portals.uploader.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ FileId }),
  }
  return (await fetch(`${address}/api/FileSubmission/retryingestionupload`, request)).status
}
async function readiness({ address }: PortalProcess) {
  const reply = await fetch(`${address}/api/ready`)
  return { status: reply.status, message: ((await reply.json()) as { message?: string }).message }
}
const storageNotReady = { status: 503, message: 'Not ready: storage.' }
const statuses = async () =>
  (await db.selectFrom('submissions').select('status').orderBy('id').execute()).map(({ status }) => status)

/** The row and the files that a killed portal leaves. */
function submitted(status: SubmissionStatus) {
  const { id: userId, companyId } = portals.uploader.clerk
  return buildStoredSubmission(
    { db, storage: openLocalDisk(storageFolder()) as never, ids: randomIds },
    { userId, companyId: companyId ?? 0, status },
  )
}

describe('A portal whose storage is not the one of its database', () => {
  it('takes neither jobs nor uploads beside a portal with the right one', async () => {
    const right = await start(storageFolder())
    expect(await readiness(right)).toMatchObject({ status: 200 })
    const wrong = await start(join(folder, 'unshared'))
    expect(await readiness(wrong)).toEqual(storageNotReady)
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, index) => upload(right, `${index}.csv`)),
    )
    expect(accepted).toEqual(accepted.map(() => 202))
    expect(await upload(wrong, 'lost.csv')).toBe(503)
    await expect.poll(statuses, soon).toEqual(accepted.map(() => IngestionSuccess))
    expect(await readdir(folder)).not.toContain('unshared')
    const headers = { authorization: `Bearer ${metricsToken}` }
    const metrics = await fetch(`${wrong.address}/metrics`, { headers })
    expect(await metrics.text()).toContain('veridict_storage_available 0')
    for (const portal of [right, wrong]) await portal.end('SIGTERM')
  })

  it.for([
    { what: 'the whole folder, with an empty one in its place', part: '.', inPlace: true },
    { what: 'the whole folder', part: '.', inPlace: false },
    { what: 'the sources alone', part: '.sources', inPlace: false },
  ])('waits while it misses $what, and goes on when that is back', async ({ part, inPlace }) => {
    await db.deleteFrom('submissionMoves').execute()
    await db.deleteFrom('submissions').execute()
    const failed = await submitted(IngestionFailed)
    for (const status of [Uploaded, ValidationPassed]) await submitted(status)
    const missing = join(storageFolder(), part)
    await rename(missing, away())
    if (inPlace) await mkdir(missing)

    const portal = await start(storageFolder())
    expect(await readiness(portal)).toEqual(storageNotReady)
    expect(await upload(portal, 'lost.csv')).toBe(503)
    expect(await retry(portal, failed.id)).toBe(503)
    expect(await statuses()).toEqual([IngestionFailed, Uploaded, ValidationPassed])
    if (inPlace) expect(await readdir(missing)).toEqual([])
    else expect(await readdir(join(missing, '..'))).not.toContain(part === '.' ? 'storage' : part)

    await rm(missing, { recursive: true, force: true })
    await rename(away(), missing)
    await expect.poll(() => readiness(portal), soon).toMatchObject({ status: 200 })
    expect(await retry(portal, failed.id)).toBe(200)
    expect(await upload(portal, 'kept.csv')).toBe(202)
    await expect.poll(statuses, soon).toEqual(Array.from({ length: 4 }, () => IngestionSuccess))
    await portal.end('SIGTERM')
  })

  it('is noticed while it runs, and nothing is decided without it', async () => {
    await db.deleteFrom('submissionMoves').execute()
    await db.deleteFrom('submissions').execute()
    const portal = await start(storageFolder())
    const failed = await submitted(IngestionFailed)
    await rename(storageFolder(), away())
    await mkdir(storageFolder())
    expect(await retry(portal, failed.id)).toBe(503)
    await expect.poll(() => upload(portal, 'lost.csv'), soon).toBe(503)
    expect(await statuses()).toEqual([IngestionFailed])
    await rm(storageFolder(), { recursive: true })
    await rename(away(), storageFolder())
    expect(await retry(portal, failed.id)).toBe(200)
    await expect.poll(statuses, soon).toEqual([IngestionSuccess])
    await portal.end('SIGTERM')
  })
})
