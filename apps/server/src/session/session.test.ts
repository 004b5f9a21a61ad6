import { sessionMessages } from '@veridict/contract/messages/session'
import { decodeJwt, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { buildAdministrator, buildUser, testPassword } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

type UserTokens = { accessToken: string; refreshToken: string }

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const logIn = (email: string, password = testPassword) =>
  portal.call('POST', '/api/Login', { body: { email, password } })
const logInFrom = (remoteAddress: string, email: string, password: string) =>
  portal.app.inject({
    method: 'POST',
    url: '/api/Login',
    remoteAddress,
    headers: { ApiKey: portal.deps.env.apiKey },
    payload: { email, password },
  })
const refresh = (refreshToken: string) =>
  portal.call('POST', '/api/Login/refresh', { body: { refreshToken } })
const isIn = async (token: string) =>
  (await portal.call('GET', '/api/Logout', { as: token })).statusCode === 200
const works = async (token: string) =>
  (await portal.call('GET', '/api/User', { as: token })).statusCode !== 401

/** A new user who has just logged in. */
async function session(): Promise<UserTokens & { email: string; id: number }> {
  const user = await buildUser(portal.deps.db)
  const reply = await logIn(user.email)
  return { ...reply.json().value.userTokens, email: user.email, id: user.id }
}

/** The last link that was posted to an address. */
async function linkTo(email: string): Promise<URL> {
  const row = await portal.deps.db
    .selectFrom('mails')
    .select('textBody')
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  return new URL(/http\S+\/set-password\S+/.exec(row.textBody)?.[0] ?? '')
}

const newPassword = 'A-new-Passw0rd'
const setPassword = (body: object) => portal.call('POST', '/api/User/setpassword', { body })

/** A user who was invited just now. */
async function invited(): Promise<{ email: string }> {
  const email = `invited-${crypto.randomUUID()}@example.test`
  const { companyId } = portal.clerk
  const body = { name: 'Ina Vited', email, phone: '', companyId, isSuperAdmin: false }
  await portal.call('POST', '/api/User', { as: portal.administrator, body })
  return { email }
}

describe('Logging in', () => {
  it('returns name, e-mail and tokens with claims that clients can read', async () => {
    const admin = await buildAdministrator(portal.deps.db)
    const reply = await logIn(admin.email.toUpperCase())
    expect(reply.statusCode).toBe(200)
    const { userName, email, userTokens } = reply.json().value
    expect({ userName, email }).toEqual({ userName: admin.name, email: admin.email })
    const claims = decodeJwt(userTokens.accessToken)
    expect(claims).toMatchObject({
      nameid: String(admin.id),
      IsSuperAdmin: 'True',
      email: admin.email,
      sid: expect.any(String),
    })
    expect((claims.exp as number) - (claims.iat as number)).toBe(15 * 60)
  })

  it('replies to an unknown e-mail exactly as to a wrong password', async () => {
    const user = await buildUser(portal.deps.db)
    const wrong = await logIn(user.email, 'Wrong-Password-1')
    const unknown = await logIn('nobody@example.test', 'Wrong-Password-1')
    expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
    expect(unknown.body).toBe(wrong.body)
    expect(wrong.json()).toEqual({ message: sessionMessages.wrongCredentials })
  })

  it('finds an e-mail as earlier versions stored it, the one that is written alike first', async () => {
    const email = `zo\u00eb.${crypto.randomUUID()}@example.test`
    const old = await buildUser(portal.deps.db, { email: email.normalize('NFD'), name: 'Decomposed' })
    expect((await logIn(email)).json().value.userName).toBe(old.name)
    await buildUser(portal.deps.db, { email, name: 'Composed' })
    expect((await logIn(email)).json().value.userName).toBe('Composed')
    const bracketed = await buildUser(portal.deps.db, { email: `<b.${email}>` })
    expect((await logIn(bracketed.email)).json().value.userName).toBe(bracketed.name)
  })

  it('refuses an invited user without a password', async () => {
    const user = await buildUser(portal.deps.db, { passwordHash: null })
    expect((await logIn(user.email, '')).statusCode).toBe(400)
    expect((await logIn(user.email, 'x')).statusCode).toBe(401)
  })

  it('reports what is missing, with the messages of the form', async () => {
    const reply = await portal.call('POST', '/api/Login', { body: { email: 'not an address' } })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({
      errors: { email: [sessionMessages.emailInvalid], password: [sessionMessages.passwordRequired] },
    })
  })

  it('refuses the tenth password of an account from one address, and accepts others', async () => {
    const { email } = await buildUser(portal.deps.db)
    const replies = []
    for (let attempt = 0; attempt < 12; attempt++) replies.push(await logIn(email, 'wrong'))
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([...Array(9).fill(401), 429, 429, 429])
    const seconds = Number(replies[9]?.headers['retry-after'])
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(90)
    expect((await logIn(email)).statusCode).toBe(429)
    expect((await logInFrom('10.7.7.7', email, testPassword)).statusCode).toBe(200)
  })

  it('forgets failures after a success', async () => {
    const user = await buildUser(portal.deps.db)
    for (let round = 0; round < 3; round++) {
      for (let attempt = 0; attempt < 5; attempt++) await logIn(user.email, 'wrong')
      expect((await logIn(user.email)).statusCode).toBe(200)
    }
  })
})

describe('An access token', () => {
  it('stops working when its session is logged out, and so does the refresh token', async () => {
    const { accessToken, refreshToken } = await session()
    expect(await isIn(accessToken)).toBe(true)
    expect(await works(accessToken)).toBe(false)
    expect((await refresh(refreshToken)).statusCode).toBe(401)
    expect(portal.events.at(-1)).toEqual({ sessionId: decodeJwt(accessToken)['sid'] })
  })

  it('stops working at once, also while calls of many others share their look-ups', async () => {
    const [ended, ...others] = await Promise.all(Array.from({ length: 12 }, () => session()))
    const calls = others.flatMap(({ accessToken }) => Array.from({ length: 5 }, () => works(accessToken)))
    expect(await isIn(ended.accessToken)).toBe(true)
    const after = Array.from({ length: 5 }, () => works(ended.accessToken))
    expect(await Promise.all(after)).toEqual(after.map(() => false))
    expect(await Promise.all(calls)).toEqual(calls.map(() => true))
  })

  it.for(['users', 'companies'] as const)('stops working when its row of %s is deleted', async (table) => {
    const { accessToken, id } = await session()
    const { companyId } = await portal.deps.db
      .selectFrom('users')
      .select('companyId')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await portal.deps.db
      .updateTable(table)
      .set({ deletedAt: new Date() })
      .where('id', '=', table === 'users' ? id : (companyId as number))
      .execute()
    expect(await works(accessToken)).toBe(false)
  })

  it.for([
    ['without a signature', { alg: 'none' }, ''],
    ['signed with an empty secret', { alg: 'HS256', typ: 'at+jwt' }, ' '],
    ['signed with a guessed secret', { alg: 'HS256', typ: 'at+jwt' }, 'secret'],
  ] as const)('%s is refused', async ([, header, secret]) => {
    const { accessToken } = await session()
    const claims = decodeJwt(accessToken)
    const forged =
      header.alg === 'none'
        ? `${btoa(JSON.stringify(header))}.${btoa(JSON.stringify(claims))}.`.replaceAll('=', '')
        : await new SignJWT({ ...claims, IsSuperAdmin: 'True' })
            .setProtectedHeader(header)
            .sign(new TextEncoder().encode(secret))
    expect(await works(forged)).toBe(false)
  })

  it('with a changed payload is refused', async () => {
    const { accessToken } = await session()
    const [header, payload, signature] = accessToken.split('.')
    const edited = { ...JSON.parse(atob(payload)), IsSuperAdmin: 'True' }
    expect(await works([header, btoa(JSON.stringify(edited)).replaceAll('=', ''), signature].join('.'))).toBe(
      false,
    )
  })

  it('is not accepted as a refresh token, nor the other way round', async () => {
    const { accessToken, refreshToken } = await session()
    expect(await works(refreshToken)).toBe(false)
    expect((await refresh(accessToken)).statusCode).toBe(401)
  })
})

describe('Refreshing', () => {
  it('gives five tabs that refresh at once the same tokens', async () => {
    const { refreshToken } = await session()
    const replies = await Promise.all(Array.from({ length: 5 }, () => refresh(refreshToken)))
    expect(replies.map((reply) => reply.statusCode)).toEqual([200, 200, 200, 200, 200])
    const successors = new Set(
      replies.map((reply) => (reply.json().value.userTokens as UserTokens).refreshToken),
    )
    expect(successors.size).toBe(1)
    expect(successors.has(refreshToken)).toBe(false)
  })

  it('ends the session if an old token is used after the grace period', async () => {
    const first = await session()
    const second = (await refresh(first.refreshToken)).json().value.userTokens as UserTokens
    await portal.deps.db
      .updateTable('sessions')
      .set({ rotatedAt: new Date(Date.now() - 31_000) })
      .where('userId', '=', first.id)
      .execute()
    expect((await refresh(first.refreshToken)).statusCode).toBe(401)
    expect((await refresh(second.refreshToken)).statusCode).toBe(401)
    expect(await works(second.accessToken)).toBe(false)
  })

  it('ends the session if the last but one token is used, even within the grace period', async () => {
    const first = await session()
    const second = (await refresh(first.refreshToken)).json().value.userTokens as UserTokens
    await refresh(second.refreshToken)
    expect((await refresh(first.refreshToken)).statusCode).toBe(401)
    expect((await refresh(second.refreshToken)).statusCode).toBe(401)
  })

  it('refuses a session that has expired', async () => {
    const { refreshToken, id } = await session()
    await portal.deps.db
      .updateTable('sessions')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('userId', '=', id)
      .execute()
    expect((await refresh(refreshToken)).statusCode).toBe(401)
  })
})

describe('A forgotten password', () => {
  it('gets the same reply for known and unknown addresses', async () => {
    const user = await buildUser(portal.deps.db)
    const known = await portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } })
    const unknown = await portal.call('POST', '/api/Login/forgotpassword', {
      body: { email: 'nobody@example.test' },
    })
    expect([known.statusCode, unknown.statusCode]).toEqual([200, 200])
    expect(known.body).toBe(unknown.body)
  })

  it('sends one person at most three e-mails an hour', async () => {
    const user = await buildUser(portal.deps.db)
    await Promise.all(
      Array.from({ length: 6 }, () =>
        portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } }),
      ),
    )
    const mails = await portal.deps.db
      .selectFrom('mails')
      .select('id')
      .where('recipient', '=', user.email)
      .execute()
    expect(mails).toHaveLength(3)
  })

  it('makes no more than an hour’s e-mails at once, so that many requests take no longer', async () => {
    const user = await buildUser(portal.deps.db)
    const ends = [1, 2, 3].map(() => portal.deps.limits.resets.enterNow(String(user.id)))
    const forgot = () => portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } })
    expect((await forgot()).statusCode).toBe(200)
    await expect(linkTo(user.email)).rejects.toThrow()
    ends.forEach((end) => end())
    await forgot()
    await linkTo(user.email)
  })

  it('does not replace an invitation, until one of the two links is used', async () => {
    const { email } = await invited()
    const invitation = (await linkTo(email)).searchParams.get('token')
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email } })
    const token = (await linkTo(email)).searchParams.get('token')
    expect(token).not.toBe(invitation)
    expect((await setPassword({ email, token: invitation, newPassword })).statusCode).toBe(200)
    expect((await setPassword({ email, token, newPassword })).statusCode).toBe(400)
  })

  it('links to the configured address, not to the Host header', async () => {
    const user = await buildUser(portal.deps.db)
    const { env } = portal.deps
    const { publicHost } = env
    onTestFinished(() => void (env.publicHost = publicHost))
    // As in production without PUBLIC_URL.
    env.publicHost = null
    const headers = { host: 'evil.test', 'x-forwarded-host': 'evil.test' }
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email }, headers })
    expect((await linkTo(user.email)).origin).toBe('http://localhost:3000')
  })
})

