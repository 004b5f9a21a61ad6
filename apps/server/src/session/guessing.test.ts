import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { UserRow } from '#platform/database/tables.ts'
import { tidyDatabase } from '#operations/tidy-database.ts'
import { buildUser, testPassword } from '#test/factories.ts'
import { fillLimit } from '#test/fill-limit.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

let addresses = 0
const newAddress = () => `10.1.${Math.floor(++addresses / 200)}.${addresses % 200}`

const post = (url: string, payload: object, remoteAddress: string, headers: Record<string, string> = {}) =>
  portal.app.inject({
    method: 'POST',
    url,
    remoteAddress,
    headers: { ApiKey: portal.deps.env.apiKey, ...headers },
    payload,
  })

async function logIn(
  email: string,
  { password = testPassword, from = newAddress(), headers }: LogIn = {},
): Promise<number> {
  const { statusCode } = await post('/api/Login', { email, password }, from, headers)
  return statusCode
}
type LogIn = { password?: string; from?: string; headers?: Record<string, string> }
const wrong = { password: 'wrong' }

/** Wrong passwords that were checked before. */
async function addWrong(
  account: UserRow | string,
  count: number,
  { from = '10.250.0.1', hoursAgo = 0 } = {},
) {
  const name = typeof account === 'string' ? account : `${account.id}`
  await portal.deps.db
    .insertInto('wrongPasswords')
    .values(
      Array.from({ length: count }, () => ({
        account: name,
        address: from,
        at: sql<Date>`now() - make_interval(hours => ${hoursAgo})`,
      })),
    )
    .execute()
}

const mailsTo = async ({ email }: UserRow) => {
  const mails = portal.deps.db
    .selectFrom('mails')
    .select(['subject', 'textBody'])
    .where('recipient', '=', email)
  return mails.orderBy('id').execute()
}

/** The parameters of the link to set a password. */
const linkIn = (text = '') => new URL(/http\S+\/set-password\S+/.exec(text)?.[0] ?? '').searchParams

