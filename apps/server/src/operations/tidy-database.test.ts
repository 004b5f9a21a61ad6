import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '#log.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { buildSubmission } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const DAY = 24 * 60 * 60 * 1000
const inDays = (days: number) => new Date(Date.now() + days * DAY)

describe('Tidying the database', () => {
  it('deletes ended and expired sessions and no others', async () => {
    const { db, ids } = portal.deps
    const userId = portal.clerk.id
    const [alive, expired, ended] = [ids.uuid(), ids.uuid(), ids.uuid()]
    await db
      .insertInto('sessions')
      .values([
        { id: alive, userId, expiresAt: inDays(1), endedAt: null },
        { id: expired, userId, expiresAt: inDays(-1), endedAt: null },
        { id: ended, userId, expiresAt: inDays(1), endedAt: inDays(-1) },
      ])
      .execute()
    await tidyDatabase(portal.deps)
    const left = await db.selectFrom('sessions').select('id').execute()
    expect(left.map(({ id }) => id)).toEqual([alive])
  })

  it('deletes old e-mails that were sent or parked, and none that waits, and logs how many', async () => {
    const { db } = portal.deps
    const mail = (messageId: string, createdAt: Date, state: object) => ({
      messageId,
      recipient: 'a@example.test',
      subject: 's',
      textBody: '',
      htmlBody: '',
      createdAt,
      ...state,
    })
    await db
      .insertInto('mails')
      .values([
        mail('old and sent', inDays(-40), { sentAt: inDays(-40) }),
        mail('old and parked', inDays(-40), { parkedAt: inDays(-40) }),
        mail('old and waiting', inDays(-40), {}),
        mail('young and sent', inDays(-20), { sentAt: inDays(-20) }),
        mail('old and parked after a long outage', inDays(-40), { parkedAt: inDays(-1) }),
      ])
      .execute()
    const left = async () => {
      const mails = await db.selectFrom('mails').select('messageId').orderBy('id').execute()
      return mails.map((mail) => mail.messageId)
    }
    await db
      .insertInto('marks')
      .values({ name: 'clockJump', at: inDays(-0.5) })
      .execute()
    await tidyDatabase(portal.deps)
    expect(await left(), 'after a jump of the clock').toHaveLength(5)
    await db.deleteFrom('marks').where('name', '=', 'clockJump').execute()
    const lines: string[] = []
    const log = createLog('info', { destination: { write: (line) => void lines.push(line) } })
    await tidyDatabase({ ...portal.deps, log })
    expect(await left()).toEqual(['old and waiting', 'young and sent', 'old and parked after a long outage'])
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { msg: 'the database was tidied', mails: 2, reports: 0 },
    ])
    await tidyDatabase({ ...portal.deps, log })
    expect(lines).toHaveLength(1)
  })

  it('deletes the values of bad cells of reports older than RETENTION_DAYS, and no others', async () => {
    const { db } = portal.deps
    const reported = async (age: number, status: SubmissionStatus = SubmissionStatus.ValidationFailed) => {
      const { id } = await buildSubmission(db, { status, settledAt: inDays(-age), errorRowCount: 1 })
      const row = { submissionId: id, rowNumber: 2, totalCount: 1, errors: '[]' }
      await db.insertInto('rowReports').values(row).execute()
      return id
    }
    await reported(91)
    const left = [await reported(89), await reported(91, SubmissionStatus.InProcess)]
    await tidyDatabase(portal.deps)
    const kept = await db.selectFrom('rowReports').select('submissionId').orderBy('submissionId').execute()
    expect(kept.map(({ submissionId }) => submissionId)).toEqual(left)
  })

  it('deletes old reports although 200 earlier submissions keep theirs', async () => {
    const { db } = portal.deps
    await sql`truncate row_reports`.execute(portal.owner)
    const template = await buildSubmission(db, {
      status: SubmissionStatus.InProcess,
      createdAt: inDays(-95),
      settledAt: inDays(-95),
    })
    const copied = sql.raw(`company_id, user_id, dictionary_version_id, dictionary_name, file_name, file_kind,
      bytes, sha256, created_at, settled_at`)
    await sql`
      insert into submissions (status, storage_key, ${copied})
      select case when n <= 300 then 1 else 2 end, 'many ' || n, ${copied}
      from submissions, generate_series(1, 600) n where id = ${template.id} order by n
    `.execute(portal.owner)
    await sql`insert into row_reports (submission_id, row_number, total_count, errors)
      select id, 2, 1, '[]' from submissions where storage_key like 'many %'`.execute(portal.owner)
    await tidyDatabase(portal.deps)
    const { rows } = await sql`select from row_reports join submissions on id = submission_id
      where status = 1`.execute(portal.owner)
    const all = await db.selectFrom('rowReports').select('submissionId').execute()
    expect([rows.length, all.length]).toEqual([300, 300])
  })

  it('deletes old moves of final submissions, in parts, and no others', async () => {
    const { db } = portal.deps
    await sql`truncate submission_moves`.execute(portal.owner)
    const { IngestionSuccess, IngestionFailed } = SubmissionStatus
    const [final, open] = await Promise.all(
      [IngestionSuccess, IngestionFailed].map((status) => buildSubmission(db, { status })),
    )
    const move = (id: number, count: number, days: number) =>
      sql`insert into submission_moves (submission_id, to_status, at)
        select ${id}, 0, now() - make_interval(days => ${days}) from generate_series(1, ${count})
      `.execute(portal.owner)
    await move(open!.id, 1, 92)
    await move(final!.id, 5100, 91)
    await move(final!.id, 1, 89)
    await tidyDatabase(portal.deps)
    const left = await db.selectFrom('submissionMoves').select('submissionId').orderBy('id').execute()
    expect(left.map(({ submissionId }) => submissionId)).toEqual([open!.id, final!.id])
  })
})
