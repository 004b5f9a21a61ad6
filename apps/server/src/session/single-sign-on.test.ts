import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { deleteTickets } from '#users/identities.ts'
import { lockUser } from '#users/users.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { buildAdministrator, buildUser, testPassword } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { startOpenIdProvider, type Account, type OpenIdProvider } from '#test/openid-provider.ts'
import { version } from '#version.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

const publicUrl = 'http://portal.example.test'
const callback = `${publicUrl}/api/Login/oidc/callback`

let provider: OpenIdProvider
let portal: TestApp
let lastResort: UserRow
/** With PASSWORD_LOGIN=off. */
let strict: TestApp

beforeAll(async () => {
  provider = await startOpenIdProvider(callback)
  const singleSignOn = provider.settings
  portal = await createTestApp({ publicUrl, singleSignOn })
  const adminEmail = 'Root@Example.test'
  strict = await createTestApp({ publicUrl, singleSignOn, passwordLogin: false, adminEmail })
  lastResort = await buildAdministrator(strict.deps.db, { email: 'root@example.test' })
})
afterAll(async () => {
  await portal.close()
  await strict.close()
  await provider.close()
})

type Reply = Awaited<ReturnType<TestApp['call']>>
/** Name and value of each cookie that a reply sets; '' for one that it clears. */
const cookiesOf = (reply: Reply) =>
  Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value])) as Record<string, string>
const toHeader = (cookies: Record<string, string>) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Follows the provider's redirects until it leads back to the portal. */
async function passProvider(address: string): Promise<string> {
  const cookies: Record<string, string> = {}
  for (let next = address; ;) {
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie: toHeader(cookies) } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies[name] = value
    }
    const location = reply.headers.get('location')
    if (location === null) throw new Error(`The provider replied with ${reply.status}`)
    next = new URL(location, next).href
    if (next.startsWith(callback)) return next.slice(publicUrl.length)
  }
}

async function begin(at = portal) {
  const begun = await at.app.inject('/api/Login/oidc')
  expect(begun.statusCode).toBe(302)
  return { address: String(begun.headers.location), cookies: cookiesOf(begun) }
}

/** Passes the provider as an account, up to the redirect to the login page. */
async function signOn(account: Account | null, at = portal): Promise<Reply> {
  provider.setAccount(account)
  const { address, cookies } = await begin(at)
  const url = await passProvider(address)
  return at.app.inject({ url, headers: { cookie: toHeader(cookies) } })
}

const exchange = (reply: Reply, headers: Record<string, string> = {}, at = portal) =>
  at.call('POST', '/api/Login/oidc/session', { headers: { cookie: toHeader(cookiesOf(reply)), ...headers } })

const accountOf = ({ email }: UserRow, given: Partial<Account> = {}): Account => ({
  sub: randomUUID(),
  email,
  email_verified: true,
  ...given,
})
const outcomeOf = (reply: Reply) => /^\/login\?sso=(\w+)$/.exec(String(reply.headers.location))?.[1]
const ticketOf = (reply: Reply) => cookiesOf(reply)['veridict-ticket']
const lastEntry = () =>
  portal.deps.db.selectFrom('auditEntries').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()

