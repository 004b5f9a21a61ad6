import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectionOptions, openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { copyTablesTo } from '#platform/database/copy-tables.ts'
import { preparePortalRole } from '#platform/database/portal-role.ts'
import { findDegraded } from '#operations/find-degraded.ts'
import { createTokens } from '#platform/identity/tokens.ts'
import { testSecrets } from '#test/test-secrets.ts'
import { createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const tokens = createTokens({ ...testSecrets, tokenSecretPrevious: null, accessTokenMinutes: 1 })
const warnings: string[] = []
const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })

async function run(url: string, statement: string, role?: string) {
  const client = new pg.Client(connectionOptions(url, { role: role ?? null }))
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** An empty database of an operator, whose user has the rights given. */
async function databaseOf(rights: string): Promise<string> {
  const [user, password] = [`operator_${randomBytes(4).toString('hex')}`, 'secret']
  await run(database.url, `create role ${user} login password '${password}' ${rights}`)
  await run(database.url, `create database ${user} owner ${user}`)
  const url = new URL(database.url)
  Object.assign(url, { username: user, password, pathname: user })
  await migrate(url.href)
  return url.href
}

async function degradedAt(url: string, role: string | null) {
  const db = openDatabase(url, { role })
  return findDegraded({ db, tokens }).finally(() => db.destroy())
}

describe('The role of the portal', () => {
  it.for([
    { rights: 'nosuperuser createrole', why: 'a user who may create roles' },
    { rights: 'superuser', why: 'a superuser' },
  ])('is prepared by $why, also by several starts at once', async ({ rights }) => {
    const url = await databaseOf(rights)
    const [role] = await Promise.all([1, 2, 3].map(() => preparePortalRole(url, log)))
    expect(role).toMatch(/^veridict_app_\d+$/)
    const db = openDatabase(url, { role })
    await db
      .insertInto('auditEntries')
      .values({ action: 'link.sent', subject: 'x' } as never)
      .execute()
    await db.destroy()
  })

  it('can neither change the audit trail nor the schema, nor write when an entry was made', async () => {
    const role = (await preparePortalRole(database.url, log)) ?? ''
    for (const statement of [
      `update audit_entries set subject = ''`,
      `delete from audit_entries`,
      `truncate audit_entries`,
      `update audit_chain set last_place = 0`,
      `insert into audit_entries (action, subject, at) values ('link.sent', 'x', '2020-01-01')`,
      `insert into audit_entries (action, subject, place, hash) values ('link.sent', 'x', 1, 'x')`,
      `alter table audit_entries disable trigger all`,
      `drop table marks`,
      `create table mine (x int)`,
      `delete from kysely_migration`,
      `update kysely_migration set additive = true`,
      `insert into kysely_migration (name, timestamp, additive) values ('9999-later', '', true)`,
      `set session_replication_role = replica`,
      `update receipt_keys set public_key = ''`,
      `delete from receipt_keys`,
    ])
      await expect(run(database.url, statement, role), statement).rejects.toThrow(
        /permission denied|must be owner/,
      )
  })

  it('calls no function of the owner that searches where others may create functions', async () => {
    const open = `select proname from pg_proc
      where prosecdef and not coalesce(proconfig, '{}') @> array['search_path=pg_catalog, pg_temp']`
    expect(await run(database.url, open)).toEqual([])
  })

  it('F35: is prepared beside tables of others in the same schema, and gets no rights on them', async () => {
    const url = await databaseOf('nosuperuser createrole')
    const ofOthers = new URL(database.url)
    ofOthers.pathname = new URL(url).pathname
    await run(ofOthers.href, 'create table public.of_others (id integer generated always as identity)')
    warnings.length = 0
    const role = (await preparePortalRole(url, log)) ?? ''
    expect(warnings).toEqual([])
    expect(await degradedAt(url, role)).toEqual([])
    await expect(run(url, 'select * from of_others', role)).rejects.toThrow('permission denied')
    const folder = await mkdtemp(join(tmpdir(), 'veridict-copy-'))
    const copy = await copyTablesTo(url, folder, async () => {})
    await rm(folder, { recursive: true })
    const names = [...copy.tables, ...copy.sequences].map(({ name }) => name)
    expect(names).toContain('submissions')
    expect(names.filter((name) => name.startsWith('of_others'))).toEqual([])
  })

  it('gets no rights on what a newer version has added', async () => {
    const role = (await preparePortalRole(database.url, log)) ?? ''
    await run(database.url, 'create table of_newer_version (x int)')
    expect(await preparePortalRole(database.url, log, { isAhead: true })).toBe(role)
    await expect(run(database.url, 'select * from of_newer_version', role)).rejects.toThrow(
      'permission denied',
    )
    await run(database.url, 'drop table of_newer_version')
  })

  it('is made on a schema ahead, too, where there is none', async () => {
    const url = await databaseOf('nosuperuser createrole')
    expect(await preparePortalRole(url, log, { isAhead: true })).toMatch(/^veridict_app_\d+$/)
  })

  it('is left out, with a warning, where the user may not create roles', async () => {
    const url = await databaseOf('nosuperuser nocreaterole')
    warnings.length = 0
    expect(await preparePortalRole(url, log)).toBeNull()
    expect(warnings.join()).toContain('CREATE ROLE veridict_app_')
    expect(await degradedAt(url, null)).toEqual(['rowLevelSecurity', 'auditRole'])
    await run(url, `insert into audit_entries (action, subject) values ('link.sent', 'x')`)
    await expect(run(url, 'delete from audit_entries')).rejects.toThrow('cannot be changed')
  })

  it('is used once an administrator of the database made it for such a user', async () => {
    const url = await databaseOf('nosuperuser nocreaterole')
    warnings.length = 0
    await preparePortalRole(url, log)
    const role = /CREATE ROLE (\w+)/.exec(warnings.join())?.[1] ?? ''
    await run(database.url, `create role ${role} nologin; grant ${role} to ${new URL(url).username}`)
    expect(await preparePortalRole(url, log)).toBe(role)
  })

  it('keeps the options that the URL has', async () => {
    const role = (await preparePortalRole(database.url, log)) ?? ''
    const url = new URL(database.url)
    url.searchParams.set('options', '-c application_name=mine')
    const rows = await run(
      url.href,
      `select current_user as who, current_setting('application_name') as name`,
    )
    expect(rows).toEqual([{ who: 'veridict', name: 'mine' }])
    expect(
      await run(url.href, `select current_user as who, current_setting('application_name') as name`, role),
    ).toEqual([{ who: role, name: 'mine' }])
  })
})
