import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { uploadMessages } from '@veridict/contract/messages/upload'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { withoutLease } from '#submissions/submission-leases.ts'
import { retryDueStorageErrors } from '#submissions/retry-ingestion.ts'
import { buildDictionary } from '#test/factories.ts'
import { fileError, watchCalls, type FileCall } from '#test/faults/watch-calls.ts'
import { buildSubmissionOfClerk, csvOfTwoRows } from '#test/submission-fixture.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { ingestSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'

/** A storage that is full, not writable, or fails. Each call of the file system fails once. */
const { ValidationPassed, IngestionSuccess, IngestionFailed } = SubmissionStatus
const running = new AbortController().signal
let portal: TestApp
let dictionaryId: number
let companyFolder: string

beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 1_000_000 })
  await giveDictionary()
  const { db } = portal.deps
  const company = db.selectFrom('companies').where('id', '=', portal.clerk.companyId)
  companyFolder = (await company.select('storageFolder').executeTakeFirstOrThrow()).storageFolder
})
afterAll(() => portal.close())
const giveDictionary = async () => {
  const companyId = portal.clerk.companyId ?? 0
  dictionaryId = (await buildDictionary(portal.deps.db, { companyId })).id
}
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, mails cascade`.execute(portal.owner)
  for (const path of await filesIn('.sources')) rmSync(path)
})
let stopWatching = () => {}
afterEach(() => stopWatching())

/** Lets the `at`th call on a path with `part` fail, or with `isLasting` that and all later ones. */
function fail(
  code: string,
  part: string,
  { at = 1, isLasting = false, only }: { at?: number; isLasting?: boolean; only?: FileCall },
): { failedCall: () => FileCall | null } {
  let count = 0
  let failed: FileCall | null = null
  stopWatching = watchCalls((call, path) => {
    if (!path.includes(part) || (only !== undefined && call !== only)) return
    count++
    if (count !== at && !(isLasting && count > at)) return
    failed = call
    throw fileError(code, path)
  })
  return { failedCall: () => failed }
}

async function upload(content: string | Uint8Array = csvOfTwoRows) {
  const form = await uploadForm(['dataDictionaryId', String(dictionaryId)], ['file', content, 'claims.csv'])
  const reply = await portal.app.inject({
    method: 'POST',
    url: '/api/FileSubmission',
    headers: {
      ApiKey: portal.deps.env.apiKey,
      authorization: `Bearer ${await portal.tokenOf(portal.clerk)}`,
      ...form.headers,
    },
    payload: form.body,
  })
  return { status: reply.statusCode, message: (reply.json() as { message?: string }).message }
}
const rows = () => portal.deps.db.selectFrom('submissions').selectAll().execute()
const filesIn = async (folder: string) => {
  const entries = await readdir(join(portal.deps.env.storageUrl, folder), {
    recursive: true,
    withFileTypes: true,
  }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
const expectNothingStored = async () => {
  expect(await rows()).toEqual([])
  expect([...(await filesIn('.incoming')), ...(await filesIn('.sources'))]).toEqual([])
}
const passed = () => buildSubmissionOfClerk(portal, { status: ValidationPassed, recordsCount: 2 })
const ingest = (id: number) => ingestSubmission(id, portal.deps, running)
const statusOf = async (id: number) => (await rows()).find((row) => row.id === id)?.status
const retry = (FileId: number) =>
  portal.call('POST', '/api/FileSubmission/retryingestionupload', { as: portal.clerk, body: { FileId } })

/** Expects status 5 and nothing in the company's folder; then that Retry stores the file exactly once. */
async function expectRetried(id: number): Promise<void> {
  stopWatching()
  expect(await statusOf(id)).toBe(IngestionFailed)
  expect(await storedFiles(id)).toEqual([])
  expect((await retry(id)).statusCode).toBe(200)
  await ingest(id)
  await expectStored(id)
}

const storedFiles = async (id: number) =>
  (await filesIn(companyFolder)).filter((path) => new RegExp(`/\\.?${id}_`).test(path)).toSorted()

/** Expects status 4, and the file and its side file once. */
async function expectStored(id: number): Promise<void> {
  stopWatching()
  expect(await statusOf(id)).toBe(IngestionSuccess)
  const [target = '', ...others] = await storedFiles(id)
  expect(others).toEqual([`${target}.json`])
  expect(await readFile(target, 'utf8')).toBe(csvOfTwoRows)
}

describe('A full storage', () => {
  it.for(['ENOSPC', 'EDQUOT'])('F11: refuses an upload (507), and keeps nothing of it: %s', async (code) => {
    fail(code, '.incoming', { isLasting: true, only: 'write' })
    expect(await upload()).toEqual({ status: 507, message: uploadMessages.storageFull })
    stopWatching()
    await expectNothingStored()
    expect(await upload()).toMatchObject({ status: 202 })
  })

  const disk = mountSmallDisk()
  afterAll(() => disk?.unmount())
  it.for(disk === null ? [] : [disk])('F11, F12, F34: on a real disk of 1 MB', async (small) => {
    const { folder, enlarge, fill } = small
    const first = portal
    portal = await createTestApp({ storageUrl: join(folder, 'storage') })
    try {
      await giveDictionary()
      expect(await upload(csvOf(1_500_000))).toEqual({ status: 507, message: uploadMessages.storageFull })
      await expectNothingStored()
      // Fits once, and not a second time in the company's folder.
      expect(await upload(csvOf(600_000))).toEqual({ status: 507, message: uploadMessages.storageFull })
      await expectNothingStored()
      // Three of them fit, but without the copies of all.
      const replies = [await upload(csvOf(300_000)), await upload(csvOf(300_000))]
      expect(replies.map(({ status }) => status)).toEqual([202, 507])
      const { id } = (await rows())[0]!
      await portal.deps.db.updateTable('submissions').set({ status: ValidationPassed }).execute()
      fill()
      await ingest(id)
      expect(await statusOf(id)).toBe(IngestionFailed)
      enlarge()
      await portal.deps.db
        .updateTable('submissions')
        .set({ leaseUntil: sql<Date>`now()` })
        .execute()
      await retryDueStorageErrors(portal.deps)
      await ingest(id)
      expect(await statusOf(id)).toBe(IngestionSuccess)
    } finally {
      await portal.close()
      portal = first
    }
  })
})

const csvOf = (bytes: number) => `Name,Amount\n${'Ada,1.50\n'.repeat(bytes / 9)}`

type SmallDisk = { folder: string; fill(): void; enlarge(): void; unmount(): void }

/** null without the right to mount, as an ordinary user or in most containers. */
function mountSmallDisk(): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'veridict-disk-'))
  const run = (program: string, ...options: string[]) =>
    spawnSync(program, [...options, folder], { stdio: 'ignore' }).status === 0
  if (process.platform === 'linux' && run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs')) {
    return {
      folder,
      fill: () => {
        // What fits of it is written.
        expect(() => writeFileSync(join(folder, 'full'), Buffer.alloc(2 * 1024 * 1024))).toThrow('ENOSPC')
      },
      enlarge: () => run('mount', '-o', 'remount,size=4m'),
      unmount: () => run('umount') && rmSync(folder, { recursive: true }),
    }
  }
  rmSync(folder, { recursive: true })
  return null
}

describe('A company folder that cannot be written', () => {
  it.for<{ code: string; only: FileCall }>([
    { code: 'ENOSPC', only: 'write' },
    { code: 'EACCES', only: 'open' },
    { code: 'EACCES', only: 'mkdir' },
    { code: 'EROFS', only: 'link' },
    { code: 'ENOTDIR', only: 'readdir' },
  ])('F12: leads to status 5, and Retry to status 4 later: $code at $only', async ({ code, only }) => {
    const { id } = await passed()
    // With its folders, nothing needs to be made.
    if (only === 'mkdir') await rm(join(portal.deps.env.storageUrl, companyFolder), { recursive: true })
    const { failedCall } = fail(code, companyFolder, { isLasting: true, only })
    await ingest(id)
    expect(failedCall()).toBe(only)
    await expectRetried(id)
  })
})

/** Calls whose failure means that bytes or names may not survive a power cut. */
const essential: readonly FileCall[] = ['open', 'write', 'sync', 'rename', 'link', 'mkdir']

describe('An input/output error', () => {
  it('F13: at any call of the file system refuses the upload, or lets it be complete', async () => {
    for (let at = 1; ; at++) {
      const failing = fail('EIO', 'storage/.', { at })
      const { status } = await upload()
      stopWatching()
      const failed = failing.failedCall()
      if (failed === null) break
      const all = await rows()
      expect([at, failed, status]).toEqual([at, failed, all.length === 0 ? 503 : 202])
      if (essential.includes(failed)) expect(all).toEqual([])
      for (const { storageKey } of all)
        expect(await portal.deps.storage.exists(`.sources/${storageKey}`)).toBe(true)
      await sql`truncate submissions cascade`.execute(portal.owner)
    }
    expect(await rows()).toHaveLength(1)
  })

  it('F13: at any call of the file system is a storage error, or the file is complete', async () => {
    for (let at = 1; ; at++) {
      const { id } = await passed()
      const failing = fail('EIO', companyFolder, { at })
      await ingest(id)
      const failed = failing.failedCall()
      if (failed === null) break
      if ((await statusOf(id)) === IngestionSuccess) {
        expect([at, failed, essential.includes(failed)]).toEqual([at, failed, false])
        await expectStored(id)
      } else await expectRetried(id)
    }
  })
})

describe('A run that is frozen while it stores a file, and goes on after another has taken over', () => {
  /** Gives the submission to another run, as if its lease had ended. */
  const takeOver = async (id: number) => {
    stopWatching()
    await portal.deps.db.updateTable('submissions').set(withoutLease).where('id', '=', id).execute()
    await ingest(id)
  }
  const targetNames = async (id: number) => (await storedFiles(id)).map((path) => basename(path))

  it.for([
    { when: 'before it deletes what it named', failing: 'link', frozen: 'rm' },
    { when: 'before it gives up the path', failing: 'link', frozen: 'link' },
  ] as const)('F8: deletes nothing that the other stored: frozen $when', async ({ failing, frozen }) => {
    const { id } = await passed()
    let isFrozen = false
    stopWatching = watchCalls(async (call, path) => {
      if (!path.includes(companyFolder)) return
      const isFailing = call === failing && path.endsWith('.json')
      if (!isFrozen && call === frozen && (isFailing || frozen === 'rm')) {
        isFrozen = true
        await takeOver(id)
      }
      if (isFailing) throw fileError('EIO', path)
    })
    await ingest(id)
    expect(isFrozen).toBe(true)
    await expectStored(id)
  })

  it('F8: deletes what it stores after the other has stored the file at another path', async () => {
    const { id, fileName, storageKey } = await passed()
    const other = `${id}_${storageKey.slice(0, 8)}_${fileName}`
    let isFrozen = false
    stopWatching = watchCalls(async (call, path) => {
      if (isFrozen || call !== 'link' || !path.includes(companyFolder)) return
      isFrozen = true
      const { targetPath } = (await rows()).find((row) => row.id === id)!
      await portal.deps.db
        .updateTable('submissions')
        .set({ targetPath: `${dirname(targetPath ?? '')}/${other}` })
        .where('id', '=', id)
        .execute()
      await takeOver(id)
    })
    await ingest(id)
    expect(isFrozen).toBe(true)
    await expectStored(id)
    expect(await targetNames(id)).toEqual([other, `${other}.json`])
  })

  it('F13: a failed run that deleted all leaves the first name to Retry', async () => {
    const { id, fileName } = await passed()
    fail('EIO', `${id}_${fileName}.json`, { only: 'link' })
    await ingest(id)
    await expectRetried(id)
    expect(await targetNames(id)).toEqual([`${id}_${fileName}`, `${id}_${fileName}.json`])
  })
})
