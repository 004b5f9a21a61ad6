import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/database.ts'
import type { Database, UserRow } from '#db/tables.ts'
import { systemClock } from '#drivers/clock.ts'
import { openLocalDisk } from '#drivers/storage/local-disk.ts'
import { createTokens } from '#drivers/tokens.ts'
import { findViolationsWhenSettled, outcomeOf } from '#test/chaos/invariants.ts'
import { buildAccessToken, buildAdministrator, buildDictionary, buildUser } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import { uploadForm } from '#test/upload-form.ts'

const settings = { API_KEY: 'stop-test-key', TOKEN_SECRET: 's'.repeat(32), UPLOADS_PER_MINUTE: '100000' }
/** About 1 MB, so that the process is stopped while it reads, validates and copies. */
const content = `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(30_000)}`

let database: TestDatabase
let dataDir: string
let db: Kysely<Database>
let clerk: UserRow
let token: string
let dictionaryId: number
let portal: PortalProcess

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'veridict-stop-'))
  db = openDatabase(database.url)
  await buildAdministrator(db)
  clerk = await buildUser(db)
  dictionaryId = (await buildDictionary(db, { companyId: clerk.companyId ?? 0 })).id
  const tokens = createTokens({ secret: settings.TOKEN_SECRET, accessTokenMinutes: 60 }, systemClock)
  token = await buildAccessToken({ db, tokens }, clerk)
})
afterAll(async () => {
  await portal.end('SIGKILL')
  await db.destroy()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = async () => {
  portal = await startPortalProcess({ ...settings, DATABASE_URL: database.url, DATA_DIR: dataDir })
}

/** The id of an accepted upload, or null if it was refused. */
async function upload(fileName: string): Promise<number | null> {
  const form = await uploadForm(['dataDictionaryId', String(dictionaryId)], ['file', content, fileName])
  const headers = { ApiKey: settings.API_KEY, authorization: `Bearer ${token}`, ...form.headers }
  const response = await fetch(`${portal.address}/api/FileSubmission`, {
    method: 'POST',
    headers,
    body: new Uint8Array(form.body),
  })
  return response.status === 202 ? ((await response.json()) as { value: { id: number } }).value.id : null
}

const statusOf = async (id: number) => {
  const row = db.selectFrom('submissions').select('status').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).status
}

describe('A server that is stopped', () => {
  it('stops in order on a signal and releases its work', async () => {
    await start()
    const names = Array.from({ length: 4 }, (_, index) => `${index}.csv`)
    const ids = await Promise.all(names.map(upload))
    await portal.end('SIGTERM')
    expect(portal.child.exitCode).toBe(0)
    expect(ids).not.toContain(null)
    await start()
    const reference = (await upload('reference.csv')) ?? 0
    const storage = openLocalDisk(join(dataDir, 'storage'))
    await expect.poll(() => statusOf(reference), { timeout: 40_000 }).toBe(SubmissionStatus.IngestionSuccess)
    const outcome = await outcomeOf(db, reference)
    const sha256 = createHash('sha256').update(content).digest('hex')
    const uploads = names.map((fileName, index) => ({ fileName, sha256, id: ids[index] ?? null, outcome }))
    expect(await findViolationsWhenSettled({ db, storage, uploads })).toEqual([])
  })

  it('keeps everything in its data folder from other accounts', async () => {
    const paths = await readdir(dataDir, { recursive: true })
    expect(paths).toContain('outbox')
    const open = await Promise.all(
      [dataDir, ...paths.map((path) => join(dataDir, path))].map(async (path) =>
        ((await stat(path)).mode & 0o077) === 0 ? [] : [path],
      ),
    )
    expect(open.flat()).toEqual([])
  })
})
