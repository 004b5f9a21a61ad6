import { ErrorType } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoLogins, seedDemo } from '#commands/seed.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import { EnvError } from '#env.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { ingestClaimed } from '#submissions/ingest-submission.ts'
import { claimSubmissions } from '#submissions/submission-claims.ts'
import { validateClaimed } from '#submissions/validate-submission.ts'
import { ingestSubmission } from '#test/run-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let submissions: SubmissionRow[]
let token: string

const own = { email: 'me@example.net', password: 'Mine-Alone-1' }

beforeAll(async () => {
  portal = await createTestApp()
  await sql`truncate users, companies cascade`.execute(portal.owner)
  await seedDemo(portal.deps, own)
  submissions = await portal.deps.db.selectFrom('submissions').selectAll().orderBy('id').execute()
  token = await logIn('clerk@example.com')
})
afterAll(() => portal.close())

async function logIn(email: string, password = 'Veridict#2026'): Promise<string> {
  const response = await portal.call('POST', '/api/Login', { body: { email, password } })
  expect(response.statusCode).toBe(200)
  return response.json().value.userTokens.accessToken
}
const named = (fileName: string) =>
  submissions.find((submission) => submission.fileName === fileName) as SubmissionRow
const get = (url: string) => portal.call('GET', url, { as: token })

describe('The demo', () => {
  it('accepts every login of the banner', async () => {
    expect(demoLogins.map(({ email }) => email)).toEqual([
      'admin@example.com',
      'clerk@example.com',
      'other@example.com',
    ])
    for (const { email } of demoLogins) await logIn(email)
  })

  it('accepts the administrator of ADMIN_EMAIL too', async () => {
    const as = await logIn(own.email, own.password)
    expect((await portal.call('GET', '/api/Admin/counts', { as })).statusCode).toBe(200)
  })

  it('shows its clerk a submission in each of the seven statuses, newest first', async () => {
    const { value } = (await get('/api/FileSubmission')).json()
    const statuses = new Set(value.data.map((item: { status: number }) => item.status))
    expect([...statuses].toSorted()).toEqual(Object.values(SubmissionStatus))
    const times = value.data.map((item: { createdAt: string }) => item.createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(value.data.map((item: { fileName: string }) => item.fileName)).not.toContain('claims-clean.xlsx')
  })

  it('has a real report with both downloads', async () => {
    const { id } = named('claims-with-errors.csv')
    const { value } = (await get(`/api/FileSubmission/${id}/Errors`)).json()
    expect(value.errorType).toBe(ErrorType.RowErrors)
    expect(value.errorRowCount).toBe(value.rows.totalCount)
    for (const [kind, name] of [
      ['Simple', 'claims-with-errors_errors.xlsx'],
      ['Highlighted', 'claims-with-errors_highlighted.xlsx'],
    ]) {
      const file = await get(`/api/ErrorFile/${id}/${kind}`)
      expect(file.statusCode).toBe(200)
      expect(file.headers['content-disposition']).toContain(`filename="${name}"`)
      expect(file.headers['x-content-type-options']).toBe('nosniff')
      expect(file.headers['cache-control']).toContain('no-store')
      expect(file.rawPayload.subarray(0, 2).toString()).toBe('PK')
    }
  })

  it('has a file whose columns are wrong, with a message that names the column', async () => {
    const { value } = (await get(`/api/FileSubmission/${named('claims-old-layout.csv').id}/Errors`)).json()
    expect(value).toMatchObject({
      errorType: ErrorType.Columns,
      errorRowCount: null,
      errorMessage: expect.stringContaining('Provider NPI'),
      fileProblem: { details: expect.arrayContaining([expect.stringContaining('Provider NPI')]) },
    })
  })

  it('has the accepted file in the company folder', async () => {
    const { targetPath, recordsCount } = named('claims-clean.csv')
    expect(targetPath).toMatch(/^northwind\//)
    expect(await portal.deps.storage.exists(targetPath ?? '')).toBe(true)
    expect(recordsCount).toBeGreaterThan(0)
  })

  it('has a storage error whose Retry works', async () => {
    const { id } = named('claims-september.csv')
    const retry = await portal.call('POST', '/api/FileSubmission/retryingestionupload', {
      as: token,
      body: { FileId: id },
    })
    expect(retry.statusCode).toBe(200)
    await ingestSubmission(id, portal.deps, new AbortController().signal)
    const { status } = await portal.deps.db
      .selectFrom('submissions')
      .select('status')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(status).toBe(SubmissionStatus.IngestionSuccess)
  })

  describe('keeps three submissions in progress', () => {
    const held = () => ['claims-october.csv', 'claims-week-46.csv', 'claims-week-47.csv'].map(named)
    const stored = () =>
      portal.deps.db
        .selectFrom('submissions')
        .select(['status', 'leaseUntil'])
        .where(
          'id',
          'in',
          held().map(({ id }) => id),
        )
        .orderBy('id')
        .execute()
    const statuses = async () => (await stored()).map(({ status }) => status)
    const claims = async (work: SubmissionWork) => {
      const { db, leases } = portal.deps
      return (await claimSubmissions(db, work, leases.next(), { busy: [], free: 4 })).claimed
    }

    it('for less than a minute', async () => {
      for (const work of ['validateSubmission', 'ingestSubmission'] as const)
        await expect(claims(work)).resolves.toEqual([])
      expect(await statuses()).toEqual([3, 1, 0])
      const [{ now }] = (await sql<{ now: Date }>`select now() as now`.execute(portal.deps.db)).rows as [
        { now: Date },
      ]
      for (const { leaseUntil } of await stored())
        expect(leaseUntil!.getTime() - now.getTime()).toBeLessThan(45_000)
    })

    it('and then completes them as every upload', async () => {
      const running = new AbortController().signal
      const due = portal.deps.db.updateTable('submissions').set({ leaseUntil: sql<Date>`now()` })
      await due.where('leaseUntil', 'is not', null).execute()
      for (const submission of await claims('validateSubmission'))
        await validateClaimed(submission, portal.deps, running)
      for (const submission of await claims('ingestSubmission'))
        await ingestClaimed(submission, portal.deps, running)
      expect(await statuses()).toEqual([4, 4, 4])
    })
  })

  it('leaves the lease of a running validation alone at the next start', async () => {
    const { id } = named('claims-clean.csv')
    const lease = { leaseId: randomUUID(), leaseUntil: sql<Date>`now() + interval '24 seconds'` }
    const row = portal.deps.db.updateTable('submissions').where('id', '=', id)
    await row.set({ ...lease, status: SubmissionStatus.InProcess }).execute()
    await seedDemo(portal.deps)
    const restored = { ...withoutLease, status: SubmissionStatus.IngestionSuccess }
    const before = await portal.deps.db
      .selectFrom('submissions')
      .select('leaseId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await row.set(restored).execute()
    expect(before.leaseId).toBe(lease.leaseId)
  })

  it('refuses an ADMIN_EMAIL of a demo user, and stores nothing', async () => {
    const empty = await createTestApp()
    await sql`truncate users, companies cascade`.execute(empty.owner)
    await expect(seedDemo(empty.deps, { ...own, email: 'Clerk@example.com' })).rejects.toBeInstanceOf(
      EnvError,
    )
    expect(await empty.deps.db.selectFrom('users').selectAll().execute()).toEqual([])
    await empty.close()
  })

  it('is stored only in a new database', async () => {
    await seedDemo(portal.deps)
    expect(await portal.deps.db.selectFrom('companies').selectAll().execute()).toHaveLength(2)
  })
})
