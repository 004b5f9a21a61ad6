import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { mayMove } from '@veridict/contract/model/submission-status'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#db/database.ts'
import type { Database, UserRow } from '#db/tables.ts'
import { systemClock } from '#drivers/clock.ts'
import { createTokens } from '#drivers/tokens.ts'
import { addSession } from '#repositories/sessions.ts'
import { buildAdministrator, buildDictionary, buildUser } from '#test/factories.ts'
import { startPortalProcess, type PortalProcess } from '#test/portal-process.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'
import { uploadForm } from '#test/upload-form.ts'

const settings = { API_KEY: 'crash-test-key', TOKEN_SECRET: 's'.repeat(32), UPLOADS_PER_MINUTE: '100000' }
const SESSION = '11111111-1111-4111-8111-111111111111'
/** About 1 MB, so that processes are killed while they read, validate and copy. */
const contentOf = (number: number) =>
  `Name,Amount\n${'Ada Lovelace of Marylebone,1.50\n'.repeat(30_000)}Grace,${number}\n`

let database: TestDatabase
let dataDir: string
let db: Kysely<Database>
let clerk: UserRow
let token: string
let dictionaryId: number
let portal: PortalProcess

beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'veridict-crash-'))
  db = openDatabase(database.url)
  await buildAdministrator(db)
  clerk = await buildUser(db)
  dictionaryId = (await buildDictionary(db, { companyId: clerk.companyId ?? 0 })).id
  await addSession(db, { id: SESSION, userId: clerk.id, expiresAt: new Date(Date.now() + 3_600_000) })
  const tokens = createTokens({ secret: settings.TOKEN_SECRET, accessTokenMinutes: 60 }, systemClock)
  token = tokens.issueAccess({
    userId: clerk.id,
    role: clerk.role,
    email: clerk.email,
    sessionId: SESSION,
  })
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

/** The id of an accepted upload, or null if the process died before its reply. */
async function upload(number: number): Promise<number | null> {
  const form = await uploadForm(
    ['dataDictionaryId', String(dictionaryId)],
    ['file', contentOf(number), `${number}.csv`],
  )
  const headers = { ApiKey: settings.API_KEY, authorization: `Bearer ${token}`, ...form.headers }
  try {
    const response = await fetch(`${portal.address}/api/FileSubmission`, {
      method: 'POST',
      headers,
      body: new Uint8Array(form.body),
    })
    return response.status === 202 ? ((await response.json()) as { value: { id: number } }).value.id : null
  } catch {
    return null
  }
}

const rows = () => db.selectFrom('submissions').selectAll().orderBy('id').execute()
async function allSettled() {
  for (;;) {
    const all = await rows()
    if (all.every(({ settledAt }) => settledAt !== null)) return all
    await sleep(100)
  }
}
/** Files outside the portal's own folders, which begin with a dot. */
const companyFiles = async () => {
  const entries = await readdir(join(dataDir, 'storage'), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return paths.filter((path) => !/storage\/\./.test(path))
}

describe('A server that is killed without warning', () => {
  it('loses nothing, duplicates nothing and leaves nothing incomplete', async () => {
    const accepted: number[] = []
    for (let round = 0; round < 3; round++) {
      await start()
      const uploads = Array.from({ length: 4 }, (_, index) => upload(10 * round + index))
      // Somewhere between the first byte and the last e-mail, depending on the machine.
      await sleep(150 + 350 * round)
      await portal.end('SIGKILL')
      accepted.push(...(await Promise.all(uploads)).filter((id) => id !== null))
    }
    await start()
    const all = await allSettled()

    expect(all.map(({ id }) => id)).toEqual(expect.arrayContaining(accepted))
    expect(all.map(({ status }) => status)).toEqual(all.map(() => 4))
    await expectIngestedOnce(all)
    await expectAllowedMoves()
    const mails = await db.selectFrom('mails').selectAll().execute()
    expect(mails).toHaveLength(all.length)
  })

  it('stops in order on a signal and releases its work', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, (_, index) => upload(100 + index)))
    await portal.end('SIGTERM')
    expect(portal.child.exitCode).toBe(0)
    expect(ids).not.toContain(null)
    await start()
    const all = await allSettled()
    await expectIngestedOnce(all)
    await expectAllowedMoves()
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

/** Expects one complete file for each submission, its description beside it, and nothing else. */
async function expectIngestedOnce(all: Awaited<ReturnType<typeof rows>>) {
  const targets = (await companyFiles()).toSorted()
  const expected = all.flatMap(({ targetPath }) =>
    [targetPath, `${targetPath}.json`].map((path) => join(dataDir, 'storage', path ?? '')),
  )
  expect(targets).toEqual(expected.toSorted())
  for (const { targetPath, sha256 } of all) {
    const content = await readFile(join(dataDir, 'storage', targetPath ?? ''))
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256)
  }
}

async function expectAllowedMoves() {
  const moves = await db
    .selectFrom('submissionMoves')
    .selectAll()
    .where('fromStatus', 'is not', null)
    .execute()
  expect(moves.filter(({ fromStatus, toStatus }) => !mayMove(fromStatus ?? 0, toStatus))).toEqual([])
}