describe('Single sign-on', () => {
  it('logs a user in by the verified e-mail, and gives the page what a login gives', async () => {
    const user = await buildUser(portal.deps.db)
    const reply = await signOn(accountOf(user, { email: user.email.toUpperCase() }))
    expect(outcomeOf(reply)).toBe('done')
    const login = await exchange(reply)
    expect(login.statusCode).toBe(200)
    const { userTokens, ...who } = login.json().value
    expect(who).toEqual({ userName: user.name, email: user.email })
    expect((await portal.call('GET', '/api/Session', { as: userTokens.accessToken })).statusCode).toBe(200)
    const refresh = { body: { refreshToken: userTokens.refreshToken } }
    expect((await portal.call('POST', '/api/Login/refresh', refresh)).statusCode).toBe(200)
    expect(await lastEntry()).toMatchObject({
      action: 'login.succeeded',
      actorEmail: user.email,
      detail: { after: { method: 'single sign-on' } },
    })
  })

  it('makes the browser known, as a login by password does', async () => {
    const user = await buildUser(portal.deps.db)
    const login = await exchange(await signOn(accountOf(user)))
    const { tokens } = portal.deps
    expect(tokens.readBrowser(cookiesOf(login)['veridict-browser'] ?? '')).toMatchObject({ userId: user.id })
  })

  it('asks with a code challenge (S256), a state and a nonce, for no more than the e-mail', async () => {
    const { address } = await begin()
    const query = Object.fromEntries(new URL(address).searchParams)
    expect(query).toEqual({
      response_type: 'code',
      client_id: 'veridict',
      redirect_uri: callback,
      scope: 'openid email',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    expect(address).not.toContain((await begin()).address.split('state=')[1])
  })

  it('keeps its cookies from scripts and other sites, and needs no API key', async () => {
    const begun = await portal.app.inject('/api/Login/oidc')
    expect(begun.headers['set-cookie']).toMatch(
      /^veridict-sign-on=[\w.-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/,
    )
    const user = await buildUser(portal.deps.db)
    const [cleared, ticket] = (await signOn(accountOf(user))).headers['set-cookie'] ?? []
    expect(cleared).toMatch(/^veridict-sign-on=; Path=\/; Max-Age=0; HttpOnly/)
    expect(ticket).toMatch(/^veridict-ticket=[\w-]{43}; Path=\/; Max-Age=60; HttpOnly; SameSite=Strict$/)
  })

  it('has Secure cookies that only this host can set, with https', async () => {
    const secure = await createTestApp({
      publicUrl: 'https://portal.example.test',
      singleSignOn: provider.settings,
    })
    const begun = await secure.app.inject('/api/Login/oidc')
    expect(begun.headers['set-cookie']).toMatch(/^__Host-veridict-sign-on=.+; Path=\/; .*; Secure$/)
    await secure.close()
  })

  it('is offered by config.json', async () => {
    expect((await portal.app.inject('/config.json')).json()).toEqual({
      apiKey: 'test-api-key',
      version,
      singleSignOn: true,
    })
  })

  it('binds the account: later only the same subject gets in', async () => {
    const user = await buildUser(portal.deps.db)
    const account = accountOf(user)
    expect(outcomeOf(await signOn(account))).toBe('done')
    expect(outcomeOf(await signOn(account))).toBe('done')
    expect(outcomeOf(await signOn(accountOf(user)))).toBe('refused')
    expect(await lastEntry()).toMatchObject({
      action: 'login.failed',
      subject: user.email,
      actorId: null,
      detail: { after: { reason: 'the account belongs to another subject' } },
    })
  })

  it('does not let one subject into two accounts', async () => {
    const [first, second] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const account = accountOf(first)
    expect(outcomeOf(await signOn(account))).toBe('done')
    expect(outcomeOf(await signOn({ ...account, email: second.email }))).toBe('refused')
  })

  it('binds an account once when two sign-ons race', async () => {
    const user = await buildUser(portal.deps.db)
    const ready = []
    for (const account of [accountOf(user), accountOf(user)]) {
      provider.setAccount(account)
      const { address, cookies } = await begin()
      ready.push({ url: await passProvider(address), headers: { cookie: toHeader(cookies) } })
    }
    const replies = await Promise.all(ready.map((request) => portal.app.inject(request)))
    expect(replies.map(outcomeOf).toSorted()).toEqual(['done', 'refused'])
  })

  it.for([
    { why: 'an e-mail that is not verified', given: { email_verified: false } },
    { why: 'an e-mail of which it is not said', given: { email_verified: undefined } },
    { why: 'no e-mail', given: { email: undefined } },
    { why: 'an e-mail that nobody has', given: { email: 'nobody@example.test' } },
  ])('refuses $why, and makes no account', async ({ given }) => {
    const user = await buildUser(portal.deps.db)
    const users = () => portal.deps.db.selectFrom('users').select('id').execute()
    const { length } = await users()
    const reply = await signOn(accountOf(user, given as Partial<Account>))
    expect(outcomeOf(reply)).toBe('refused')
    expect(ticketOf(reply)).toBeUndefined()
    expect(await users()).toHaveLength(length)
  })

  it.for([
    { letter: '\u212A', email: 'kim@example.test', why: 'the sign of the Kelvin' },
    { letter: '\u0130', email: 'ivo@example.test', why: 'a capital I with a dot' },
  ])('refuses an e-mail with a letter that only looks the same in lower case: $why', async (given) => {
    const user = await buildUser(portal.deps.db, { email: given.email })
    const account = accountOf(user, { email: given.letter + given.email.slice(1) })
    expect(outcomeOf(await signOn(account))).toBe('refused')
  })

  it('refuses a deleted user, and lets the same person in with a new account', async () => {
    const user = await buildUser(portal.deps.db)
    const account = accountOf(user)
    expect(outcomeOf(await signOn(account))).toBe('done')
    await portal.call('DELETE', `/api/User/${user.id}`, { as: portal.administrator })
    expect(outcomeOf(await signOn(account))).toBe('refused')
    await buildUser(portal.deps.db, { email: user.email })
    expect(outcomeOf(await signOn(account))).toBe('done')
  })

  it('logs a user of a deleted company in with a new account in another company', async () => {
    const user = await buildUser(portal.deps.db)
    const account = accountOf(user)
    expect(outcomeOf(await signOn(account))).toBe('done')
    await portal.call('DELETE', `/api/Company/${user.companyId}`, { as: portal.administrator })
    expect(outcomeOf(await signOn(account))).toBe('refused')
    await portal.deps.db
      .updateTable('users')
      .set({ email: 'gone@example.test' })
      .where('id', '=', user.id)
      .execute()
    await buildUser(portal.deps.db, { email: user.email })
    expect(outcomeOf(await signOn(account))).toBe('done')
  })

  it('forgets whom an account belongs to when an administrator changes its e-mail or resets it', async () => {
    const user = await buildUser(portal.deps.db)
    const [before, email] = [accountOf(user), `new-${user.email}`]
    expect(outcomeOf(await signOn(before))).toBe('done')
    const body = { name: user.name, email, phone: '' }
    await portal.call('PUT', `/api/User/${user.id}`, { as: portal.administrator, body })
    expect(outcomeOf(await signOn(before))).toBe('refused')
    const after = accountOf(user, { email })
    expect(outcomeOf(await signOn(after))).toBe('done')
    const third = accountOf(user, { email })
    expect(outcomeOf(await signOn(third))).toBe('refused')
    await portal.call('POST', '/api/User/resetpassword', {
      as: portal.administrator,
      body: { userId: user.id },
    })
    expect(outcomeOf(await signOn(third))).toBe('done')
  })

  it('fails when the sign-on is canceled at the provider', async () => {
    expect(outcomeOf(await signOn(null))).toBe('failed')
  })
})

describe('The way back from the provider', () => {
  const ready = async () => {
    const user = await buildUser(portal.deps.db)
    provider.setAccount(accountOf(user))
    const { address, cookies } = await begin()
    return { url: await passProvider(address), cookies }
  }
  const arrive = (url: string, cookies: Record<string, string>) =>
    portal.app.inject({ url, headers: { cookie: toHeader(cookies) } })

  it('fails without the cookie of the browser that began', async () => {
    const { url } = await ready()
    expect(outcomeOf(await arrive(url, {}))).toBe('failed')
  })

  it('fails with the cookie of another sign-on', async () => {
    const [{ url }, { cookies }] = [await ready(), await begin()]
    expect(outcomeOf(await arrive(url, cookies))).toBe('failed')
  })

  it.for(['state', 'code', 'iss'])('fails with another %s', async (name) => {
    const { url, cookies } = await ready()
    const changed = new URL(url, publicUrl)
    changed.searchParams.set(name, 'https://else.example.test')
    expect(outcomeOf(await arrive(changed.pathname + changed.search, cookies))).toBe('failed')
  })

  it('fails with another nonce or code verifier in the cookie', async () => {
    for (const place of [1, 2]) {
      const { url, cookies } = await ready()
      const parts = (cookies['veridict-sign-on'] ?? '').split('.')
      parts[place] = 'x'.repeat(43)
      expect(outcomeOf(await arrive(url, { 'veridict-sign-on': parts.join('.') }))).toBe('failed')
    }
  })

  it('fails the second time', async () => {
    const { url, cookies } = await ready()
    expect(outcomeOf(await arrive(url, cookies))).toBe('done')
    const again = await arrive(url, cookies)
    expect(outcomeOf(again)).toBe('failed')
    expect(ticketOf(again)).toBeUndefined()
  })
})

describe('One address', () => {
  it('gets a 429 for more sign-ons than an office needs; others go on', async () => {
    await fillLimit(portal.deps.db, 'sign-on', '10.9.9.9')
    for (const url of ['/api/Login/oidc', '/api/Login/oidc/callback']) {
      const reply = await portal.app.inject({ url, remoteAddress: '10.9.9.9' })
      expect(reply.statusCode).toBe(429)
      expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
      expect((await portal.app.inject(url)).statusCode).toBe(302)
    }
  })
})

describe('A logout at the provider', () => {
  const logOut = (logoutToken: string, at = portal, more: { remoteAddress?: string } = {}) =>
    at.app.inject({
      method: 'POST',
      url: '/api/Login/oidc/backchannel',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: logoutToken, other: 'ignored' }).toString(),
      ...more,
    })
  /** A session of the account that began by single sign-on. */
  const open = async (account: Account) => {
    const { userTokens } = (await exchange(await signOn(account))).json().value
    const row = portal.deps.db.selectFrom('sessions').selectAll().orderBy('createdAt', 'desc').limit(1)
    return { ...(await row.executeTakeFirstOrThrow()), token: userTokens.accessToken as string }
  }
  const works = async ({ token }: { token: string }) =>
    (await portal.call('GET', '/api/Session', { as: token })).statusCode === 200

  it('ends the session that it names, with its sockets, and no other', async () => {
    const user = await buildUser(portal.deps.db)
    const account = accountOf(user)
    const [one, other] = [await open(account), await open(account)]
    const byPassword = { token: await portal.tokenOf(user) }
    expect(one.providerSessionId).not.toBe(other.providerSessionId)
    const reply = await logOut(await provider.logoutToken(account.sub, String(one.providerSessionId)))
    expect([reply.statusCode, reply.body, reply.headers['cache-control']]).toEqual([200, '', 'no-store'])
    expect([await works(one), await works(other), await works(byPassword)]).toEqual([false, true, true])
    expect(portal.events.at(-1)).toEqual({ sessionId: one.id })
    expect(await lastEntry()).toMatchObject({
      action: 'session.ended',
      subject: user.email,
      actorId: null,
      detail: { after: { reason: 'ended by the identity provider', sessions: 1 } },
    })
  })

  it('of a person ends all sessions that began there, and those of nobody else', async () => {
    const [user, colleague] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const account = accountOf(user)
    const [one, two, foreign] = [await open(account), await open(account), await open(accountOf(colleague))]
    const byPassword = { token: await portal.tokenOf(user) }
    expect((await logOut(await provider.logoutToken(account.sub))).statusCode).toBe(200)
    expect(await Promise.all([one, two, foreign, byPassword].map(works))).toEqual([false, false, true, true])
  })

  it('ends the sessions of the person that the provider did not name', async () => {
    const account = accountOf(await buildUser(portal.deps.db))
    const session = await open(account)
    await portal.deps.db
      .updateTable('sessions')
      .set({ providerSessionId: null })
      .where('id', '=', session.id)
      .execute()
    await logOut(await provider.logoutToken(account.sub, 'a session'))
    expect(await works(session)).toBe(false)
  })

  it('ends a sign-on that is not finished', async () => {
    const account = accountOf(await buildUser(portal.deps.db))
    const reply = await signOn(account)
    await logOut(await provider.logoutToken(account.sub))
    expect((await exchange(reply)).statusCode).toBe(401)
  })

  it('that arrives during the login ends its session, too', async () => {
    const account = accountOf(await buildUser(portal.deps.db))
    for (let round = 0; round < 5; round++) {
      const reply = await signOn(account)
      const token = await provider.logoutToken(account.sub)
      const [login] = await Promise.all([exchange(reply), logOut(token)])
      if (login.statusCode === 401) continue
      const { accessToken } = login.json().value.userTokens
      expect(await works({ token: accessToken })).toBe(false)
    }
  })

  it('that is sent again replies the same, and ends no later session', async () => {
    const account = accountOf(await buildUser(portal.deps.db))
    const token = await provider.logoutToken(account.sub)
    const first = await Promise.all([logOut(token), logOut(token)])
    const later = await open(account)
    const replies = [...first, await logOut(token)]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await works(later)).toBe(true)
  })

  it('is forgotten when its token is too old to be accepted', async () => {
    await logOut(await provider.logoutToken('nobody'))
    const logouts = () => portal.deps.db.selectFrom('providerLogouts').selectAll().execute()
    const kept = await logouts()
    await tidyDatabase(portal.deps)
    expect(await logouts()).toEqual(kept)
    await sql`update provider_logouts set expires_at = now() - interval '1 second'`.execute(portal.deps.db)
    await tidyDatabase(portal.deps)
    expect(await logouts()).toEqual([])
  })

  it.for([
    { why: 'no token', payload: '', type: 'application/x-www-form-urlencoded', status: 400 },
    {
      why: 'what is no token',
      payload: 'logout_token=x',
      type: 'application/x-www-form-urlencoded',
      status: 400,
    },
    { why: 'JSON', payload: '{"logout_token":"x"}', type: 'application/json', status: 400 },
    { why: 'text', payload: 'logout_token=x', type: 'text/plain', status: 415 },
  ])('with $why is refused', async ({ payload, type, status }) => {
    const reply = await portal.app.inject({
      method: 'POST',
      url: '/api/Login/oidc/backchannel',
      headers: { 'content-type': type },
      payload,
    })
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([status, 'no-store'])
    expect(Object.keys(reply.json())).toEqual(['message'])
  })

  it('counts for its address only if it is refused: a whole company may log out at once', async () => {
    const level = async () =>
      (
        await sql<{ n: number }>`select count(*)::int as n from rate_limits where empties_at > now()`.execute(
          portal.deps.db,
        )
      ).rows[0]?.n
    const remoteAddress = '10.9.9.8'
    const token = await provider.logoutToken('nobody')
    // Those of earlier tests run out meanwhile.
    await sql`delete from rate_limits`.execute(portal.deps.db)
    expect((await logOut(token, portal, { remoteAddress })).statusCode).toBe(200)
    expect(await level()).toBe(0)
    await fillLimit(portal.deps.db, 'sign-on', remoteAddress)
    expect((await logOut('x', portal, { remoteAddress })).statusCode).toBe(429)
  })

  it('is not taken without single sign-on', async () => {
    const without = await createTestApp()
    expect((await logOut('x', without)).statusCode).toBe(404)
    await without.close()
  })

  it('is refused while the provider cannot be asked, and taken when it is sent again', async () => {
    const own = await startOpenIdProvider(callback)
    const at = await createTestApp({ publicUrl, singleSignOn: own.settings })
    const token = await own.logoutToken('nobody')
    await own.close()
    expect((await logOut(token, at)).statusCode).toBe(400)
    const back = await startOpenIdProvider(callback, Number(new URL(own.settings.issuer).port))
    expect((await logOut(token, at)).statusCode).toBe(200)
    await back.close()
    await at.close()
  })
})

