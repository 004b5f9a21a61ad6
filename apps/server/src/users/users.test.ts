import { noticeMessages } from '@veridict/contract/messages/notices'
import { userMessages } from '@veridict/contract/messages/users'
import { Role } from '@veridict/contract/model/role'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAdministrator, buildCompany, buildUser, testPassword } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const asAdmin = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
  portal.call(method, url, { as: portal.administrator, body })

let number = 0
const fresh = () => ({ name: 'Ada Lovelace', email: `ada-${++number}@example.test`, phone: '+493012345' })
const mailsTo = (email: string) =>
  portal.deps.db.selectFrom('mails').selectAll().where('recipient', '=', email).execute()

describe('Creating a user', () => {
  it('creates a clerk and sends the invitation with a link for seven days', async () => {
    const company = await buildCompany(portal.deps.db)
    const form = fresh()
    const reply = await asAdmin('POST', '/api/User', { ...form, companyId: company.id, isSuperAdmin: false })
    expect(reply.statusCode).toBe(201)
    const { id } = reply.json().value
    expect((await asAdmin('GET', `/api/User/${id}`)).json().value).toMatchObject({
      id,
      ...form,
      companyId: company.id,
      isSuperAdmin: false,
    })
    expect(await mailsTo(form.email)).toMatchObject([{ subject: expect.stringContaining('Welcome') }])
    const link = await portal.deps.db
      .selectFrom('passwordLinks')
      .selectAll()
      .where('userId', '=', id)
      .executeTakeFirstOrThrow()
    expect(link.purpose).toBe('invitation')
    expect(Math.round((link.expiresAt.getTime() - Date.now()) / 86_400_000)).toBe(7)
    expect(portal.wakened.at(-1)).toBe('sendMails')
  })

  it.for([
    [
      'an administrator with a company',
      { isSuperAdmin: true, companyId: 1 },
      userMessages.administratorWithCompany,
    ],
    ['a clerk without a company', { isSuperAdmin: false, companyId: null }, userMessages.companyRequired],
    [
      'a clerk of a company that does not exist',
      { isSuperAdmin: false, companyId: 2_000_000_000 },
      userMessages.companyRequired,
    ],
  ] as const)('refuses %s', async ([, role, message]) => {
    const reply = await asAdmin('POST', '/api/User', { ...fresh(), ...role })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({ errors: { companyId: [message] } })
  })

  it('accepts exactly one of two parallel requests with one e-mail, in any letter case', async () => {
    const form = fresh()
    const forms = [form, { ...form, email: form.email.toUpperCase() }]
    const replies = await Promise.all(
      forms.map((user) => asAdmin('POST', '/api/User', { ...user, isSuperAdmin: true })),
    )
    expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([201, 409])
    const refused = replies.find((reply) => reply.statusCode === 409)
    const { duplicateEmail } = userMessages
    expect(refused?.json()).toEqual({ message: duplicateEmail, errors: { DuplicateEmail: [duplicateEmail] } })
    expect(await mailsTo(form.email)).toHaveLength(replies[0].statusCode === 201 ? 1 : 0)
  })

  it('knows an e-mail that is written in another way', async () => {
    const form = { ...fresh(), email: `zo\u00eb.${crypto.randomUUID()}@example.test`, isSuperAdmin: true }
    expect((await asAdmin('POST', '/api/User', form)).statusCode).toBe(201)
    for (const email of [`<${form.email}>`, form.email.normalize('NFD'), form.email.toUpperCase()])
      expect((await asAdmin('POST', '/api/User', { ...form, email })).statusCode).toBe(409)
  })

  it.for([
    ['name', { name: ' ' }],
    ['name', { name: 'x\r\nBcc: victim@example.test' }],
    ['email', { email: 'a@b\n.test' }],
    ['email', { email: 'no address' }],
    ['email', { email: `x;=cmd|'/C'!A0;@a.example` }],
    ['phone', { phone: '++49' }],
  ] as const)('refuses a bad %s: %o', async ([field, change]) => {
    const reply = await asAdmin('POST', '/api/User', { ...fresh(), isSuperAdmin: true, ...change })
    expect(reply.statusCode).toBe(400)
    expect(Object.keys(reply.json().errors)).toEqual([field])
  })
})

