import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Db, UserRow } from '#platform/database/tables.ts'
import { bucketKey } from '#platform/admission/shared-buckets.ts'
import { buildCompanyToken, buildSubmission, buildUser, testPassword } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { createTestApp, type TestApp, type TestCall } from '#test/test-app.ts'
import { until } from '#test/until.ts'

const numbers = Array.from({ length: 20 }, (_, index) => index)
let portal: TestApp
let otherClerk: UserRow
let users: UserRow[]
beforeAll(async () => {
  portal = await createTestApp({
    trustProxy: '127.0.0.1',
    singleSignOn: {
      issuer: 'http://127.0.0.1:1',
      clientId: 'portal',
      clientSecret: 'secret',
      callback: 'http://localhost/callback',
    },
  })
  otherClerk = await buildUser(portal.deps.db)
  users = await Promise.all(numbers.map(() => buildUser(portal.deps.db)))
  return () => portal.close()
})

const post = (url: string, body: object, options: TestCall = {}) =>
  portal.call('POST', url, { body, ...options })
const from = (address: string): TestCall => ({ headers: { 'x-forwarded-for': address } })
const forgot = (email: string, address: string) => post('/api/Login/forgotpassword', { email }, from(address))

async function logIn(user: UserRow): Promise<string> {
  const reply = await post('/api/Login', { email: user.email, password: testPassword })
  return reply.json().value.userTokens.refreshToken
}
const refresh = (refreshToken: string) => post('/api/Login/refresh', { refreshToken })

/** Runs `flood` while another transaction has locked what all its calls need, and `work` when they wait. */
async function whileLocked(
  lock: (trx: Db) => Promise<unknown>,
  flood: () => Promise<{ statusCode: number }>[],
  work: () => Promise<void>,
): Promise<number[]> {
  const calls = await portal.owner.transaction().execute(async (trx) => {
    await lock(trx)
    const begun = flood()
    await until(async () => (await countWaiting()) > 0)
    await work()
    return begun
  })
  return (await Promise.all(calls)).map(({ statusCode }) => statusCode)
}

/** Statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()
  `.execute(portal.owner)
  return rows[0]!.count
}

const lockTable = (table: string) => (trx: Db) =>
  sql.raw(`lock table ${table} in access exclusive mode`).execute(trx)

async function lockLimit(trx: Db, name: string, key: string): Promise<void> {
  await sql`select from rate_limits where key = ${bucketKey(name, key)} for update`.execute(trx)
}

const lockSession = (refreshToken: string) => (trx: Db) =>
  sql`select from sessions where id = ${refreshToken.split('.')[0]} for update`.execute(trx)

const isServed = async (user: UserRow) => {
  expect((await portal.call('GET', '/api/Session', { as: user })).statusCode).toBe(200)
}

describe('Other calls have connections to the database while there wait', () => {
  it.for([
    {
      why: 'guessed tokens of companies',
      table: 'company_tokens',
      call: (number: number) => portal.call('GET', '/api/FileSubmission', { as: `vdt_guess${number}` }),
      status: 401,
    },
    {
      why: 'requests for links',
      table: 'password_links',
      call: (number: number) => forgot(users[number]!.email, `192.0.2.${number}`),
      status: 200,
    },
    {
      why: 'guessed links',
      table: 'password_links',
      call: (number: number) =>
        post('/api/User/setpassword', { email: 'a@b.test', token: `${number}`, newPassword: testPassword }),
      status: 400,
    },
    {
      why: 'readers of the keys of receipts',
      table: 'receipt_keys',
      call: () => portal.call('GET', '/.well-known/veridict-receipts'),
      status: 200,
    },
  ])('$why', async ({ table, call, status }) => {
    const statuses = await whileLocked(
      lockTable(table),
      () => numbers.map(call),
      () => isServed(otherClerk),
    )
    expect(new Set(statuses)).toEqual(new Set([status]))
  })

  it('tokens of sessions that have ended', async () => {
    const { clerk, deps } = portal
    const tokens = await Promise.all(numbers.map(() => portal.tokenOf(clerk)))
    await deps.db.deleteFrom('sessions').where('userId', '=', clerk.id).execute()
    const { token } = await buildCompanyToken(deps, clerk.companyId!)
    const statuses = await whileLocked(
      lockTable('sessions'),
      () => tokens.map((as) => portal.call('GET', '/api/FileSubmission', { as })),
      async () => {
        expect((await portal.call('GET', '/api/FileSubmission', { as: token })).statusCode).toBe(200)
      },
    )
    expect(new Set(statuses)).toEqual(new Set([401]))
  })

  it('refreshes of one session; other sessions are refreshed', async () => {
    const [own, other] = [await logIn(portal.clerk), await logIn(otherClerk)]
    const statuses = await whileLocked(
      lockSession(own),
      () => numbers.map(() => refresh(own)),
      async () => {
        await isServed(otherClerk)
        expect((await refresh(other)).statusCode).toBe(200)
      },
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('refreshes of many sessions', async () => {
    const tokens: string[] = []
    for (const _ of numbers) tokens.push(await logIn(portal.clerk))
    const ids = tokens.map((token) => token.split('.')[0]!)
    await whileLocked(
      (trx) => sql`select from sessions where id = any(${ids}::uuid[]) for update`.execute(trx),
      () => tokens.map(refresh),
      () => isServed(otherClerk),
    )
  })

  it('requests for links from one address; others get theirs', async () => {
    await fillLimit(portal.deps.db, 'reset', '192.0.2.2')
    const statuses = await whileLocked(
      (trx) => lockLimit(trx, 'reset', '192.0.2.2'),
      () => numbers.map((number) => forgot(`${number}@example.test`, '192.0.2.2')),
      async () => {
        await isServed(otherClerk)
        expect((await forgot(otherClerk.email, '192.0.2.3')).statusCode).toBe(200)
      },
    )
    expect(new Set(statuses)).toEqual(new Set([429]))
  })

  it('links of an account; whether it exists must not show by other requests of the address', async () => {
    const { id, email } = users[0]!
    const statuses = await whileLocked(
      (trx) => sql`select from users where id = ${id} for update`.execute(trx),
      () => numbers.slice(0, 4).map(() => forgot(email, '192.0.2.4')),
      async () => {
        expect((await forgot('nobody@example.test', '192.0.2.4')).statusCode).toBe(200)
      },
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('single sign-ons from one address', async () => {
    await fillLimit(portal.deps.db, 'sign-on', '192.0.2.2')
    const statuses = await whileLocked(
      (trx) => lockLimit(trx, 'sign-on', '192.0.2.2'),
      () => numbers.map(() => portal.call('GET', '/api/Login/oidc', from('192.0.2.2'))),
      () => isServed(otherClerk),
    )
    // The bucket loses an attempt every 0.2 s, so that a slow machine may let some pass.
    expect(statuses).toContain(429)
  })

  it('receipts of one person; other companies get theirs', async () => {
    const accepted = (user: UserRow) =>
      buildSubmission(portal.deps.db, {
        userId: user.id,
        companyId: user.companyId!,
        status: SubmissionStatus.IngestionSuccess,
        recordsCount: 1,
        targetPath: 'a/b.csv',
      })
    // Stored receipts need no key.
    const files = await Promise.all(numbers.map(() => accepted(portal.clerk)))
    const colleague = await buildUser(portal.deps.db, { companyId: portal.clerk.companyId })
    const statuses = await whileLocked(
      lockTable('receipt_keys'),
      () =>
        files.map(({ id }, number) =>
          portal.call('GET', `/api/FileSubmission/${id}/Receipt`, {
            as: number % 2 === 0 ? portal.clerk : colleague,
          }),
        ),
      () => isServed(otherClerk),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })
})