describe('The ticket of a sign-on', () => {
  const signedOn = async () => signOn(accountOf(await buildUser(portal.deps.db)))

  it('works once', async () => {
    const reply = await signedOn()
    const [first, ...others] = await Promise.all([exchange(reply), exchange(reply), exchange(reply)])
    expect([first, ...others].map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 401, 401])
    expect([first?.headers['set-cookie']].flat()[0]).toMatch(
      /^veridict-ticket=; Path=\/; Max-Age=0; HttpOnly/,
    )
  })

  it('is stored as a hash, works for a minute, and is then deleted', async () => {
    const reply = await signedOn()
    const tokenHash = portal.deps.tokens.hashSecret(String(ticketOf(reply)))
    const stored = portal.deps.db.selectFrom('signOnTickets').selectAll().where('tokenHash', '=', tokenHash)
    const { expiresAt } = await stored.executeTakeFirstOrThrow()
    expect(Math.abs(expiresAt.getTime() - Date.now() - 60_000)).toBeLessThan(50_000)
    const expire = sql`update sign_on_tickets set expires_at = now() where token_hash = ${tokenHash}`
    await expire.execute(portal.deps.db)
    expect((await exchange(reply)).statusCode).toBe(401)
    const next = await signedOn()
    await sql`update sign_on_tickets set expires_at = now()`.execute(portal.deps.db)
    await tidyDatabase(portal.deps)
    expect(await portal.deps.db.selectFrom('signOnTickets').selectAll().execute()).toEqual([])
    expect((await exchange(next)).statusCode).toBe(401)
  })

  it('ends with the sessions of its user', async () => {
    const user = await buildUser(portal.deps.db)
    const reply = await signOn(accountOf(user))
    const body = { userId: user.id }
    await portal.call('POST', '/api/User/resetpassword', { as: portal.administrator, body })
    expect((await exchange(reply)).statusCode).toBe(401)
  })

  it('ends with the sessions of its user, also while it is exchanged', async () => {
    const user = await buildUser(portal.deps.db)
    const reply = await signOn(accountOf(user))
    const exchanged = await portal.deps.db.transaction().execute(async (trx) => {
      await lockUser(trx, user.id)
      const pending = exchange(reply).then(({ statusCode }) => statusCode)
      await until(async () => {
        const { rows } = await sql`select from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()`.execute(portal.owner)
        return rows.length > 0
      })
      await deleteTickets(trx, user.id)
      return { pending }
    })
    expect(await exchanged.pending).toBe(401)
  })

  it('does not work for a page of another site, without the API key, or without a cookie', async () => {
    const reply = await signedOn()
    expect((await exchange(reply, { origin: 'https://evil.example.test' })).statusCode).toBe(403)
    expect((await exchange(reply, { origin: 'null' })).statusCode).toBe(403)
    expect((await exchange(reply, { ApiKey: 'wrong' })).statusCode).toBe(401)
    expect((await exchange(reply, { cookie: '' })).statusCode).toBe(401)
    expect((await exchange(reply, { origin: publicUrl })).statusCode).toBe(200)
  })

  it('does not work for a user who was deleted meanwhile', async () => {
    const user = await buildUser(portal.deps.db)
    const reply = await signOn(accountOf(user))
    await portal.call('DELETE', `/api/User/${user.id}`, { as: portal.administrator })
    expect((await exchange(reply)).statusCode).toBe(401)
  })
})