describe('Changing a user', () => {
  it('changes name, e-mail and phone and nothing else', async () => {
    const user = await buildUser(portal.deps.db)
    const form = fresh()
    const reply = await asAdmin('PUT', `/api/User/${user.id}`, {
      ...form,
      id: user.id,
      isSuperAdmin: true,
      companyId: null,
      role: 'superAdmin',
    })
    expect(reply.statusCode).toBe(200)
    const row = await portal.deps.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ ...form, role: Role.CompanyUser, companyId: user.companyId })
  })

  it('refuses a new e-mail for oneself, and accepts a new name', async () => {
    const { id, email, name } = portal.administrator
    expect((await asAdmin('PUT', `/api/User/${id}`, { ...fresh(), id })).json()).toEqual({
      errors: { email: [userMessages.ownEmail] },
    })
    expect((await asAdmin('PUT', `/api/User/${id}`, { id, name, email, phone: '123' })).statusCode).toBe(200)
  })

  it('keeps an e-mail of before that is none, and accepts no other one', async () => {
    const [email, other] = ['x;y@a.example', 'x;z@a.example']
    const { id, name } = await buildUser(portal.deps.db, { email })
    expect((await asAdmin('PUT', `/api/User/${id}`, { id, name, email, phone: '123' })).statusCode).toBe(200)
    expect((await asAdmin('PUT', `/api/User/${id}`, { id, name, email: other })).json()).toEqual({
      errors: { email: [userMessages.emailInvalid] },
    })
  })

  it('refuses the form of another user, and changes neither', async () => {
    const [user, other] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const reply = await asAdmin('PUT', `/api/User/${user.id}`, { ...fresh(), id: other.id })
    expect([reply.statusCode, reply.json()]).toEqual([400, { errors: { id: [noticeMessages.invalidId] } }])
    for (const { id, name, email } of [user, other]) {
      expect((await asAdmin('GET', `/api/User/${id}`)).json().value).toMatchObject({ name, email })
    }
  })

  it('refuses an e-mail in use, and a change that conflicts with another', async () => {
    const [user, other] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const taken = await asAdmin('PUT', `/api/User/${user.id}`, { ...fresh(), email: other.email })
    expect(taken.statusCode).toBe(409)
    const { version } = (await asAdmin('GET', `/api/User/${user.id}`)).json().value
    expect((await asAdmin('PUT', `/api/User/${user.id}`, { ...fresh(), version })).statusCode).toBe(200)
    expect((await asAdmin('PUT', `/api/User/${user.id}`, { ...fresh(), version })).statusCode).toBe(409)
  })
})

describe('Changing the e-mail of a user', () => {
  const work = (token: string) => portal.call('GET', '/api/DataDictionary/GetListForSelection', { as: token })
  const linkTo = async (email: string) =>
    new URL(/http\S+\/set-password\S+/.exec((await mailsTo(email)).at(-1)?.textBody ?? '')?.[0] ?? '')
  const setPassword = (email: string, token: string | null) =>
    portal.call('POST', '/api/User/setpassword', { body: { email, token, newPassword: 'Wombats-dig-7' } })

  it('ends the sessions, spends links to the old address and invites the new one', async () => {
    const user = await buildUser(portal.deps.db)
    const token = await portal.tokenOf(user)
    expect((await work(token)).statusCode).toBe(200)
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } })
    const { email, ...form } = fresh()
    const reply = await asAdmin('PUT', `/api/User/${user.id}`, { ...form, email })
    expect(reply.json().successMessage).toBe(userMessages.savedAndInvited)
    expect((await work(token)).statusCode).toBe(401)
    expect(portal.events.at(-1)).toEqual({ userId: user.id })
    const old = (await linkTo(user.email)).searchParams.get('token')
    expect((await setPassword(email, old)).statusCode).toBe(400)
    expect((await setPassword(user.email, old)).statusCode).toBe(400)
    const [mail, ...more] = await mailsTo(email)
    expect(more).toEqual([])
    expect(mail?.subject).toContain('new e-mail address')
    expect((await setPassword(email, (await linkTo(email)).searchParams.get('token'))).statusCode).toBe(200)
  })

  it('sends the invitation again to a user without a password', async () => {
    const user = await buildUser(portal.deps.db, { passwordHash: null })
    const { email, ...form } = fresh()
    await asAdmin('PUT', `/api/User/${user.id}`, { ...form, email })
    expect(await mailsTo(email)).toMatchObject([{ subject: expect.stringContaining('Welcome') }])
  })

  it('to other letters of the same address changes nothing else', async () => {
    const user = await buildUser(portal.deps.db)
    const token = await portal.tokenOf(user)
    const email = user.email.toUpperCase()
    const reply = await asAdmin('PUT', `/api/User/${user.id}`, { ...fresh(), email })
    expect(reply.json().successMessage).toBe(userMessages.saved)
    expect((await work(token)).statusCode).toBe(200)
    expect(await mailsTo(email)).toEqual([])
  })
})

