import { rename } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Env } from '#env.ts'
import { examinePortal } from '#operations/examine-portal.ts'
import { openDatabase } from '#platform/database/database.ts'
import { certificateEnd, localhostCertificate } from '#test/localhost-certificate.ts'
import { startSmtpSink } from '#test/smtp-sink.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { createTestDatabase } from '#test/test-database.ts'

let portal: TestApp
beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())

const real = {
  isDemo: false,
  publicUrl: 'https://data.example.test',
  publicHost: 'data.example.test',
  trustProxy: 'loopback',
}
/** What is not well, by name. */
async function examine(changes: Partial<Env> = {}, db = portal.owner) {
  const checks = await examinePortal({ env: { ...portal.deps.env, ...real, ...changes }, db })
  expect(checks.filter(({ state, advice }) => (state === 'ok') !== (advice === ''))).toEqual([])
  return Object.fromEntries(
    checks.flatMap(({ name, state, message }) => (state === 'ok' ? [] : [[name, `${state}: ${message}`]])),
  )
}

describe('The examination of a portal', () => {
  it('finds nothing but the missing mail server where all is well', async () => {
    expect(await examine()).toEqual({ mail: 'warning: SMTP_URL is not set: no e-mail reaches anybody.' })
  })

  it('finds a mail server that does not respond, and a storage that is not there', async () => {
    const { storageUrl } = portal.deps.env
    await rename(storageUrl, `${storageUrl}-away`)
    onTestFinished(() => rename(`${storageUrl}-away`, storageUrl))
    const found = await examine({ smtpUrl: 'smtp://127.0.0.1:1' })
    expect(found).toEqual({
      mail: expect.stringMatching(/^fault: .*ECONNREFUSED/) as string,
      storage: expect.stringMatching(/^fault: /) as string,
    })
  })

  it('finds a certificate of the mail server that ends soon', async () => {
    const sink = await startSmtpSink(() => null, 0, localhostCertificate)
    onTestFinished(() => sink.close())
    const smtpUrl = sink.url
    expect(await examine({ smtpUrl })).toEqual({})
    vi.useFakeTimers({ toFake: ['Date'], now: certificateEnd.getTime() - 13.5 * 24 * 60 * 60 * 1000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await examine({ smtpUrl })).toMatchObject({
      mail: 'warning: The certificate of the mail server ends in 13 days.',
    })
  })

  it('finds settings that a proxy needs', async () => {
    expect((await examine({ trustProxy: null })).proxy).toMatch(/^warning: TRUST_PROXY/)
    expect((await examine({ publicUrl: 'http://data.example.test' })).proxy).toMatch(/^warning: PUBLIC_URL/)
    expect((await examine({ publicHost: null })).proxy).toMatch(/^warning: PUBLIC_URL/)
  })

  it('finds that nobody could log in, with which no program starts', async () => {
    const database = await createTestDatabase()
    const db = openDatabase(database.url)
    onTestFinished(async () => {
      await db.destroy()
      await database.drop()
    })
    const none = 'fault: There is no administrator yet: the portal does not start.'
    expect((await examine({}, db)).people).toBe(none)
    expect((await examine({ adminEmail: 'first@portal.test' }, db)).people).toBe(none)
    const given = { adminEmail: 'first@portal.test', adminPassword: 'Correct-Horse-1' }
    expect((await examine(given, db)).people).toBeUndefined()
    expect((await examine({ ...given, passwordLogin: false })).people).toMatch(/PASSWORD_LOGIN: off needs/)
    await sql`drop table users cascade`.execute(db)
    expect((await examine({}, db)).people).toBe(none)
  })

  it('finds a user who may not change the schema', async () => {
    await sql`create role poor login password 'poor'`.execute(portal.owner)
    const poor = openDatabase(portal.deps.env.databaseUrl.replace(/\/\/[^@]*@/, '//poor:poor@'))
    onTestFinished(async () => {
      await poor.destroy()
      await sql`drop role poor`.execute(portal.owner)
    })
    expect(await examine({}, poor)).toMatchObject({
      rights: 'fault: The user poor does not own the database and its tables.',
    })
  })

  it('finds tables of others', async () => {
    await sql`create role others`.execute(portal.owner)
    await sql`create table of_others (id integer)`.execute(portal.owner)
    await sql`alter table of_others owner to others`.execute(portal.owner)
    onTestFinished(async () => {
      await sql`drop table of_others`.execute(portal.owner)
      await sql`drop role others`.execute(portal.owner)
    })
    expect(await examine()).toMatchObject({
      tables: 'warning: Tables of others are in the schema public: of_others.',
    })
  })

  it('finds a database that does not respond, which is a fault of all that need it', async () => {
    const away = openDatabase('postgresql://nobody@127.0.0.1:1/nothing')
    onTestFinished(() => away.destroy())
    const found = await examine({}, away)
    expect(Object.keys(found).toSorted()).toEqual(
      ['clock', 'database', 'mail', 'people', 'rights', 'storage', 'tables'].toSorted(),
    )
  })
})
