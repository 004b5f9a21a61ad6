import { rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { runs } from '@veridict/engine/test/runs'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { retryDueStorageErrors } from '#submissions/retry-ingestion.ts'
import { buildUser } from '#test/factories.ts'
import { buildStoredSubmission, buildSubmissionOfClerk, findRow } from '#test/submission-fixture.ts'
import { ingestSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

const { ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } = SubmissionStatus
const DAY = 24 * 60 * 60 * 1000
let portal: TestApp
let token: string

beforeAll(async () => {
  portal = await createTestApp()
  token = await portal.tokenOf(portal.clerk)
})
afterAll(() => portal.close())
beforeEach(async () => {
  await sql`truncate submissions, submission_moves, mails cascade`.execute(portal.owner)
  portal.events.length = 0
})

const submit = (given: Parameters<typeof buildStoredSubmission>[1] = {}) =>
  buildSubmissionOfClerk(portal, { status: IngestionFailed, ...given })
const statusOf = async (id: number) => (await findRow(portal.deps.db, id)).status
const retry = (FileId: unknown, as = token) =>
  portal.call('POST', '/api/FileSubmission/retryingestionupload', { as, body: { FileId } })

describe('Retry ingestion', () => {
  it('starts the ingestion of a storage error again (200)', async () => {
    const { id } = await submit()
    const response = await retry(id)
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { value: { message: submissionMessages.retryStarted } },
    ])
    expect(await statusOf(id)).toBe(ValidationPassed)
    expect(portal.events).toMatchObject([{ FileId: id, FilesStatus: ValidationPassed }])
  })

  it('marks the file removed when storage no longer has it (409)', async () => {
    const { id, storageKey } = await submit()
    await portal.deps.storage.delete(`.sources/${storageKey}`)
    const response = await retry(id)
    expect([response.statusCode, response.json()]).toEqual([409, { message: 'IngestionFileNotFound' }])
    expect(await statusOf(id)).toBe(IngestionFileNotFound)
  })

  it('changes nothing while the storage is not available (503)', async () => {
    const { id } = await submit()
    const { storageUrl } = portal.deps.env
    await rename(storageUrl, `${storageUrl}-away`)
    const response = await retry(id)
    await rename(`${storageUrl}-away`, storageUrl)
    expect(response.statusCode).toBe(503)
    expect(await statusOf(id)).toBe(IngestionFailed)
  })

  it.for([0, 1, 2, 3, 4, 6] as const)(
    'does not apply to status %i (409 with another message)',
    async (status) => {
      const { id } = await submit({ status })
      const response = await retry(id)
      expect([response.statusCode, response.json()]).toEqual([
        409,
        { message: submissionMessages.retryNotPossible },
      ])
      expect(await statusOf(id)).toBe(status)
    },
  )

  it.for([0, -1, 1e9, 'NaN', "1'--", null])('refuses the id %j with 400 or 404', async (FileId) => {
    expect([400, 404]).toContain((await retry(FileId)).statusCode)
  })

  it('does not see submissions of another company (404)', async () => {
    const { id } = await submit()
    const otherCompanyUser = await portal.tokenOf(await buildUser(portal.deps.db))
    expect((await retry(id, otherCompanyUser)).statusCode).toBe(404)
    expect(await statusOf(id)).toBe(IngestionFailed)
  })

  it('starts one ingestion for 50 clicks at once', async () => {
    const { id } = await submit()
    const statuses = (await Promise.all(Array.from({ length: 50 }, () => retry(id)))).map(
      ({ statusCode }) => statusCode,
    )
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(49)
    expect(portal.events).toHaveLength(1)
  })
})

describe('Retry and purge at the same time', () => {
  const race = async () => {
    const { id } = await submit({ createdAt: new Date(Date.now() - 91 * DAY) })
    const purge = expireStorageErrors(portal.deps)
    const { statusCode } = await retry(id)
    if (statusCode === 200) await ingestSubmission(id, portal.deps, new AbortController().signal)
    await purge
    const row = await portal.deps.db
      .selectFrom('submissions')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const hasTarget = row.targetPath !== null && (await portal.deps.storage.exists(row.targetPath))
    return { statusCode, status: row.status, hasTarget }
  }

  it('end in status 4 with the file or in status 6 without it', async () => {
    for (let round = 0; round < runs(2); round++) {
      for (const outcome of await Promise.all(Array.from({ length: 20 }, race))) {
        expect([
          { statusCode: 200, status: IngestionSuccess, hasTarget: true },
          { statusCode: 409, status: IngestionFileNotFound, hasTarget: false },
        ]).toContainEqual(outcome)
      }
    }
  })
})

