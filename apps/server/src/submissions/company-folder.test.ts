import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { knownStorage } from '#platform/storage/known-storage.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { openObjectStorage } from '#platform/storage/object-storage.ts'
import { noSuchObject, type ObjectStore } from '#platform/storage/object-store.ts'
import { createLog } from '#log.ts'
import { RESTORED } from '#platform/database/marks.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { checkFiles } from '#operations/check-files.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { findTargetPath, nextTargetPathOf } from '#submissions/target-path.ts'
import { fileError, watchCalls } from '#test/faults/watch-calls.ts'
import {
  buildStoredSubmission,
  buildSubmissionOfClerk,
  csvOfTwoRows,
  findRow,
} from '#test/submission-fixture.ts'
import { ingestSubmission, validateSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** What runs, the purge and the sweep may delete in a company's folder, and what they must find there. */
const { Uploaded, ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } =
  SubmissionStatus
const running = new AbortController().signal
const DAY = 24 * 60 * 60 * 1000
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp({ retentionDays: 30 })
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, mails, marks cascade`.execute(portal.owner)
})
let stopWatching = () => {}
afterEach(() => stopWatching())

const submit = (given: Parameters<typeof buildStoredSubmission>[1] = {}) =>
  buildSubmissionOfClerk(portal, {
    status: ValidationPassed,
    recordsCount: 2,
    fileName: 'claims.csv',
    ...given,
  })
const ingest = (id: number, deps: TestApp['deps'] = portal.deps) => ingestSubmission(id, deps, running)
const read = (id: number) => findRow(portal.deps.db, id)
const set = (id: number, change: object) =>
  portal.deps.db.updateTable('submissions').set(change).where('id', '=', id).execute()
const storedPath = (path: string) => join(portal.deps.env.storageUrl, path)
const textOf = (path: string) => readFile(storedPath(path), 'utf8').catch(() => null)
const retry = (FileId: number) =>
  portal.call('POST', '/api/FileSubmission/retryingestionupload', { as: portal.clerk, body: { FileId } })
/** Status 4, the file in the company's folder, the source deleted; then the row is as in the backup. */
const storedAfterBackup = async (backedUp: Partial<SubmissionRow>, given = {}) => {
  const { id, storageKey } = await submit(given)
  await ingest(id)
  const { targetPath } = await read(id)
  expect(await textOf(`.sources/${storageKey}`)).toBe(null)
  await set(id, { settledAt: null, sourceDeletedAt: null, ...backedUp })
  return { id, path: targetPath ?? '' }
}
/**
 * Moves a file to a later path, as if runs had given up its path or found other files there. Returns the new
 * path.
 */
async function moveToLaterPath(id: number, path: string, steps: number): Promise<string> {
  const row = await read(id)
  let next = path
  for (let step = 0; step < steps; step++) next = nextTargetPathOf(row, next)
  for (const end of ['', '.json']) await rename(storedPath(path + end), storedPath(next + end))
  return next
}

describe('After the database was restored from a backup', () => {
  const markRestored = () =>
    portal.deps.db
      .insertInto('marks')
      .values({ name: RESTORED, at: sql<Date>`now()` })
      .execute()
  const putSourceBack = async (id: number) =>
    writeFile(storedPath(`.sources/${(await read(id)).storageKey}`), csvOfTwoRows)

  it.for([
    { why: 'whose source is gone', steps: 1, prepare: async () => {} },
    { why: 'whose source is gone and whose name is the third', steps: 2, prepare: async () => {} },
    {
      why: 'whose first name is taken',
      steps: 1,
      prepare: async (id: number, path: string) => {
        await putSourceBack(id)
        await writeFile(storedPath(path), 'of another')
      },
    },
    {
      why: 'whose source was restored too',
      steps: 1,
      prepare: async (id: number) => {
        await putSourceBack(id)
        await markRestored()
      },
    },
  ])('a run finds a file $why, at the later path of a forgotten run', async ({ steps, prepare }) => {
    // Backup: status 3. Then a run stored the file, not under the first name.
    const { id, path } = await storedAfterBackup({ status: ValidationPassed, targetPath: null })
    const later = await moveToLaterPath(id, path, steps)
    await prepare(id, path)
    const before = await readdir(storedPath(dirname(path)))
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath: later })
    expect(await readdir(storedPath(dirname(path)))).toEqual(before)
    expect(await textOf(`.sources/${(await read(id)).storageKey}`)).toBe(null)
  })

  it.for([
    { why: 'whose source is gone', prepare: async () => {} },
    {
      why: 'whose source was restored too',
      prepare: async (id: number) => {
        await putSourceBack(id)
        await markRestored()
      },
    },
  ])('a run that validates a file again, $why, finds it at a later path', async ({ prepare }) => {
    // Backup: status 0. Then the file was validated, and stored under its second name.
    const { id, path } = await storedAfterBackup({ status: Uploaded, targetPath: null })
    const later = await moveToLaterPath(id, path, 1)
    await prepare(id)
    await validateSubmission(id, portal.deps, running, { maxIngestedBytes: Infinity })
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath: later })
    expect(await textOf(path)).toBe(null)
  })

  it('a run stores a file whose later paths it cannot read', async () => {
    await markRestored()
    const { id } = await submit({ createdAt: new Date(Date.now() - DAY) })
    const { storage } = portal.deps
    const read = (path: string) => {
      if (path.endsWith('.json')) throw fileError('EACCES', path)
      return storage.read(path)
    }
    await ingest(id, { ...portal.deps, storage: { ...storage, read } })
    expect(await findRow(portal.deps.db, id)).toMatchObject({ status: IngestionSuccess })
  })

  it('a run finds a file at a later path although it cannot read the first', async () => {
    await markRestored()
    const { id, path } = await storedAfterBackup(
      { status: ValidationPassed, targetPath: null },
      { createdAt: new Date(Date.now() - DAY) },
    )
    const later = await moveToLaterPath(id, path, 1)
    await putSourceBack(id)
    const { storage } = portal.deps
    const read = (of: string) => {
      if (of.startsWith(path)) throw fileError('EACCES', of)
      return storage.read(of)
    }
    await ingest(id, { ...portal.deps, storage: { ...storage, read } })
    expect(await findRow(portal.deps.db, id)).toMatchObject({ status: IngestionSuccess, targetPath: later })
    expect(await textOf(path)).toBe(null)
  })

  it('a run on a newer upload reads nothing in the company folder', async () => {
    await markRestored()
    const { id, storageKey } = await submit({ createdAt: new Date(Date.now() + DAY) })
    const { storage } = portal.deps
    const reads: string[] = []
    const read = (path: string) => {
      reads.push(path)
      return storage.read(path)
    }
    await ingest(id, { ...portal.deps, storage: { ...storage, read } })
    expect(reads).toEqual([`.sources/${storageKey}`])
  })

  it('the purge deletes no file that was stored after the backup', async () => {
    // Backup: status 5. Then Retry, status 4. Restore; nobody clicks Retry for a week.
    const { path } = await storedAfterBackup(
      { status: IngestionFailed, targetPath: null },
      { createdAt: new Date(Date.now() - 91 * DAY) },
    )
    await expireStorageErrors(portal.deps)
    expect(await textOf(path)).toBe(csvOfTwoRows)
  })

  it('a run deletes no earlier file while no other copy is there', async () => {
    // Backup after a run gave up its path, and before it settled 5 and went back to it.
    const { id, path } = await storedAfterBackup({ status: ValidationPassed })
    await set(id, { targetPath: nextTargetPathOf(await read(id), path) })
    await ingest(id)
    const row = await read(id)
    expect([await textOf(path), await textOf(row.targetPath ?? '')]).toContain(csvOfTwoRows)
    expect(row.status).toBe(IngestionSuccess)
  })

  it('Retry finds the file at the path that followed, and stores it once', async () => {
    // Backup: status 5 at the first path. Then a run gave that up, and the next stored the file.
    const { id, path } = await storedAfterBackup({ status: IngestionFailed, targetPath: null })
    const next = await moveToLaterPath(id, path, 1)
    expect((await retry(id)).statusCode).toBe(200)
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath: next })
    expect(await textOf(path)).toBe(null)
  })

  it('Retry stores a file by itself whose earlier path a run may still empty', async () => {
    // A run has given up the first path, is frozen before it deletes, and another has failed meanwhile.
    const { id, storageKey } = await submit({ status: IngestionFailed })
    const path = await findTargetPath(await read(id), portal.deps.db)
    const next = nextTargetPathOf(await read(id), path)
    await set(id, { targetPath: next })
    const { sha256, createdAt } = await read(id)
    await mkdir(dirname(storedPath(path)), { recursive: true })
    await writeFile(storedPath(path), csvOfTwoRows)
    const sideFile = { submissionId: id, sha256, uploadedAt: createdAt.toISOString() }
    await writeFile(storedPath(`${path}.json`), JSON.stringify(sideFile))
    expect((await retry(id)).statusCode).toBe(200)
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath: next })
    expect([await textOf(`.sources/${storageKey}`), await textOf(path)]).toEqual([null, null])
  })
})

it('The purge changes nothing while the storage is unavailable', async () => {
  const { id } = await storedAfterBackup(
    { status: IngestionFailed, targetPath: null },
    { createdAt: new Date(Date.now() - 91 * DAY) },
  )
  const { storage } = portal.deps
  const away = () => {
    throw new StorageUnavailableError('taken away since the last look')
  }
  const deps = { ...portal.deps, storage: { ...storage, read: away } }
  await expect(expireStorageErrors(deps)).rejects.toThrow(StorageUnavailableError)
  expect((await read(id)).status).toBe(IngestionFailed)
})

describe('A company folder that cannot be read', () => {
  const unreadable = async (submission: SubmissionRow) => {
    const folder = storedPath(dirname(await findTargetPath(submission, portal.deps.db)))
    await rm(folder, { recursive: true, force: true })
    await mkdir(dirname(folder), { recursive: true })
    await symlink(basename(folder), folder)
    return () => rm(folder)
  }

  const expired = () => submit({ status: IngestionFailed, createdAt: new Date(Date.now() - 91 * DAY) })

  it('keeps the purge from a final status, and not from deleting the source', async () => {
    const [waiting, other] = [
      await expired(),
      await submit({ status: IngestionFailed, createdAt: new Date(Date.now() - 122 * DAY) }),
    ]
    const repair = await unreadable(waiting)
    const lines: string[] = []
    const log = createLog('info', { destination: { write: (line) => void lines.push(line) } })
    for (let day = 0; day < 2; day++) await expireStorageErrors({ ...portal.deps, log })
    expect([(await read(waiting.id)).status, (await read(other.id)).status]).toEqual([
      IngestionFailed,
      IngestionFileNotFound,
    ])
    for (const { storageKey } of [waiting, other]) expect(await textOf(`.sources/${storageKey}`)).toBe(null)
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    const { id: submissionId, companyId } = waiting
    expect(errors).toMatchObject(Array.from({ length: 2 }, () => ({ submissionId, companyId })))
    expect((await checkFiles(portal.deps, { repair: false })).findings).toEqual([])
    expect((await retry(waiting.id)).statusCode).toBe(503)
    await repair()
    await expireStorageErrors(portal.deps)
    expect((await read(waiting.id)).status).toBe(IngestionFileNotFound)
  })

  it('keeps the purge from calling a file removed that is in it', async () => {
    const { id, path } = await storedAfterBackup(
      { status: IngestionFailed, targetPath: null },
      { createdAt: new Date(Date.now() - 91 * DAY) },
    )
    const folder = storedPath(dirname(path))
    await rename(folder, `${folder} away`)
    const repair = await unreadable(await read(id))
    await expireStorageErrors(portal.deps)
    await repair()
    await rename(`${folder} away`, folder)
    expect((await read(id)).status).toBe(IngestionFailed)
    expect((await retry(id)).statusCode).toBe(200)
    await ingest(id)
    expect(await read(id)).toMatchObject({ status: IngestionSuccess, targetPath: path })
  })

  it('Retry of a file whose source is gone changes nothing (503)', async () => {
    const { id, storageKey } = await submit({ status: IngestionFailed })
    await rm(storedPath(`.sources/${storageKey}`))
    const folder = dirname(await findTargetPath(await read(id), portal.deps.db))
    stopWatching = watchCalls((_call, path) => {
      if (path.includes(folder)) throw fileError('EACCES', path)
    })
    const { statusCode } = await retry(id)
    expect([statusCode, (await read(id)).status]).toEqual([503, IngestionFailed])
  })

  it('does not keep the sweep from what comes after a batch of its submissions', async () => {
    const { id } = await submit({ status: IngestionFileNotFound })
    const columns = (
      await sql<{ names: string }>`
      select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
      where table_name = 'submissions' and table_schema = 'public' and is_generated = 'NEVER'
        and column_name not in ('id', 'storage_key')`.execute(portal.owner)
    ).rows[0]!.names
    await sql`insert into submissions (${sql.raw(columns)}, storage_key)
      select ${sql.raw(columns)}, gen_random_uuid()::text from submissions, generate_series(1, 9)
      where id = ${id}`.execute(portal.owner)
    const expired = await submit({ status: 2, settledAt: new Date(Date.now() - 31 * DAY) })
    const repair = await unreadable(await read(id))
    await sweepStorage(portal.deps, 10)
    await repair()
    expect(await textOf(`.sources/${expired.storageKey}`)).toBe(null)
  }, 120_000)
})

it('A foreign side file `null` does not end the sweep', async () => {
  const purged = await submit({ status: IngestionFileNotFound })
  const path = await findTargetPath(purged, portal.deps.db)
  await mkdir(dirname(storedPath(path)), { recursive: true })
  await writeFile(storedPath(`${path}.json`), 'null')
  await sweepStorage(portal.deps)
  expect(await textOf(`.sources/${purged.storageKey}`)).toBe(null)
})

it('What a frozen run wrote too late is deleted by the sweep if that failed at once', async () => {
  const { id } = await submit()
  let isFrozen = false
  stopWatching = watchCalls(async (call, path) => {
    if (isFrozen && call === 'unlink' && /\/\d+_claims\.csv(\.json)?$/.test(path))
      throw fileError('EIO', path)
    if (isFrozen || call !== 'link' || !path.endsWith('claims.csv')) return
    isFrozen = true
    const row = await read(id)
    await set(id, { ...withoutLease, targetPath: nextTargetPathOf(row, row.targetPath ?? '') })
    await ingest(id)
  })
  await ingest(id).catch(() => {})
  stopWatching()
  expect(isFrozen).toBe(true)
  await sweepStorage(portal.deps)
  const row = await read(id)
  expect(row.status).toBe(IngestionSuccess)
  const first = await findTargetPath({ ...row, targetPath: null }, portal.deps.db)
  expect([await textOf(first), await textOf(row.targetPath ?? '')]).toEqual([null, csvOfTwoRows])
})

it('What a frozen run wrote before the storage was away is deleted by the sweep', async () => {
  const { id } = await submit()
  const name = await readFile(storedPath('.name'), 'utf8')
  let isFrozen = false
  stopWatching = watchCalls(async (call, path) => {
    if (call !== 'link') return
    if (isFrozen && path.endsWith('claims.csv.json') && !path.includes(String(await nameOfOther(id)))) {
      await writeFile(storedPath('.name'), 'another')
      throw fileError('EIO', path)
    }
    if (isFrozen || !path.endsWith('claims.csv')) return
    isFrozen = true
    const row = await read(id)
    await set(id, { ...withoutLease, targetPath: nextTargetPathOf(row, row.targetPath ?? '') })
    await ingest(id)
  })
  await expect(ingest(id)).rejects.toThrow('It belongs to another database')
  stopWatching()
  await writeFile(storedPath('.name'), name)
  await sweepStorage(portal.deps)
  const row = await read(id)
  expect(row.status).toBe(IngestionSuccess)
  const first = await findTargetPath({ ...row, targetPath: null }, portal.deps.db)
  expect([await textOf(first), await textOf(row.targetPath ?? '')]).toEqual([null, csvOfTwoRows])
})
const nameOfOther = async (id: number) => basename((await read(id)).targetPath ?? '')

describe('An object store', () => {
  let folder: string
  let objects: Map<string, Buffer>
  let onDelete: (key: string) => void
  let onCreate: (key: string) => void
  let deps: TestApp['deps']
  const failure = (httpStatusCode: number) =>
    Object.assign(new Error('failed'), { $metadata: { httpStatusCode } })
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'veridict-review-'))
    objects = new Map([['.name', Buffer.from('an id')]])
    onDelete = onCreate = () => {}
    const store: ObjectStore = {
      has: async (key) => objects.has(key),
      async get(key, start) {
        const found = objects.get(key)
        if (found === undefined) throw noSuchObject(key)
        return {
          size: found.length,
          bytes: (async function* () {
            yield found.subarray(start)
          })(),
        }
      },
      async create(key, { path }) {
        onCreate(key)
        if (objects.has(key)) return false
        objects.set(key, await readFile(path))
        return true
      },
      async delete(key) {
        onDelete(key)
        objects.delete(key)
      },
      async *list() {},
    }
    const storage = knownStorage(await openObjectStorage(store, { prefix: '', folder }), {
      identify: async () => 'an id',
      onChange() {},
    })
    deps = { ...portal.deps, storage }
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  const submitted = async () => {
    const row = await submit()
    objects.set(`.sources/${row.storageKey}`, Buffer.from(csvOfTwoRows))
    return row
  }

  it('a deletion that the store does late, after its second try, deletes no stored file', async () => {
    const { id, storageKey } = await submitted()
    let late: string | null = null
    onCreate = (key) => {
      if (key.endsWith('claims.csv.json')) throw failure(500)
    }
    onDelete = (key) => {
      if (late !== null || !key.endsWith('claims.csv')) return
      late = key
      throw new Error('timeout') // It is on its way.
    }
    await ingest(id, deps)
    onCreate = () => {}
    expect((await read(id)).status).toBe(IngestionFailed)
    await set(id, { status: ValidationPassed })
    await ingest(id, deps)
    const row = await read(id)
    expect([row.status, objects.has(`.sources/${storageKey}`)]).toEqual([IngestionSuccess, false])
    objects.delete(late ?? '')
    expect(objects.has(row.targetPath ?? '')).toBe(true)
  })

  it('what the store writes late, at the path that was given up, is swept for an hour', async () => {
    const { id } = await submitted()
    const late: string[] = []
    onCreate = (key) => {
      if (!key.endsWith('claims.csv.json')) return
      late.push(key)
      throw failure(500)
    }
    onDelete = () => {
      throw failure(500)
    }
    await ingest(id, deps)
    onCreate = onDelete = () => {}
    await set(id, { status: ValidationPassed })
    await ingest(id, deps)
    const { status, targetPath, sourceDeletedAt, sha256, createdAt } = await read(id)
    expect([status, sourceDeletedAt]).toEqual([IngestionSuccess, null])
    const [first = ''] = late
    expect(first).not.toBe(`${targetPath}.json`)
    for (const [hours, isMarked] of [
      [0, false],
      [2, true],
    ] as const) {
      objects.set(
        first,
        Buffer.from(JSON.stringify({ submissionId: id, sha256, uploadedAt: createdAt.toISOString() })),
      )
      await set(id, { updatedAt: new Date(Date.now() - hours * 60 * 60 * 1000) })
      await sweepStorage(deps)
      expect([objects.has(first), (await read(id)).sourceDeletedAt !== null]).toEqual([false, isMarked])
    }
    expect(objects.has(targetPath ?? '')).toBe(true)
  })

  it('another side file leads to the next name, as on a disk', async () => {
    const row = await submitted()
    const path = await findTargetPath(row, portal.deps.db)
    objects.set(`${path}.json`, Buffer.from('{}'))
    await ingest(row.id, deps)
    expect((await read(row.id)).targetPath).toBe(nextTargetPathOf(row, path))
  })
})