describe('Guessing a password', () => {
  it('ends after a hundred wrong ones; then not even the right one is checked', async () => {
    const user = await buildUser(portal.deps.db)
    const statuses = []
    for (let address = 0; address < 12; address++) {
      const from = newAddress()
      for (let attempt = 0; attempt < 9; attempt++) statuses.push(await logIn(user.email, { ...wrong, from }))
    }
    expect(statuses).toEqual([...Array(100).fill(401), ...Array(8).fill(429)])
    const refused = await post('/api/Login', { email: user.email, password: testPassword }, newAddress())
    expect(refused.statusCode).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(23 * 3600)
  })

  it('counts parallel ones, too', async () => {
    const user = await buildUser(portal.deps.db)
    await addWrong(user, 95)
    const statuses = await Promise.all(Array.from({ length: 12 }, () => logIn(user.email, wrong)))
    expect(statuses.toSorted()).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
  })

  it('gets the same replies for an unknown e-mail', async () => {
    await addWrong('nobody@example.test', 99)
    expect(await logIn('Nobody@Example.test', wrong)).toBe(401)
    expect(await logIn('nobody@example.test', wrong)).toBe(429)
  })

  it('is not reset by a login', async () => {
    const user = await buildUser(portal.deps.db)
    await addWrong(user, 99)
    expect(await logIn(user.email)).toBe(200)
    expect(await logIn(user.email, wrong)).toBe(401)
    expect(await logIn(user.email)).toBe(429)
  })

  it('is possible again when fewer than a hundred are younger than a day', async () => {
    const user = await buildUser(portal.deps.db)
    await addWrong(user, 1, { hoursAgo: 25 })
    await addWrong(user, 99)
    expect(await logIn(user.email)).toBe(200)
  })

  it('does not keep out an address that logged in before; it may fail ten times an hour', async () => {
    const user = await buildUser(portal.deps.db)
    const home = newAddress()
    expect(await logIn(user.email, { from: home })).toBe(200)
    await addWrong(user, 100)
    expect(await logIn(user.email)).toBe(429)
    expect(await logIn(user.email, { from: home })).toBe(200)
    await addWrong(user, 9, { from: home })
    expect(await logIn(user.email, { ...wrong, from: home })).toBe(401)
    expect(await logIn(user.email, { from: home })).toBe(429)
  })

  it('sends one e-mail at the limit, whose link lets in from where it is used', async () => {
    const user = await buildUser(portal.deps.db)
    await addWrong(user, 98)
    await logIn(user.email, wrong)
    expect(await mailsTo(user)).toEqual([])
    await logIn(user.email, wrong)
    await addWrong(user, 1, { hoursAgo: 30 })
    await sql`update wrong_passwords set at = at - interval '25 hours'
      where id = (select min(id) from wrong_passwords where account = ${`${user.id}`})`.execute(
      portal.deps.db,
    )
    expect(await logIn(user.email, wrong)).toBe(401)
    const [mail, ...more] = await mailsTo(user)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('Too many wrong passwords on your Veridict account')

    const token = linkIn(mail?.textBody).get('token')
    const newPassword = 'Wombats-dig-Burrows-7'
    const desk = newAddress()
    const set = await post('/api/User/setpassword', { email: user.email, token, newPassword }, desk)
    expect(set.statusCode).toBe(200)
    expect(await logIn(user.email, { password: newPassword, from: desk })).toBe(200)
    expect(await logIn(user.email, { password: newPassword })).toBe(429)
  })

  it('is not easier at an address with a login by an earlier password', async () => {
    const user = await buildUser(portal.deps.db)
    const [thief, desk] = [newAddress(), newAddress()]
    expect(await logIn(user.email, { from: thief })).toBe(200)
    await post('/api/Login/forgotpassword', { email: user.email }, desk)
    const [mail] = await mailsTo(user)
    const newPassword = 'Wombats-dig-Burrows-7'
    const set = { email: user.email, token: linkIn(mail?.textBody).get('token'), newPassword }
    expect((await post('/api/User/setpassword', set, desk)).statusCode).toBe(200)
    await addWrong(user, 100)
    expect(await logIn(user.email, { password: newPassword, from: thief })).toBe(429)
    expect(await logIn(user.email, { password: newPassword, from: desk })).toBe(200)
  })

  it('does not replace the invitation of a user without a password', async () => {
    const user = await buildUser(portal.deps.db, { passwordHash: null })
    await addWrong(user, 99)
    expect(await logIn(user.email, wrong)).toBe(401)
    expect(await mailsTo(user)).toEqual([])
  })

  it('is forgotten after a day', async () => {
    const user = await buildUser(portal.deps.db)
    await addWrong(user, 3, { hoursAgo: 25 })
    await addWrong(user, 2)
    await tidyDatabase(portal.deps)
    const left = portal.deps.db.selectFrom('wrongPasswords').select('id').where('account', '=', `${user.id}`)
    expect(await left.execute()).toHaveLength(2)
  })
})

describe('An address with too many wrong passwords', () => {
  const exhaust = (address: string) => fillLimit(portal.deps.db, 'login', address)

  it('can log in to an account without wrong passwords, and gets 429 for others', async () => {
    const [user, guessed] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const from = newAddress()
    await exhaust(from)
    expect(await logIn(user.email, { from })).toBe(200)
    expect(await logIn(guessed.email, { ...wrong, from })).toBe(429)
    expect(await logIn(guessed.email, { from })).toBe(429)
    expect(await logIn(guessed.email)).toBe(200)
  })

  it("is one caller's, also behind a proxy that is not trusted", async () => {
    const user = await buildUser(portal.deps.db)
    const from = newAddress()
    const behind = (address: string) => ({ from, headers: { 'x-forwarded-for': address } })
    for (let attempt = 0; attempt < 10; attempt++)
      await logIn(user.email, { ...wrong, ...behind('203.0.113.7') })
    expect(await logIn(user.email, behind('203.0.113.7'))).toBe(429)
    expect(await logIn(user.email, behind('203.0.113.8'))).toBe(200)
  })
})

