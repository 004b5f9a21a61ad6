import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalDisk } from '#platform/storage/local-disk.ts'
import { findViolationsWhenSettled } from '#test/chaos/find-violations.ts'
import { outcomeOf } from '#test/chaos/outcome.ts'
import { findRow } from '#test/submission-fixture.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'

/** About 1 MB, so that the process is stopped while it reads, validates and copies. */
const content = `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(30_000)}`

let portals: TestPortals
beforeAll(async () => {
  portals = await createTestPortals()
})
afterAll(() => portals.close())

const statusOf = async (id: number) => (await findRow(portals.db, id)).status

describe('A server that is stopped', () => {
  it('stops in order on a signal and releases its work', async () => {
    const { db, folder, uploader } = portals
    const stopped = await portals.start()
    const names = Array.from({ length: 4 }, (_, index) => `${index}.csv`)
    const ids = await Promise.all(names.map((name) => uploader.upload(stopped, name, content)))
    await stopped.end('SIGTERM')
    expect(stopped.child.exitCode).toBe(0)
    const next = await portals.start()
    const reference = await uploader.upload(next, 'reference.csv', content)
    const storage = openLocalDisk(join(folder, 'storage'))
    await expect.poll(() => statusOf(reference), { timeout: 40_000 }).toBe(SubmissionStatus.IngestionSuccess)
    const outcome = await outcomeOf(db, reference)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const uploads = names.map((fileName, index) => ({ fileName, sha256, id: ids[index] ?? null, outcome }))
    expect(await findViolationsWhenSettled({ db, storage, uploads })).toEqual([])
  })

  it('keeps everything in its data folder from other accounts', async () => {
    const { folder } = portals
    const paths = await readdir(folder, { recursive: true })
    expect(paths).toContain('outbox')
    const open = await Promise.all(
      [folder, ...paths.map((path) => join(folder, path))].map(async (path) =>
        ((await stat(path)).mode & 0o077) === 0 ? [] : [path],
      ),
    )
    expect(open.flat()).toEqual([])
  })
})