describe('A storage error', () => {
  const running = new AbortController().signal
  const folderOf = async () => {
    const company = portal.deps.db.selectFrom('companies').where('id', '=', portal.clerk.companyId)
    const { storageFolder } = await company.select('storageFolder').executeTakeFirstOrThrow()
    return join(portal.deps.env.storageUrl, storageFolder)
  }
  const minutesUntilRetry = async (id: number) => {
    const submissions = portal.deps.db.selectFrom('submissions').where('id', '=', id)
    const minutes = sql<number>`extract(epoch from lease_until - settled_at)::integer / 60`
    return (await submissions.select(minutes.as('minutes')).executeTakeFirstOrThrow()).minutes
  }
  const makeDue = async () => {
    const set = { leaseUntil: sql<Date>`now()` }
    await portal.deps.db.updateTable('submissions').set(set).where('leaseUntil', 'is not', null).execute()
  }
  const subjects = async () =>
    (await portal.deps.db.selectFrom('mails').select('subject').orderBy('id').execute()).map(
      ({ subject }) => subject.split(':')[0],
    )

  it('F34: is tried again by itself for a day at growing intervals, and told once', async () => {
    const folder = await folderOf()
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, 'not a folder')
    const { id } = await submit({ status: ValidationPassed, recordsCount: 2 })
    const delays: (number | null)[] = []
    for (let failure = 1; failure <= 8; failure++) {
      await ingestSubmission(id, portal.deps, running)
      expect(await statusOf(id)).toBe(IngestionFailed)
      delays.push(await minutesUntilRetry(id))
      // Not due yet.
      await retryDueStorageErrors(portal.deps)
      expect(await statusOf(id)).toBe(IngestionFailed)
      await makeDue()
      await retryDueStorageErrors(portal.deps)
    }
    expect(delays).toEqual([10, 20, 40, 80, 160, 320, 640, null])
    expect(await statusOf(id)).toBe(IngestionFailed)
    expect(await subjects()).toEqual(['Storage error'])
    await rm(folder)
    expect((await retry(id)).statusCode).toBe(200)
    await ingestSubmission(id, portal.deps, running)
    expect(await statusOf(id)).toBe(IngestionSuccess)
    expect(await subjects()).toEqual(['Storage error', 'Accepted'])
  })

  it('is tried again with all, or those of a company, when an administrator wants it', async () => {
    const [first, second] = [await submit(), await submit()]
    const otherClerk = await buildUser(portal.deps.db)
    const other = await submit({ companyId: otherClerk.companyId ?? 0, userId: otherClerk.id })
    const retryAll = (body: object, as = portal.administrator) =>
      portal.call('POST', '/api/Admin/Operation/RetryStorage', { as, body })
    expect((await retryAll({}, portal.clerk)).statusCode).toBe(403)
    expect((await retryAll({ companyId: 999_999 })).statusCode).toBe(404)
    expect((await retryAll({ companyId: portal.clerk.companyId })).json()).toMatchObject({
      value: { retried: 2 },
    })
    await retryDueStorageErrors(portal.deps)
    expect(await Promise.all([first, second, other].map(({ id }) => statusOf(id)))).toEqual([
      ValidationPassed,
      ValidationPassed,
      IngestionFailed,
    ])
    expect((await retryAll({})).json()).toMatchObject({ value: { retried: 1 } })
    await retryDueStorageErrors(portal.deps)
    expect(await statusOf(other.id)).toBe(ValidationPassed)
  })

  it('is tried again although another one before it cannot be', async () => {
    const [unreadable, other] = [await submit(), await submit()]
    const { storageKey } = unreadable
    const path = join(portal.deps.env.storageUrl, '.sources', storageKey)
    await rm(path)
    await rm(await folderOf(), { recursive: true, force: true })
    await symlink('loop', await folderOf())
    const due = { leaseUntil: sql<Date>`now()` }
    await portal.deps.db.updateTable('submissions').set(due).execute()
    await retryDueStorageErrors(portal.deps)
    await rm(await folderOf())
    expect(await statusOf(other.id)).toBe(ValidationPassed)
    const { status, attempts, leaseUntil } = await findRow(portal.deps.db, unreadable.id)
    expect([status, attempts]).toEqual([IngestionFailed, 1])
    expect(leaseUntil?.getTime()).toBeGreaterThan(Date.now())
  })
})