describe('A provider that is down', () => {
  it('does not prevent logins by password, and is asked again when it is back', async () => {
    const late = await startOpenIdProvider(callback)
    const { settings } = late
    await late.close()
    const open = await createTestApp({ publicUrl, singleSignOn: settings })
    const begun = await open.app.inject('/api/Login/oidc')
    expect(begun.headers.location).toBe('/login?sso=unavailable')
    const body = { email: open.clerk.email, password: testPassword }
    expect((await open.call('POST', '/api/Login', { body })).statusCode).toBe(200)
    const back = await startOpenIdProvider(callback, Number(new URL(settings.issuer).port))
    expect((await open.app.inject('/api/Login/oidc')).headers.location).toContain(settings.issuer)
    await open.close()
    await back.close()
  })
})

describe('Without OIDC_ISSUER', () => {
  it('there is no single sign-on', async () => {
    const plain = await createTestApp()
    for (const url of ['/api/Login/oidc', '/api/Login/oidc/callback'])
      expect((await plain.app.inject(url)).statusCode).toBe(404)
    expect((await plain.call('POST', '/api/Login/oidc/session')).statusCode).toBe(404)
    await plain.close()
  })
})

describe('With PASSWORD_LOGIN=off', () => {
  const passwordCalls = (email: string) =>
    [
      ['/api/Login', { email, password: testPassword }],
      ['/api/Login/forgotpassword', { email }],
      ['/api/User/setpassword', { email, token: 'x', newPassword: 'Wombats-dig-Burrows-7' }],
    ] as const

  it('a password gets 403, whether or not the account exists', async () => {
    for (const email of [strict.clerk.email, strict.administrator.email, 'nobody@example.test'])
      for (const [url, body] of passwordCalls(email)) {
        const reply = await strict.call('POST', url, { body })
        expect(reply.statusCode).toBe(403)
        expect(reply.json()).toEqual({
          message: 'Passwords are not used here. Please log in with single sign-on.',
        })
      }
  })

  it('the account of ADMIN_EMAIL can still log in by password', async () => {
    const statuses = []
    for (const [url, body] of passwordCalls('ROOT@example.test'))
      statuses.push((await strict.call('POST', url, { body })).statusCode)
    expect(statuses).toEqual([200, 200, 400])
  })

  it('that account keeps its e-mail and cannot be deleted', async () => {
    const as = strict.administrator
    const body = { name: 'Root', email: 'other@example.test', phone: '' }
    expect((await strict.call('PUT', `/api/User/${lastResort.id}`, { as, body })).statusCode).toBe(409)
    expect((await strict.call('DELETE', `/api/User/${lastResort.id}`, { as })).statusCode).toBe(409)
  })

  it('others log in by single sign-on, to which invitations lead', async () => {
    const body = {
      name: 'Ada',
      email: 'ada@example.test',
      phone: '',
      companyId: strict.clerk.companyId,
      isSuperAdmin: false,
    }
    expect((await strict.call('POST', '/api/User', { as: strict.administrator, body })).statusCode).toBe(201)
    const mail = await strict.deps.db
      .selectFrom('mails')
      .selectAll()
      .where('recipient', '=', body.email)
      .executeTakeFirstOrThrow()
    expect(mail.textBody).toContain(`${publicUrl}/login`)
    expect(mail.textBody).not.toContain('set-password')
    const reply = await signOn({ sub: randomUUID(), email: body.email, email_verified: true }, strict)
    expect((await exchange(reply, {}, strict)).statusCode).toBe(200)
  })
})
