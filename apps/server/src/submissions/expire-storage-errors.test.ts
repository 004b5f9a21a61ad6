import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { checkClock } from '#platform/database/marks.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import { sideFilePath } from '#submissions/side-file.ts'
import { findTargetPath, nextTargetPathOf } from '#submissions/target-path.ts'
import { fileError, watchCalls } from '#test/faults/watch-calls.ts'
import {
  buildStoredSubmission,
  buildSubmissionOfClerk,
  csvOfTwoRows,
  findRow,
} from '#test/submission-fixture.ts'
import { buildCompanyToken, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const DAY = 24 * 60 * 60 * 1000
const { ValidationPassed, IngestionFailed, IngestionFileNotFound } = SubmissionStatus
const storedPath = (path: string) => join(portal.deps.env.storageUrl, path)
let portal: TestApp

beforeAll(async () => {
  portal = await createTestApp({ retentionDays: 30 })
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, mails, marks cascade`.execute(portal.owner)
})

const daysAgo = (days: number) => new Date(Date.now() - days * DAY)
const submit = (given: Parameters<typeof buildStoredSubmission>[1]) =>
  buildSubmissionOfClerk(portal, { ...given })
const read = (id: number) => findRow(portal.deps.db, id)
const mails = () => portal.deps.db.selectFrom('mails').selectAll().execute()
const hasSource = ({ storageKey }: { storageKey: string }) =>
  portal.deps.storage.exists(`.sources/${storageKey}`)

describe('The purge', () => {
  const cases = Object.values(SubmissionStatus).flatMap((status) =>
    [89.99, 90.01].map((age) => ({ status, age, isPurged: status === IngestionFailed && age > 90 })),
  )
  it.for(cases)('at $age days in status $status: purged $isPurged', async ({ status, age, isPurged }) => {
    const submission = await submit({ status, createdAt: daysAgo(age) })
    await expireStorageErrors(portal.deps)
    expect((await read(submission.id)).status).toBe(isPurged ? IngestionFileNotFound : status)
    expect(await hasSource(submission)).toBe(!isPurged)
  })

  it.for([
    { why: 'a year ahead', beat: sql<Date>`now() - interval '1 year'` },
    { why: 'two days ahead', beat: sql<Date>`now() - interval '2 days'` },
    { why: 'a day back', beat: sql<Date>`now() + interval '1 day'` },
  ])('does nothing when the clock jumped ($why), until a day without a jump', async ({ beat }) => {
    const { id } = await submit({ status: IngestionFailed, createdAt: daysAgo(100) })
    await portal.deps.db.insertInto('marks').values({ name: 'clockBeat', at: beat }).execute()
    await expireStorageErrors(portal.deps)
    await expireStorageErrors(portal.deps)
    expect((await read(id)).status).toBe(IngestionFailed)
    await portal.deps.db
      .updateTable('marks')
      .set({ at: daysAgo(1.01) })
      .where('name', '=', 'clockJump')
      .execute()
    await expireStorageErrors(portal.deps)
    expect((await read(id)).status).toBe(IngestionFileNotFound)
  })

  /** Writes a file where a run would, and the side file of the submission `of`. */
  const write = async (path: string, of: SubmissionRow | null) => {
    await mkdir(dirname(storedPath(path)), { recursive: true })
    await writeFile(storedPath(path), csvOfTwoRows)
    if (of === null) return
    const sideFile = { submissionId: of.id, sha256: of.sha256, uploadedAt: of.createdAt.toISOString() }
    await writeFile(storedPath(sideFilePath(path)), JSON.stringify(sideFile))
  }
  const expired = (fileName: string) =>
    submit({ status: IngestionFailed, createdAt: daysAgo(91), fileName, recordsCount: 2 })

  it('deletes what failed runs left in the company folder, and no file of another submission', async () => {
    const [left, other] = [await expired('left.csv'), await expired('other.csv')]
    const first = await findTargetPath(left, portal.deps.db)
    const second = nextTargetPathOf(left, first)
    const change = portal.deps.db.updateTable('submissions').set({ targetPath: second })
    await change.where('id', '=', left.id).execute()
    const ofOther = await findTargetPath(other, portal.deps.db)
    await write(first, null)
    await write(second, null)
    await write(ofOther, left)
    await expireStorageErrors(portal.deps)
    const files = [first, second, ofOther, sideFilePath(ofOther)]
    const remain = await Promise.all(files.map((file) => portal.deps.storage.exists(file)))
    expect(remain).toEqual([false, false, true, true])
  })

  it('ingests what is in the company folder already, with its side file', async () => {
    const submission = await expired('forgotten.csv')
    const path = nextTargetPathOf(submission, await findTargetPath(submission, portal.deps.db))
    await write(path, submission)
    await expireStorageErrors(portal.deps)
    expect(await read(submission.id)).toMatchObject({ status: ValidationPassed, targetPath: path })
    expect(await portal.deps.storage.exists(path)).toBe(true)
  })

  it('goes on, and the sweep tries again, after a company folder that cannot be changed', async () => {
    const [first, second] = [await expired('first.csv'), await expired('second.csv')]
    const path = await findTargetPath(first, portal.deps.db)
    await write(path, null)
    const stop = watchCalls((call, called) => {
      if (call === 'unlink' && called.includes(path)) throw fileError('EACCES', called)
    })
    await expireStorageErrors(portal.deps)
    stop()
    expect([await hasSource(first), await hasSource(second)]).toEqual([false, false])
    expect(await portal.deps.storage.exists(path)).toBe(true)
    await sweepStorage(portal.deps)
    expect(await portal.deps.storage.exists(path)).toBe(false)
  })

  it('is not stopped by a clock without a jump', async () => {
    const { id } = await submit({ status: IngestionFailed, createdAt: daysAgo(100) })
    for (let beat = 0; beat < 3; beat++) await checkClock(portal.deps.db)
    await expireStorageErrors(portal.deps)
    expect((await read(id)).status).toBe(IngestionFileNotFound)
  })

  it('warns a week before, once', async () => {
    await submit({ status: IngestionFailed, createdAt: daysAgo(82.9) })
    await expireStorageErrors(portal.deps)
    expect(await mails()).toEqual([])
    await submit({ status: IngestionFailed, createdAt: daysAgo(83.1), fileName: 'claims.csv' })
    await expireStorageErrors(portal.deps)
    await expireStorageErrors(portal.deps)
    expect(await mails()).toMatchObject([
      { recipient: portal.clerk.email, subject: expect.stringContaining('claims.csv will be deleted') },
    ])
  })

  it('warns nobody of the files of tokens and deleted users, and goes on', async () => {
    const companyId = portal.clerk.companyId ?? 0
    const at = { status: IngestionFailed, createdAt: daysAgo(84) }
    const token = await buildCompanyToken(portal.deps, companyId)
    const gone = await buildUser(portal.deps.db, { companyId, deletedAt: daysAgo(1) })
    const ofToken = { companyId, userId: null, tokenId: token.id }
    for (const uploader of [ofToken, { userId: gone.id }, {}]) await submit({ ...at, ...uploader })
    await expireStorageErrors(portal.deps)
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([portal.clerk.email])
  })
})

describe('The sweep', () => {
  const age = (storageKey: string, days: number) =>
    utimes(storedPath(`.sources/${storageKey}`), daysAgo(days), daysAgo(days))

  it('deletes orphaned sources that are old enough', async () => {
    const [old, fresh, known] = [await submit({}), await submit({}), await submit({})]
    await portal.deps.db.deleteFrom('submissions').where('id', 'in', [old.id, fresh.id]).execute()
    await age(old.storageKey, 1)
    await age(known.storageKey, 1)
    await sweepStorage(portal.deps)
    expect([await hasSource(old), await hasSource(fresh), await hasSource(known)]).toEqual([
      false,
      true,
      true,
    ])
  })

  it('deletes a source that was deleted before and is there again', async () => {
    const restored = await submit({ status: 4, sourceDeletedAt: daysAgo(1) })
    await age(restored.storageKey, 1)
    await sweepStorage(portal.deps)
    expect(await hasSource(restored)).toBe(false)
  })

  const orphanedAndExpired = async () => {
    const orphan = await submit({})
    await portal.deps.db.deleteFrom('submissions').where('id', '=', orphan.id).execute()
    await age(orphan.storageKey, 1)
    return [orphan, await submit({ status: 2, settledAt: daysAgo(31) })] as const
  }

  it('deletes nothing while the clock jumped', async () => {
    const [orphan, expired] = await orphanedAndExpired()
    await portal.deps.db
      .insertInto('marks')
      .values({ name: 'clockJump', at: daysAgo(0.5) })
      .execute()
    await sweepStorage(portal.deps)
    expect([await hasSource(orphan), await hasSource(expired)]).toEqual([true, true])
  })

  it('deletes nothing while the storage belongs to another database', async () => {
    const [orphan, expired] = await orphanedAndExpired()
    const mark = storedPath('.name')
    const id = await readFile(mark, 'utf8')
    await writeFile(mark, 'of another database')
    await expect(sweepStorage(portal.deps)).rejects.toThrow(StorageUnavailableError)
    await writeFile(mark, id)
    expect([await hasSource(orphan), await hasSource(expired)]).toEqual([true, true])
  })

  it('deletes again in every run in its own storage', async () => {
    await sweepStorage(portal.deps)
    const ingested = await submit({ status: 4 })
    await sweepStorage(portal.deps)
    expect(await hasSource(ingested)).toBe(false)
  })

  it.for([
    { status: 2 as const, settledAt: 29.9, isKept: true, why: 'its errors can still be downloaded' },
    { status: 2 as const, settledAt: 30.1, isKept: false, why: 'RETENTION_DAYS are over' },
    { status: 4 as const, settledAt: 0, isKept: false, why: 'the file is in the company folder' },
    { status: 5 as const, settledAt: 80, isKept: true, why: 'it can be retried' },
    { status: 6 as const, settledAt: 0, isKept: false, why: 'it was purged' },
  ])(
    'of a source in status $status after $settledAt days: kept $isKept, because $why',
    async ({ status, settledAt, isKept }) => {
      const submission = await submit({ status, settledAt: daysAgo(settledAt) })
      await sweepStorage(portal.deps)
      expect(await hasSource(submission)).toBe(isKept)
      expect((await read(submission.id)).sourceDeletedAt === null).toBe(isKept)
    },
  )
})
