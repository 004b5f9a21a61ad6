import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mailMessages } from '@veridict/contract/messages/mails'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { buildCompany, buildDictionary, buildSubmission, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let test: TestApp
beforeAll(async () => {
  test = await createTestApp()
})
afterAll(() => test.close())

describe('The counts of the dashboard', () => {
  const counts = async () =>
    (await test.call('GET', '/api/Admin/counts', { as: test.administrator })).json().value

  it('do not include what was deleted', async () => {
    const before = await counts()
    await buildCompany(test.deps.db)
    await buildCompany(test.deps.db, { deletedAt: new Date() })
    const { id } = await buildDictionary(test.deps.db)
    await buildDictionary(test.deps.db)
    await test.deps.db
      .updateTable('dictionaries')
      .set({ deletedAt: new Date() })
      .where('id', '=', id)
      .execute()
    expect(await counts()).toEqual({
      totalDataDictionaries: before.totalDataDictionaries + 1,
      totalCompanies: before.totalCompanies + 1,
      rejected: [],
    })
  })

  it('have the rejected files of the last 7 days by company', async () => {
    const { db } = test.deps
    const { ValidationFailed, IngestionSuccess, IngestionFailed } = SubmissionStatus
    const weekAgo = new Date(Date.now() - 7 * 24 * 60 * 60 * 1000 - 1000)
    const companyWith = async (...submissions: object[]) => {
      const { id: companyId, name: companyName } = await buildCompany(db)
      const { id: userId } = await buildUser(db, { companyId })
      for (const submission of submissions) await buildSubmission(db, { companyId, userId, ...submission })
      return { companyId, companyName }
    }
    const failed = { status: ValidationFailed }
    const one = await companyWith(failed, { ...failed, createdAt: weekAgo }, { status: IngestionSuccess })
    const two = await companyWith(failed, failed, { status: IngestionFailed })
    await companyWith({ status: IngestionSuccess })
    await db
      .updateTable('companies')
      .set({ deletedAt: new Date() })
      .where('id', '=', (await companyWith(failed)).companyId)
      .execute()
    expect(await counts()).toMatchObject({
      rejected: [
        { ...two, rejected: 2, uploaded: 3 },
        { ...one, rejected: 1, uploaded: 2 },
      ],
    })
  })
})

describe('Undelivered e-mails', () => {
  const mail = (recipient: string, state: object) => ({
    messageId: `<${recipient}>`,
    recipient,
    subject: 'Set a password',
    textBody: 'secret link',
    htmlBody: '',
    ...state,
  })
  const parked = { parkedAt: new Date(), attempts: 1, lastError: '550 no such user' }
  beforeEach(async () => {
    test.wakened.length = 0
    await test.deps.db.deleteFrom('mails').execute()
    await test.deps.db
      .insertInto('mails')
      .values([
        mail('parked@example.test', parked),
        mail('waiting@example.test', { attempts: 3, lastError: '451 later', subject: 'Storage error' }),
        mail('sent@example.test', { sentAt: new Date(), textBody: '' }),
        mail('emptied@example.test', { ...parked, textBody: '' }),
      ])
      .execute()
  })
  const list = async (query: string) =>
    (await test.call('GET', `/api/Admin/Mail${query}`, { as: test.administrator })).json().value
  const send = (id: number) => test.call('POST', `/api/Admin/Mail/${id}/Send`, { as: test.administrator })
  const idOf = async (recipient: string): Promise<number> => {
    const { id } = await test.deps.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', `${recipient}@example.test`)
      .executeTakeFirstOrThrow()
    return id
  }

  it.for([
    { query: '', recipients: ['emptied', 'waiting', 'parked'] },
    { query: '?Parked=true', recipients: ['emptied', 'parked'] },
    { query: '?Parked=false', recipients: ['waiting'] },
    { query: '?Parked=true&SearchText=PARKED@', recipients: ['parked'] },
    { query: '?SearchText=STORAGE', recipients: ['waiting'] },
    { query: '?PageSize=1&PageNumber=2', recipients: ['waiting'] },
  ])('are listed newest first by $query', async ({ query, recipients }) => {
    const { data } = await list(query)
    expect(data.map(({ recipient }: { recipient: string }) => recipient.split('@')[0])).toEqual(recipients)
  })

  it("have the mail server's reply and never their text", async () => {
    const { data, totalCount } = await list('?SearchText=parked@')
    expect(totalCount).toBe(1)
    expect(data).toEqual([
      {
        id: expect.any(Number),
        recipient: 'parked@example.test',
        subject: 'Set a password',
        createdAt: expect.any(String),
        attempts: 1,
        lastError: '550 no such user',
        parkedAt: expect.any(String),
      },
    ])
  })

  it.for(['parked', 'waiting'])('are sent again: %s', async (name) => {
    const reply = await send(await idOf(name))
    expect(reply.json().value).toEqual({ message: mailMessages.sentAgain })
    expect(test.wakened).toEqual(['sendMails'])
    expect((await list('?Parked=false')).data).toHaveLength(name === 'parked' ? 2 : 1)
  })

  it.for([
    { name: 'sent', message: mailMessages.alreadySent },
    { name: 'emptied', message: mailMessages.textDeleted },
  ])('cannot be sent again when $name', async ({ name, message }) => {
    const reply = await send(await idOf(name))
    expect(reply.statusCode).toBe(409)
    expect(reply.json()).toEqual({ message })
  })

  it('that do not exist are a 404', async () => {
    expect((await send(2_000_000_000)).statusCode).toBe(404)
  })
})
