import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preparePortalRole } from '#platform/database/portal-role.ts'
import type { Caller } from '#platform/access/viewer.ts'
import { createBuckets } from '#platform/admission/shared-buckets.ts'
import { changes, onlyAfter, recordAudit, recordView } from '#audit/record-audit.ts'
import { testPassword } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const entries = () => portal.deps.db.selectFrom('auditEntries').selectAll().orderBy('id').execute()
const last = async () => (await entries()).at(-1)

describe('The audit trail', () => {
  it('has a login with its person, company, device and address', async () => {
    const { clerk } = portal
    await portal.call('POST', '/api/Login', {
      body: { email: clerk.email, password: testPassword },
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' },
    })
    expect(await last()).toMatchObject({
      action: 'login.succeeded',
      actorId: clerk.id,
      actorEmail: clerk.email,
      companyId: clerk.companyId,
      companyName: expect.stringMatching(/^Company /),
      subject: clerk.email,
      address: '127.0.0.1',
      detail: { after: { device: 'Firefox on Linux' } },
    })
  })

  it.for([
    { email: 'nobody@example.test', why: 'an unknown address' },
    { email: null, why: 'a wrong password' },
  ])('has a failed login with the tried e-mail and no actor: $why', async ({ email }) => {
    const tried = email ?? portal.clerk.email
    await portal.call('POST', '/api/Login', { body: { email: tried, password: 'Wrong-Horse-1' } })
    const entry = await last()
    expect(entry).toMatchObject({ action: 'login.failed', actorId: null, subject: tried })
    expect(JSON.stringify(entry)).not.toContain('Wrong-Horse-1')
  })

  it('has each failed login of an account, some of e-mails without one, and counts the others', async () => {
    const settings = { name: 'one entry', capacity: 1, leakSeconds: 3600 }
    portal.deps.limits.failedLoginEntries = createBuckets(settings, portal.deps.db)
    const before = (await entries()).length
    const { email: known } = portal.clerk
    for (const email of [known, 'first@example.test', 'second@example.test', known]) {
      const body = { email, password: 'Wrong-Horse-1' }
      expect((await portal.call('POST', '/api/Login', { body })).statusCode).toBe(401)
    }
    const subjects = (await entries()).slice(before).map(({ subject }) => subject)
    expect(subjects).toEqual([known, 'first@example.test', known])
    const metrics = await portal.call('GET', '/metrics')
    expect(metrics.body).toMatch(/^veridict_failed_logins_left_out_total 1$/m)
  })

  it('has of a change only what differs, and nothing of a change that failed', async () => {
    const as = portal.administrator
    const form = { name: 'Acme', containerName: 'acme', address: 'Old Street 1' }
    const { id } = (await portal.call('POST', '/api/Company', { as, body: form })).json().value
    const body = { ...form, address: 'New Street 2' }
    await portal.call('PUT', `/api/Company/${id}`, { as, body })
    expect(await last()).toMatchObject({
      action: 'company.updated',
      actorEmail: as.email,
      companyId: id,
      subject: 'Acme',
      detail: { before: { address: 'Old Street 1' }, after: { address: 'New Street 2' } },
    })
    const { length } = await entries()
    expect((await portal.call('POST', '/api/Company', { as, body: form })).statusCode).toBe(409)
    expect(await entries()).toHaveLength(length)
  })

  it.for([
    `update audit_entries set subject = 'x'`,
    `delete from audit_entries`,
    `truncate audit_entries`,
    `truncate audit_entries, audit_chain cascade`,
  ])('refuses %s, also by the owner of the database', async (statement) => {
    await recordAudit({ action: 'link.sent', subject: 'a@example.test' }, portal.deps.db, portal.deps)
    const run = (db: typeof portal.owner) => sql.raw(statement).execute(db)
    await expect(run(portal.owner)).rejects.toThrow('The audit trail cannot be changed')
    await expect(run(portal.deps.db)).rejects.toThrow('permission denied')
  })
})

describe('What somebody looks at', () => {
  const caller = { actor: { id: 1, email: 'a@example.test' }, companyId: null, address: null }
  const token = { actor: null, token: 'Nightly', companyId: null, address: null }
  const view = (key: string, by: Caller = caller) =>
    recordView({ action: 'people.viewed', subject: key, key }, { db: portal.deps.db, caller: by })
  const viewed = async (work: () => Promise<unknown>) => {
    const { length } = await entries()
    await work()
    return (await entries()).slice(length).map(({ subject }) => subject)
  }

  it('is in the trail once, however many servers record it at once', async () => {
    expect(await viewed(() => Promise.all(Array.from({ length: 20 }, () => view('once'))))).toEqual(['once'])
  })

  it('is in the trail once for each person, token and thing, and again after an hour', async () => {
    const other = { ...caller, actor: { id: 2, email: 'b@example.test' } }
    const all = async () => {
      for (const by of [caller, other, token, { ...token, token: 'Weekly' }]) await view('each', by)
      await view('another')
    }
    const five = ['each', 'each', 'each', 'each', 'another']
    expect(await viewed(all)).toEqual(five)
    expect(await viewed(all)).toEqual([])
    await sql`update rate_limits set empties_at = empties_at - interval '1 hour'`.execute(portal.deps.db)
    expect(await viewed(all)).toEqual(five)
  })

  it('is not shown if it cannot be recorded', async () => {
    const { rows } = await sql<{ role: string }>`select current_user as role`.execute(portal.deps.db)
    await sql`revoke insert on audit_entries from ${sql.id(rows[0]?.role ?? '')}`.execute(portal.owner)
    const reply = await portal.call('GET', '/api/User', { as: portal.administrator })
    await preparePortalRole(portal.deps.env.databaseUrl, portal.deps.log)
    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toContain(portal.administrator.email)
    expect(await viewed(() => portal.call('GET', '/api/User', { as: portal.administrator }))).toEqual([
      'Administrators',
    ])
  })
})

describe('The detail of an entry', () => {
  it('is cut where it is long', () => {
    const many = Array.from({ length: 60 }, (_, number) => `${number}`)
    const { after } = onlyAfter({ text: 'x'.repeat(2000), list: many, none: null })
    expect(after?.['text']).toHaveLength(1001)
    expect(after?.['list']).toHaveLength(51)
    expect(after).not.toHaveProperty('none')
  })

  it('has of a long list what was added and removed, however long it is', () => {
    const many = Array.from({ length: 1000 }, (_, number) => `${number}`)
    expect(changes({ options: many }, { options: [...many.slice(1), 'new'] })).toEqual({
      before: { options: ['0'] },
      after: { options: ['new'] },
    })
  })

  it('has a value that was only added or only removed', () => {
    expect(changes({ a: 1, b: 2 }, { b: 2, c: 3 })).toEqual({ before: { a: 1 }, after: { c: 3 } })
  })
})
