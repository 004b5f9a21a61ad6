import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { formatTime } from '#mail/mail-message.ts'
import { createFirstAdministrator, setAdministrator } from '#users/add-user.ts'
import { findUserByEmail } from '#users/users.ts'
import { buildAdministrator, buildCompany, testPassword } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
let colleague: UserRow
beforeAll(async () => {
  portal = await createTestApp()
  colleague = await buildAdministrator(portal.deps.db, { name: 'Colleague' })
  await buildAdministrator(portal.deps.db, { email: 'gone@example.test', deletedAt: new Date() })
})
afterAll(() => portal.close())
beforeEach(async () => {
  await portal.deps.db.deleteFrom('passwordLinks').execute()
  await portal.deps.db.deleteFrom('mails').execute()
  const deletedAt = new Date()
  await portal.deps.db.updateTable('users').set({ deletedAt }).where('email', '=', email).execute()
})

const email = 'eve@example.test'
const notices = () =>
  portal.deps.db
    .selectFrom('mails')
    .select(['recipient', 'textBody'])
    .where('subject', '=', `A super administrator was added: ${email}`)
    .orderBy('id')
    .execute()
const changes = () =>
  portal.deps.db.selectFrom('mails').select(['recipient', 'subject']).orderBy('id').execute()
const post = (form: object) =>
  portal.call('POST', '/api/User', {
    as: portal.administrator,
    body: { name: 'Eve', email, phone: '', companyId: null, isSuperAdmin: true, ...form },
  })

it('tells all other super administrators of a new one, who did it, when and from where', async () => {
  expect((await post({})).statusCode).toBe(201)
  const mails = await notices()
  expect(mails.map(({ recipient }) => recipient)).toEqual([portal.administrator.email, colleague.email])
  const { createdAt } = await portal.deps.db
    .selectFrom('users')
    .select('createdAt')
    .where('email', '=', email)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  const time = formatTime(createdAt)
  for (const part of ['Hello Colleague,', portal.administrator.email, '127.0.0.1', time, '/home/settings'])
    expect(mails[1]?.textBody).toContain(part)
})

it('tells the others, and the earlier e-mail, of one that got another e-mail or was deleted', async () => {
  const victim = await buildAdministrator(portal.deps.db, { email: 'vic@example.test' })
  const url = `/api/User/${victim.id}`
  const to = [portal.administrator.email, colleague.email]
  const body = { id: victim.id, name: victim.name, email, phone: '' }
  const call = (method: 'PUT' | 'DELETE') => portal.call(method, url, { as: portal.administrator, body })
  await call('PUT')
  const readdressed = (await changes()).filter(({ subject }) => subject.includes('has another e-mail: eve@'))
  expect(readdressed.map(({ recipient }) => recipient)).toEqual([...to, victim.email])
  await call('DELETE')
  const deleted = (await changes()).filter(({ subject }) => subject.includes('was deleted: eve@'))
  expect(deleted.map(({ recipient }) => recipient)).toEqual([...to, email])
})

it('sends nothing when the user was not added', async () => {
  expect((await post({ email: colleague.email })).statusCode).toBe(409)
  expect(await portal.deps.db.selectFrom('mails').selectAll().execute()).toEqual([])
})

it('sends no such e-mail for a clerk', async () => {
  const { id } = await buildCompany(portal.deps.db)
  expect((await post({ companyId: id, isSuperAdmin: false })).statusCode).toBe(201)
  expect(await notices()).toEqual([])
})

it('tells of one that the operator made by a command, and not of a new password', async () => {
  expect(await setAdministrator({ email, password: testPassword }, portal.deps)).toBe('created')
  expect(await setAdministrator({ email, password: testPassword }, portal.deps)).toBe('changed')
  const mails = await notices()
  expect(mails.map(({ recipient }) => recipient)).toEqual([portal.administrator.email, colleague.email])
  expect(mails[0]?.textBody).toContain('the operator of the server')
})

it('tells nobody of the first one, who is only made where there is no other', async () => {
  const given = { email, password: testPassword }
  await createFirstAdministrator(given, portal.deps)
  expect(await notices()).toEqual([])
  await portal.deps.db.updateTable('users').set({ deletedAt: new Date() }).execute()
  await createFirstAdministrator(given, portal.deps)
  expect(await findUserByEmail(portal.deps.db, email)).toMatchObject({ email })
  expect(await notices()).toEqual([])
})
