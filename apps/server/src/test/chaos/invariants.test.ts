import { createHash, randomUUID } from 'node:crypto'
import { appendFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { sendPendingMails } from '#mail/send-pending-mails.ts'
import { findViolations, findViolationsWhenSettled } from '#test/chaos/find-violations.ts'
import type { ReceivedMail, TestedSystem } from '#test/chaos/invariants.ts'
import { findMailViolations } from '#test/chaos/mail-violations.ts'
import { outcomeOf } from '#test/chaos/outcome.ts'
import { findOrphanedFiles } from '#test/chaos/stored-files.ts'
import { buildDictionary } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { validateSubmission } from '#test/run-submission.ts'
import { uploadForm } from '#test/upload-form.ts'

/** A check that finds nothing may simply not work, so everything is broken here on purpose. */
let portal: TestApp
let dictionaryId: number
let system: TestedSystem
let received: ReceivedMail[]
let good: SubmissionRow
let faulty: SubmissionRow

beforeAll(async () => {
  portal = await createTestApp({ uploadsPerMinute: 100_000 })
  dictionaryId = (await buildDictionary(portal.owner, { companyId: portal.clerk.companyId ?? 0 })).id
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.owner.deleteFrom('mails').execute()
  await portal.owner.deleteFrom('marks').execute()
  await portal.owner.deleteFrom('submissionMoves').execute()
  await portal.owner.deleteFrom('submissions').execute()
  await rm(stored('.'), { recursive: true, force: true })
  await portal.deps.storage.setId(
    (await portal.owner.selectFrom('storageIdentity').select('id').executeTakeFirstOrThrow()).id,
  )
  good = await upload('Name,Amount\nAda,1.50\n')
  faulty = await upload('Name,Amount\nAda,one\n,two\n')
  received = []
  const mailer = {
    send: async ({ messageId }: ReceivedMail) => void received.push({ messageId }),
    close: async () => {},
  }
  await sendPendingMails({ ...portal.deps, mailer })
  const uploads = await Promise.all(
    [good, faulty].map(async ({ id, fileName, sha256 }) => ({
      id,
      fileName,
      sha256,
      outcome: await outcomeOf(portal.owner, id),
    })),
  )
  system = { db: portal.owner, storage: portal.deps.storage, uploads }
})

const stored = (path: string) => join(portal.deps.env.storageUrl, path)

async function upload(content: string): Promise<SubmissionRow> {
  const fileName = `${randomUUID()}.csv`
  const form = await uploadForm(['file', content, fileName], ['dataDictionaryId', String(dictionaryId)])
  const headers = {
    ApiKey: portal.deps.env.apiKey,
    authorization: `Bearer ${await portal.tokenOf(portal.clerk)}`,
    ...form.headers,
  }
  const url = '/api/FileSubmission'
  const reply = await portal.app.inject({ method: 'POST', url, headers, payload: form.body })
  const { id } = (reply.json() as { value: { id: number } }).value
  await validateSubmission(id, portal.deps, new AbortController().signal, { maxIngestedBytes: 1_000_000 })
  const row = portal.owner.selectFrom('submissions').selectAll().where('id', '=', id)
  expect(createHash('sha256').update(content).digest('hex')).toBe(
    (await row.executeTakeFirstOrThrow()).sha256,
  )
  return row.executeTakeFirstOrThrow()
}

const run = (statement: ReturnType<typeof sql>) => statement.execute(portal.owner)
const everyViolation = async () => [
  ...(await findViolationsWhenSettled(system)),
  ...(await findMailViolations(system, received, 0)),
  ...(await findOrphanedFiles(system, portal.deps)),
]
const kindsOf = (violations: readonly string[]) => [...new Set(violations.map((text) => text.slice(0, 2)))]

describe('The checks of the invariants', () => {
  it('find nothing where nothing is wrong', async () => {
    expect([good.status, faulty.status]).toEqual([
      SubmissionStatus.IngestionSuccess,
      SubmissionStatus.ValidationFailed,
    ])
    expect(await everyViolation()).toEqual([])
  })

  it.for<{ what: string; found: string[]; damage: () => Promise<unknown> }>([
    {
      what: 'an accepted upload without a row',
      found: ['I1', 'I4'],
      damage: async () => {
        await run(sql`delete from submission_moves where submission_id = ${good.id}`)
        await run(sql`delete from submissions where id = ${good.id}`)
      },
    },
    {
      what: 'an upload that was stored twice',
      found: ['I1', 'I5'],
      damage: () => run(sql`update submissions set file_name = ${good.fileName} where id = ${faulty.id}`),
    },
    {
      what: 'other bytes than were sent',
      found: ['I1', 'I2', 'I4'],
      damage: () => run(sql`update submissions set sha256 = repeat('0', 64) where id = ${good.id}`),
    },
    { what: 'a missing source', found: ['I2'], damage: () => rm(stored(`.sources/${faulty.storageKey}`)) },
    {
      what: 'a source without a row, which no sweep deleted',
      found: ['I2'],
      damage: async () => {
        await run(sql`insert into marks (name, at) values ('clockJump', now())`)
        await writeFile(stored('.sources/orphan'), 'a')
      },
    },
    {
      what: 'a target that is not complete',
      found: ['I2', 'I4'],
      damage: () => writeFile(stored(good.targetPath ?? ''), 'Name'),
    },
    {
      what: 'a target without its description',
      found: ['I4'],
      damage: () => rm(stored(`${good.targetPath}.json`)),
    },
    {
      what: 'a target that belongs to no submission',
      found: ['I4'],
      damage: () => writeFile(join(dirname(stored(good.targetPath ?? '')), 'other.csv'), 'a'),
    },
    {
      what: 'a file that was stored under a second name',
      found: ['I4'],
      damage: () =>
        writeFile(
          join(dirname(stored(good.targetPath ?? '')), `${good.id}_other.csv`),
          'Name,Amount\nAda,1.50\n',
        ),
    },
    {
      what: 'a missing report of a row',
      found: ['I5'],
      damage: () => run(sql`delete from row_reports where submission_id = ${faulty.id} and row_number = 3`),
    },
    {
      what: 'a wrong count of rows',
      found: ['I5'],
      damage: () => run(sql`update submissions set records_count = 7 where id = ${good.id}`),
    },
    {
      what: 'a status without its move',
      found: ['I6'],
      damage: () => run(sql`delete from submission_moves where submission_id = ${good.id} and to_status = 4`),
    },
    {
      what: 'a move that is not allowed',
      found: ['I6'],
      damage: () =>
        run(
          sql`update submission_moves set from_status = 2 where submission_id = ${good.id} and to_status = 3`,
        ),
    },
    {
      what: 'a result without an e-mail',
      found: ['I7'],
      damage: () => run(sql`delete from mails where subject like ${`%${good.fileName}%`}`),
    },
    {
      what: 'two e-mails of one result',
      found: ['I7'],
      damage: () =>
        run(sql`insert into mails (message_id, recipient, subject, text_body, html_body, attempts)
          select 'other', recipient, subject, '', '', 1
          from mails where subject like ${`%${good.fileName}%`}`),
    },
    {
      what: 'an e-mail that was sent twice although every reply was recorded',
      found: ['I7'],
      damage: async () => received.push(...received.slice(0, 1)),
    },
    { what: 'an e-mail that was not sent', found: ['I7'], damage: async () => received.pop() },
  ])('find $what ($found)', async ({ damage, found }) => {
    await damage()
    expect(kindsOf(await everyViolation())).toEqual(found)
  })

  it('find a part of a file that is read while it is written (I4)', async () => {
    await run(sql`update submissions set status = 3, settled_at = null where id = ${good.id}`)
    await run(sql`delete from submission_moves where submission_id = ${good.id} and to_status = 4`)
    await run(sql`update submissions set source_deleted_at = now() where id = ${good.id}`)
    expect(await findViolations(system)).toEqual([])
    await appendFile(stored(good.targetPath ?? ''), 'more')
    expect(kindsOf(await findViolations(system))).toEqual(['I4'])
  })
})
