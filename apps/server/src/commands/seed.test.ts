import { ErrorType } from '@veridict/contract/model/error-type'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoLogins, seedDemo } from '#commands/seed.ts'
import type { SubmissionRow } from '#db/tables.ts'
import { EnvError } from '#env.ts'
import { ingestSubmission } from '#services/submissions/ingest-submission.ts'
import { recoverUnsettled } from '#services/submissions/run-maintenance.ts'
import { validateSubmission } from '#services/submissions/validate-submission.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let submissions: SubmissionRow[]
let token: string

const own = { email: 'me@example.net', password: 'Mine-Alone-1' }

beforeAll(async () => {
  portal = await createTestApp()
  await sql`truncate users, companies cascade`.execute(portal.deps.db)
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

  it('keeps submissions in progress for a day, and then completes them', async () => {
    const held = ['claims-october.csv', 'claims-week-46.csv', 'claims-week-47.csv'].map(
      (name) => named(name).id,
    )
    const statuses = async () => {
      const rows = await portal.deps.db
        .selectFrom('submissions')
        .select('status')
        .where('id', 'in', held)
        .orderBy('id')
        .execute()
      return rows.map(({ status }) => status)
    }
    await portal.deps.db
      .updateTable('submissions')
      .set({ updatedAt: sql`now() - interval '1 minute'` })
      .execute()
    expect(await recoverUnsettled(portal.deps)).toBe(0)
    expect(await statuses()).toEqual([3, 1, 0])

    await portal.deps.db
      .updateTable('submissions')
      .set({ leaseUntil: sql`lease_until - interval '25 hours'` })
      .execute()
    expect(await recoverUnsettled(portal.deps)).toBe(3)
    const running = new AbortController().signal
    for (const id of held) await validateSubmission(id, portal.deps, running)
    for (const id of held) await ingestSubmission(id, portal.deps, running)
    expect(await statuses()).toEqual([4, 4, 4])
  })

  it('refuses an ADMIN_EMAIL of a demo user, and stores nothing', async () => {
    const empty = await createTestApp()
    await sql`truncate users, companies cascade`.execute(empty.deps.db)
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