describe('Setting a password', () => {
  /** A user who requested a reset, with the parts of the link. */
  async function reset() {
    const { email, accessToken, refreshToken, id } = await session()
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email } })
    const link = await linkTo(email)
    return { email, accessToken, refreshToken, id, token: link.searchParams.get('token') as string }
  }

  it('accepts only the new password, and ends all sessions', async () => {
    const { email, token, accessToken, refreshToken } = await reset()
    expect((await setPassword({ email, token: encodeURIComponent(token), newPassword })).statusCode).toBe(200)
    expect((await logIn(email)).statusCode).toBe(401)
    expect((await logIn(email, newPassword)).statusCode).toBe(200)
    expect(await works(accessToken)).toBe(false)
    expect((await refresh(refreshToken)).statusCode).toBe(401)
  })

  it('accepts a link once, also from two requests at once', async () => {
    const { email, token } = await reset()
    const replies = await Promise.all([1, 2, 3].map(() => setPassword({ email, token, newPassword })))
    expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, 400, 400])
    expect((await setPassword({ email, token, newPassword })).json()).toEqual({
      message: sessionMessages.spentResetLink,
    })
  })

  it('works from an address with too many attempts, which links that do not work are', async () => {
    const { email, token } = await reset()
    await fillLimit(portal.deps.db, 'reset', '127.0.0.1')
    expect((await setPassword({ email, token: 'guessed', newPassword })).statusCode).toBe(429)
    expect((await setPassword({ email, token, newPassword })).statusCode).toBe(200)
    await portal.owner.deleteFrom('rateLimits').execute()
  })

  it('refuses a link that was replaced, that expired, or that belongs to another user', async () => {
    const { email, token } = await reset()
    const other = await reset()
    expect((await setPassword({ email: other.email, token, newPassword })).statusCode).toBe(400)
    await portal.call('POST', '/api/Login/forgotpassword', { body: { email } })
    expect((await setPassword({ email, token, newPassword })).statusCode).toBe(400)
    await portal.deps.db
      .updateTable('passwordLinks')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .execute()
    const replaced = (await linkTo(email)).searchParams.get('token')
    expect((await setPassword({ email, token: replaced, newPassword })).statusCode).toBe(400)
  })

  it.for(['Ab1!efg', 'alllower1!', 'ALLUPPER1!', 'NoDigits!!', 'NoSpecial1', `${'aA1!'.repeat(33)}`])(
    'refuses the weak %s',
    async (weak) => {
      const reply = await setPassword({ email: 'a@b.test', token: 'x', newPassword: weak })
      expect(reply.statusCode).toBe(400)
      expect(Object.keys(reply.json().errors)).toEqual(['newPassword'])
    },
  )

  it.for([
    ['Passw0rd!2026', sessionMessages.passwordCommon],
    ['Northwind#2026', sessionMessages.passwordPersonal],
  ] as const)('refuses %s, and keeps the link', async ([guessable, message]) => {
    const { email, token, id } = await reset()
    const company = portal.deps.db.selectFrom('users').select('companyId').where('id', '=', id)
    await portal.deps.db
      .updateTable('companies')
      .set({ name: `Northwind ${id}` })
      .where('id', '=', company)
      .execute()
    const reply = await setPassword({ email, token, newPassword: guessable })
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toEqual({ errors: { newPassword: [message] } })
    expect((await setPassword({ email, token, newPassword })).statusCode).toBe(200)
  })

  it('compares long passwords in full, and equal characters in different encodings as equal', async () => {
    const { email, token } = await reset()
    const long = `Ä1!b${'x'.repeat(96)}`
    await setPassword({ email, token, newPassword: long })
    expect((await logIn(email, long.slice(0, 72))).statusCode).toBe(401)
    expect((await logIn(email, long.normalize('NFD'))).statusCode).toBe(200)
  })

  it('stores neither passwords nor links in the database', async () => {
    const { email, token } = await reset()
    const links = await portal.deps.db.selectFrom('passwordLinks').select('tokenHash').execute()
    expect(links.map((link) => link.tokenHash)).not.toContain(token)
    const user = await portal.deps.db
      .selectFrom('users')
      .select('passwordHash')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(user.passwordHash).toMatch(/^\$argon2id\$/)
  })
})
