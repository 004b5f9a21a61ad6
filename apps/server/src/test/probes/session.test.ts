import { createHmac } from 'node:crypto'
import { sessionMessages } from '@veridict/contract/messages/session'
import { Role } from '@veridict/contract/model/role'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { buildAdministrator, buildUser } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

/** Attacks on sessions, tokens and links, numbered as in docs/PROBES.md. */
let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

describe('Probe of a session', () => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sign = (content: string, key: string | Buffer) =>
    `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  const statusWith = async (token: string) =>
    (await portal.call('GET', '/api/DataDictionary/GetListForSelection', { as: token })).statusCode
  const claimsOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

  it.for(['/api/FileSubmission', '/api/User', '/api/Session', '/api/DataDictionary/GetListForSelection'])(
    '1: a wrong API key opens nothing, even with a session: %s',
    async (url) => {
      const reply = await portal.call('GET', url, { as: portal.administrator, apiKey: 'wrong' })
      expect([reply.statusCode, reply.json()]).toEqual([401, { message: sessionMessages.wrongApiKey }])
    },
  )

  it('3 to 6: only an unchanged, unexpired token of this portal is accepted', async () => {
    const token = await portal.tokenOf(portal.clerk)
    const [header = '', payload = '', signature = ''] = token.split('.')
    const claims = claimsOf(token)
    const administrator = encode({ ...claims, IsSuperAdmin: 'True' })
    const { tokenSecret, accessTokenMinutes, apiKey } = portal.deps.env
    const rightKey = createHmac('sha256', tokenSecret).update('access').digest()
    const past = { now: () => new Date(Date.now() - (accessTokenMinutes + 1) * 60_000) }
    const expired = createTokens({ tokenSecret, accessTokenMinutes }, past).issueAccess({
      userId: portal.clerk.id,
      role: Role.CompanyUser,
      email: portal.clerk.email,
      sessionId: String(claims['sid']),
    })
    const headers = [
      { alg: 'none' },
      { alg: 'HS512', typ: 'at+jwt' },
      { alg: 'HS256', typ: 'JWT' },
      { alg: 'HS256', typ: 'at+jwt', kid: '../../x' },
      { alg: 'HS256', typ: 'at+jwt', jku: 'https://evil.test/keys' },
    ]
    const forged = [
      `${encode({ alg: 'none' })}.${payload}.`,
      ...headers.map((forgedHeader) => sign(`${encode(forgedHeader)}.${payload}`, rightKey)),
      ...['', 'secret', apiKey, tokenSecret].map((key) => sign(`${header}.${administrator}`, key)),
      `${header}.${administrator}.${signature}`,
      expired,
    ]
    expect(await Promise.all(forged.map(statusWith))).toEqual(forged.map(() => 401))
    expect(await statusWith(token)).toBe(200)
  })

  it('10: a forgotten password of a deleted user gets the same reply, and no e-mail', async () => {
    const user = await buildUser(portal.deps.db, { deletedAt: new Date() })
    const replyFor = (email: string) => portal.call('POST', '/api/Login/forgotpassword', { body: { email } })
    const [deleted, unknown] = [await replyFor(user.email), await replyFor('nobody@example.test')]
    expect([deleted.statusCode, deleted.body]).toEqual([200, unknown.body])
    const mails = portal.deps.db.selectFrom('mails').select('id').where('recipient', '=', user.email)
    expect(await mails.execute()).toEqual([])
  })

  it('14: every link that is not valid gets the same message', async () => {
    const links = new Map<string, string>()
    const linkOf = async (user: UserRow) => {
      await portal.call('POST', '/api/Login/forgotpassword', { body: { email: user.email } })
      const mail = await portal.deps.db
        .selectFrom('mails')
        .select('textBody')
        .where('recipient', '=', user.email)
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      const url = new URL(/http\S+\/set-password\S+/.exec(mail.textBody)?.[0] ?? '')
      return url.searchParams.get('token') ?? ''
    }
    const user = await buildUser(portal.deps.db)
    const other = await buildUser(portal.deps.db)
    const late = await buildUser(portal.deps.db)
    links.set('older', await linkOf(user))
    links.set('newest', await linkOf(user))
    links.set('of another person', await linkOf(other))
    links.set('late', await linkOf(late))
    await portal.deps.db
      .updateTable('passwordLinks')
      .set({ expiresAt: sql`expires_at - interval '61 minutes'` })
      .where('userId', '=', late.id)
      .execute()
    const newest = links.get('newest') ?? ''
    const flipped = `${newest.slice(0, -2)}${newest.at(-2) === 'A' ? 'B' : 'A'}${newest.slice(-1)}`
    const set = async (email: string, token = '') => {
      const body = { email, token, newPassword: 'Wombats-dig-Burrows-7' }
      const reply = await portal.call('POST', '/api/User/setpassword', { body })
      return [reply.statusCode, reply.json().message]
    }
    const refused = [400, sessionMessages.spentResetLink]
    expect(await set(user.email, links.get('older'))).toEqual(refused)
    expect(await set(user.email, links.get('of another person'))).toEqual(refused)
    expect(await set(user.email, flipped)).toEqual(refused)
    expect(await set(late.email, links.get('late'))).toEqual(refused)
    expect((await set(user.email, newest))[0]).toBe(200)
    expect(await set(user.email, newest)).toEqual(refused)
  })

  it('21: an administrator who becomes a clerk loses the rights at once', async () => {
    const administrator = await buildAdministrator(portal.deps.db)
    const token = await portal.tokenOf(administrator)
    expect((await portal.call('GET', '/api/Company', { as: token })).statusCode).toBe(200)
    await portal.deps.db
      .updateTable('users')
      .set({ role: Role.CompanyUser, companyId: portal.clerk.companyId })
      .where('id', '=', administrator.id)
      .execute()
    // The token still says IsSuperAdmin: rights come from the database.
    expect((await portal.call('GET', '/api/Company', { as: token })).statusCode).toBe(403)
  })
})