describe('Deleting a user', () => {
  it('ends the sessions, hides the user and frees the e-mail', async () => {
    const user = await buildUser(portal.deps.db)
    const token = await portal.tokenOf(user)
    expect((await asAdmin('DELETE', `/api/User/${user.id}`)).statusCode).toBe(200)
    expect((await portal.call('GET', '/api/FileSubmission', { as: token })).statusCode).toBe(401)
    expect((await asAdmin('GET', `/api/User/${user.id}`)).statusCode).toBe(404)
    expect((await asAdmin('DELETE', `/api/User/${user.id}`)).statusCode).toBe(404)
    expect(
      (await portal.call('POST', '/api/Login', { body: { email: user.email, password: testPassword } }))
        .statusCode,
    ).toBe(401)
    expect(
      (await asAdmin('POST', '/api/User', { ...fresh(), email: user.email, isSuperAdmin: true })).statusCode,
    ).toBe(201)
  })

  it('refuses oneself with 403', async () => {
    const reply = await asAdmin('DELETE', `/api/User/${portal.administrator.id}`)
    expect(reply.statusCode).toBe(403)
    expect(reply.json()).toEqual({ message: userMessages.ownAccount })
  })

  it('never removes the last administrator, even when two delete each other at once', async () => {
    const lonely = await createTestApp()
    try {
      const other = await buildAdministrator(lonely.deps.db)
      const [first, second] = await Promise.all([
        lonely.call('DELETE', `/api/User/${other.id}`, { as: lonely.administrator }),
        lonely.call('DELETE', `/api/User/${lonely.administrator.id}`, { as: other }),
      ])
      const left = await lonely.deps.db
        .selectFrom('users')
        .select('id')
        .where('role', '=', Role.SuperAdmin)
        .where('deletedAt', 'is', null)
        .execute()
      expect(left).toHaveLength(1)
      expect([first.statusCode, second.statusCode]).toContain(200)
    } finally {
      await lonely.close()
    }
  })
})

describe('Resetting a password', () => {
  it('sends a link that replaces the older ones', async () => {
    const user = await buildUser(portal.deps.db)
    for (let time = 0; time < 2; time++) await asAdmin('POST', '/api/User/resetpassword', { userId: user.id })
    const links = await portal.deps.db
      .selectFrom('passwordLinks')
      .select('usedAt')
      .where('userId', '=', user.id)
      .orderBy('id')
      .execute()
    expect(links.map((link) => link.usedAt === null)).toEqual([false, true])
    expect(await mailsTo(user.email)).toHaveLength(2)
  })

  it('ends the sessions of the user', async () => {
    const user = await buildUser(portal.deps.db)
    const token = await portal.tokenOf(user)
    await asAdmin('POST', '/api/User/resetpassword', { userId: user.id })
    const reply = await portal.call('GET', '/api/DataDictionary/GetListForSelection', { as: token })
    expect(reply.statusCode).toBe(401)
    expect(portal.events.at(-1)).toEqual({ userId: user.id })
  })

  it('refuses oneself with 403 and an unknown user with 404', async () => {
    expect(
      (await asAdmin('POST', '/api/User/resetpassword', { userId: portal.administrator.id })).statusCode,
    ).toBe(403)
    expect((await asAdmin('POST', '/api/User/resetpassword', { userId: 2_000_000_000 })).statusCode).toBe(404)
  })
})

describe('The list of administrators', () => {
  it('has administrators only, by name, in pages', async () => {
    const names = ['Zoe', 'anna', 'Bert'].map((name) => `${name} Listed`)
    for (const name of names) await buildAdministrator(portal.deps.db, { name })
    await buildUser(portal.deps.db, { name: 'Clerk Listed' })
    const { value } = (await asAdmin('GET', '/api/User?SearchText=listed&PageSize=2&PageNumber=1')).json()
    expect(value).toMatchObject({ totalPages: 2, totalCount: 3 })
    expect(value.data.map((user: { name: string }) => user.name)).toEqual(['anna Listed', 'Bert Listed'])
    expect(
      (await asAdmin('GET', '/api/User?SearchText=listed&PageSize=2&PageNumber=9')).json().value.data,
    ).toEqual([])
  })

  it('is searched by name and by e-mail address', async () => {
    const [found] = [
      await buildAdministrator(portal.deps.db, { name: 'Cleo', email: 'c.searched@example.test' }),
      await buildAdministrator(portal.deps.db, { name: 'Dora', email: 'dora@example.test' }),
    ]
    for (const text of ['cleo', 'C.SEARCHED@'])
      expect((await asAdmin('GET', `/api/User?SearchText=${text}`)).json().value).toMatchObject({
        data: [{ id: found.id }],
        totalCount: 1,
      })
  })

  it.for(['%', '_', '\\', "'", '; drop table users;--'])(
    'takes %s in the search as an ordinary character',
    async (SearchText) => {
      const reply = await asAdmin('GET', `/api/User?${new URLSearchParams({ SearchText })}`)
      expect(reply.json().value.data).toEqual([])
    },
  )
})