describe('A browser in which the account logged in before', () => {
  const exhaust = (address: string) => fillLimit(portal.deps.db, 'login', address)

  /** The header that such a browser sends from then on. */
  async function browserOf({ email }: UserRow, from: string) {
    const reply = await post('/api/Login', { email, password: testPassword }, from)
    const [cookie = '', ...attributes] = String(reply.headers['set-cookie']).split('; ')
    return { headers: { cookie }, attributes }
  }

  it('can log in although others at its address reached the limit', async () => {
    const user = await buildUser(portal.deps.db)
    const from = newAddress()
    const { headers } = await browserOf(user, from)
    await exhaust(from)
    await fillLimit(portal.deps.db, 'login of account', `${user.id} ${from}`)
    await addWrong(user, 1, { from })
    expect(await logIn(user.email, { from })).toBe(429)
    expect(await logIn(user.email, { from, headers })).toBe(200)
  })

  it('has ten wrong passwords of its own an hour at its address when the account has a hundred', async () => {
    const user = await buildUser(portal.deps.db)
    const from = newAddress()
    const { headers } = await browserOf(user, from)
    await addWrong(user, 100, { from })
    expect(await logIn(user.email, { from })).toBe(429)
    expect(await logIn(user.email, { headers })).toBe(429)
    expect(await logIn(user.email, { from, headers })).toBe(200)
    for (let attempt = 0; attempt < 9; attempt++) await logIn(user.email, { ...wrong, from, headers })
    expect(await logIn(user.email, { from, headers })).toBe(429)
  })

  it('shares these ten with all known browsers of its account', async () => {
    const user = await buildUser(portal.deps.db)
    const from = newAddress()
    const browsers = []
    for (let count = 0; count < 5; count++) browsers.push(await browserOf(user, from))
    await addWrong(user, 100)
    const statuses = []
    for (const { headers } of browsers)
      for (let attempt = 0; attempt < 3; attempt++)
        statuses.push(await logIn(user.email, { ...wrong, from, headers }))
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
  })

  it('has a limit of its own: the tenth wrong password is not checked', async () => {
    const user = await buildUser(portal.deps.db)
    const { headers } = await browserOf(user, newAddress())
    const statuses = []
    for (let attempt = 0; attempt < 10; attempt++)
      statuses.push(await logIn(user.email, { ...wrong, headers }))
    expect(statuses).toEqual([...Array(9).fill(401), 429])
    expect(await logIn(user.email)).toBe(200)
  })

  it('has its limit only for its own account, with a valid signature', async () => {
    const [user, other] = [await buildUser(portal.deps.db), await buildUser(portal.deps.db)]
    const from = newAddress()
    const { cookie } = (await browserOf(user, from)).headers
    await exhaust(from)
    await addWrong(other, 1)
    await addWrong(user, 1)
    expect(await logIn(other.email, { from, headers: { cookie } })).toBe(429)
    const forged = cookie.replace(`=${user.id}.`, `=${other.id}.`)
    expect(forged).not.toBe(cookie)
    expect(await logIn(other.email, { from, headers: { cookie: forged } })).toBe(429)
    expect(await logIn(user.email, { from, headers: { cookie } })).toBe(200)
  })

  it('is not known any more once another password was set', async () => {
    const user = await buildUser(portal.deps.db)
    const [from, desk, newPassword] = [newAddress(), newAddress(), 'Wombats-dig-Burrows-7']
    const former = await browserOf(user, from)
    await post('/api/Login/forgotpassword', { email: user.email }, desk)
    const token = linkIn((await mailsTo(user))[0]?.textBody).get('token')
    const set = await post('/api/User/setpassword', { email: user.email, token, newPassword }, desk)
    const headers = { cookie: String(set.headers['set-cookie']).split('; ')[0] ?? '' }
    for (let attempt = 0; attempt < 9; attempt++)
      expect(await logIn(user.email, { ...wrong, from, headers: former.headers })).toBe(401)
    await addWrong(user, 91)
    expect(await logIn(user.email, { ...wrong, from: desk, headers })).toBe(401)
    expect(await logIn(user.email, { password: newPassword, from: desk, headers })).toBe(200)
  })

  it('may ask for a link from an address that has asked too often', async () => {
    const user = await buildUser(portal.deps.db)
    const from = newAddress()
    const { headers } = await browserOf(user, from)
    await fillLimit(portal.deps.db, 'reset', from)
    const forgot = async (more?: Record<string, string>) =>
      (await post('/api/Login/forgotpassword', { email: user.email }, from, more)).statusCode
    expect(await forgot()).toBe(429)
    expect(await forgot(headers)).toBe(200)
    expect(await mailsTo(user)).toHaveLength(1)
  })

  it('keeps a cookie that no script can read, for 90 days', async () => {
    const { attributes } = await browserOf(await buildUser(portal.deps.db), newAddress())
    expect(attributes).toEqual(['Path=/', 'Max-Age=7776000', 'HttpOnly', 'SameSite=Strict'])
  })
})
