import { sessionLimits } from '@veridict/contract/limits'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSession } from '#session/open-session.ts'
import { buildUser, testPassword } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const DAY = 24 * 60 * 60 * 1000
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:132.0) Gecko/20100101 Firefox/132.0'

async function logIn(email: string): Promise<{ accessToken: string; refreshToken: string }> {
  const reply = await portal.app.inject({
    method: 'POST',
    url: '/api/Login',
    remoteAddress: '192.0.2.7',
    headers: { ApiKey: portal.deps.env.apiKey, 'user-agent': FIREFOX },
    payload: { email, password: testPassword },
  })
  return reply.json().value.userTokens
}

const sessionsOf = async (as: string) => (await portal.call('GET', '/api/Session', { as })).json().value
const isIn = async (as: string) => (await portal.call('GET', '/api/Session', { as })).statusCode === 200

describe('A person', () => {
  it('sees where the own sessions began, the one used last first, and no others', async () => {
    const { email } = await buildUser(portal.deps.db)
    const first = await logIn(email)
    const second = await logIn(email)
    await logIn((await buildUser(portal.deps.db)).email)
    await portal.call('POST', '/api/Login/refresh', { body: { refreshToken: first.refreshToken } })
    const sessions = await sessionsOf(second.accessToken)
    expect(sessions).toMatchObject([
      { device: 'Firefox on Windows', address: '192.0.2.7', isCurrent: false },
      { device: 'Firefox on Windows', address: '192.0.2.7', isCurrent: true },
    ])
    expect(Date.parse(sessions[0].lastUsedAt)).toBeGreaterThan(Date.parse(sessions[0].createdAt))
  })

  it('ends one session, whose tokens then work no more', async () => {
    const { email } = await buildUser(portal.deps.db)
    const [lost, present] = [await logIn(email), await logIn(email)]
    const other = (await sessionsOf(present.accessToken)).find(
      (session: { isCurrent: boolean }) => !session.isCurrent,
    )
    const url = `/api/Session/${other.id}`
    expect((await portal.call('DELETE', url, { as: present.accessToken })).statusCode).toBe(200)
    expect([await isIn(lost.accessToken), await isIn(present.accessToken)]).toEqual([false, true])
    const body = { refreshToken: lost.refreshToken }
    expect((await portal.call('POST', '/api/Login/refresh', { body })).statusCode).toBe(401)
    expect((await portal.call('DELETE', url, { as: present.accessToken })).statusCode).toBe(404)
  })

  it('ends all other sessions at once', async () => {
    const { email } = await buildUser(portal.deps.db)
    const others = [await logIn(email), await logIn(email)]
    const present = await logIn(email)
    expect((await portal.call('DELETE', '/api/Session', { as: present.accessToken })).statusCode).toBe(200)
    expect(await Promise.all(others.map(({ accessToken }) => isIn(accessToken)))).toEqual([false, false])
    expect(await sessionsOf(present.accessToken)).toHaveLength(1)
  })

  it('has a thousand sessions: with one more, the one used least recently ends', async () => {
    const user = await buildUser(portal.deps.db)
    const [first, second] = [await logIn(user.email), await logIn(user.email)]
    await portal.call('POST', '/api/Login/refresh', { body: { refreshToken: first.refreshToken } })
    await Promise.all(Array.from({ length: sessionLimits.perPerson - 2 }, () => portal.tokenOf(user)))
    expect([await isIn(first.accessToken), await isIn(second.accessToken)]).toEqual([true, true])
    const last = await logIn(user.email)
    expect([await isIn(first.accessToken), await isIn(second.accessToken)]).toEqual([true, false])
    expect(await sessionsOf(last.accessToken)).toHaveLength(sessionLimits.perPerson)
    const entries = portal.deps.db
      .selectFrom('auditEntries')
      .select('detail')
      .where('action', '=', 'session.ended')
      .where('subject', '=', user.email)
    expect(await entries.execute()).toEqual([
      { detail: { after: { reason: 'too many sessions', sessions: 1 } } },
    ])
  })

  it('logs in so many times and no more, also with the right password', async () => {
    const [user, other] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    await fillLimit(portal.deps.db, 'right login', `${user.id}`)
    const body = { email: user.email, password: testPassword }
    const refused = await portal.call('POST', '/api/Login', { body })
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(await isIn((await logIn(other.email)).accessToken)).toBe(true)
  })

  it('cannot end the session of another user', async () => {
    const theirs = await logIn((await buildUser(portal.deps.db)).email)
    const mine = await logIn((await buildUser(portal.deps.db)).email)
    const [{ id }] = await sessionsOf(theirs.accessToken)
    expect((await portal.call('DELETE', `/api/Session/${id}`, { as: mine.accessToken })).statusCode).toBe(404)
    expect(await isIn(theirs.accessToken)).toBe(true)
    expect((await portal.call('DELETE', '/api/Session/7', { as: mine.accessToken })).statusCode).toBe(400)
  })
})

describe('A session', () => {
  it.for([
    { change: { passwordHash: 'another' }, why: 'the password was set' },
    { change: { email: 'other-owner@example.test' }, why: 'the e-mail was changed' },
    { change: { deletedAt: new Date() }, why: 'the user was deleted' },
  ])('does not begin when $why while a login was checked', async ({ change }) => {
    const { deps } = portal
    const user = await buildUser(deps.db)
    await deps.db.updateTable('users').set(change).where('id', '=', user.id).execute()
    await expect(
      openSession(user, { device: '', address: '10.0.0.1', browser: null }, deps),
    ).rejects.toMatchObject({ status: 401 })
    const sessions = deps.db.selectFrom('sessions').where('userId', '=', user.id).selectAll()
    expect(await sessions.execute()).toEqual([])
  })

  it('ends 30 days after its login, however often it is refreshed', async () => {
    const { email, id } = await buildUser(portal.deps.db)
    const { refreshToken } = await logIn(email)
    await portal.deps.db
      .updateTable('sessions')
      .set({ createdAt: new Date(Date.now() - 29 * DAY) })
      .where('userId', '=', id)
      .execute()
    const refreshed = await portal.call('POST', '/api/Login/refresh', { body: { refreshToken } })
    expect(refreshed.statusCode).toBe(200)
    const { expiresAt, createdAt } = await portal.deps.db
      .selectFrom('sessions')
      .select(['expiresAt', 'createdAt'])
      .where('userId', '=', id)
      .executeTakeFirstOrThrow()
    expect((expiresAt.getTime() - createdAt.getTime()) / DAY).toBe(30)
  })
})
