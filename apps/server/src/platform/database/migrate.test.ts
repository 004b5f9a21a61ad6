import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { isMigration, migrate, migrateTo, readMigrations } from '#platform/database/migrate.ts'
import type { Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { version } from '#version.ts'
import { programEnv } from '#test/portal-process.ts'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#test/test-database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const until = (last: string) => Object.keys(readMigrations()).filter((name) => name <= last)

describe('Migrating', () => {
  it('does nothing in a database that is up to date, also several times at once', async () => {
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)])
  })

  it('fills an empty database once if several start at once', async () => {
    const db = openDatabase(database.url)
    await sql`drop schema public cascade`.execute(db)
    await sql`create schema public`.execute(db)
    await Promise.all([migrate(database.url), migrate(database.url)])
    expect(await db.selectFrom('users').selectAll().execute()).toEqual([])
    await db.destroy()
  })

  it('does without an extension that is where the portal does not look for it', async () => {
    const db = openDatabase(database.url)
    await sql`drop schema public cascade; create schema public`.execute(db)
    await sql`drop extension if exists pg_trgm; create schema extensions`.execute(db)
    await sql`create extension pg_trgm schema extensions`.execute(db)
    await migrate(database.url)
    await sql`drop schema extensions cascade`.execute(db)
    expect(await db.selectFrom('auditEntries').selectAll().execute()).toEqual([])
    await db.destroy()
  })

  it('runs again after a deadlock with a portal of the version before', async () => {
    const db = openDatabase(database.url)
    await sql`drop schema public cascade; create schema public`.execute(db)
    await migrateTo(database.url, until('0022-shared-secrets'))
    const waiting = (mode: string) => async () => {
      const { rows } = await sql<{ locktype: string }>`
        select locktype from pg_locks where mode = ${mode} and not granted
          and pid in (select pid from pg_stat_activity where datname = current_database())
      `.execute(db)
      return rows.length
    }
    const [run, blocker] = [await db.startTransaction().execute(), await db.startTransaction().execute()]
    // A run locks a submission, waits for the index that is built to change it, and then a column is added.
    await sql`lock table submissions in row share mode`.execute(run)
    await sql`create function search_submissions(integer, integer, integer, smallint[], text, text)
      returns setof integer language sql as 'select 1'`.execute(blocker)
    const migrated = migrate(database.url)
    migrated.catch(() => {})
    await expect.poll(waiting('ShareLock')).toBe(1)
    const changed = sql`lock table submissions in row exclusive mode`.execute(run)
    changed.catch(() => {})
    await expect.poll(waiting('RowExclusiveLock')).toBe(1)
    await blocker.rollback().execute()
    await changed
    await run.commit().execute()
    await migrated
    await db.destroy()
  })

  it('applies every file of migrations/ that adds, in the order of the names', async () => {
    const files = readdirSync(new URL('./migrations/', import.meta.url))
      .map((file) => file.replace(/\.sql$/, ''))
      .filter((name) => readMigrations()[name].worksSince === null)
    const db = openDatabase(database.url)
    const { rows } = await sql<{
      name: string
    }>`select name from kysely_migration order by timestamp, name`.execute(db)
    const [inTransaction, after] = [false, true].map((isConcurrent) =>
      files.filter((name) => readMigrations()[name].isConcurrent === isConcurrent).toSorted(),
    )
    expect(rows.map(({ name }) => name)).toEqual([...inTransaction!, ...after!])
    await db.destroy()
  })

  describe('a database that a newer version has upgraded', () => {
    const sentence =
      'A newer version of the portal has upgraded this database: this version does not know 9999-later. ' +
      'Start the newer version, or restore the backup from before the upgrade.'
    const dataDir = mkdtempSync(join(tmpdir(), 'veridict-newer-'))
    let newer: TestDatabase
    let db: Db
    beforeAll(async () => {
      newer = await createTestDatabase()
      db = openDatabase(newer.url)
    })
    afterAll(async () => {
      await db.destroy()
      await newer.drop()
      rmSync(dataDir, { recursive: true })
    })

    type Later = { additive: boolean; worksSince: string | null }
    const record = async (later: Partial<Later>) => {
      await sql`delete from kysely_migration where name = '9999-later'`.execute(db)
      const { additive = false, worksSince = null } = later
      await sql`insert into kysely_migration values
        ('9999-later', '2999-01-01T00:00:00.000Z', ${additive}, ${worksSince}, '99.0.0')`.execute(db)
    }
    const run = (program: string, ...args: string[]) =>
      spawnSync(process.execPath, [fileURLToPath(new URL(`../../${program}`, import.meta.url)), ...args], {
        encoding: 'utf8',
        env: { ...programEnv(), DATABASE_URL: newer.url, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' },
      })

    it.for(['main.ts', 'commands/migrate.ts'])('%s says so in one sentence', async (program) => {
      await record({ worksSince: '99.0.0' })
      const { status, stderr } = run(program)
      expect([status, stderr]).toEqual([1, `${sentence}\n`])
    })

    it.for<Partial<Later>>([
      {},
      { worksSince: '99.0.0' },
      // Compared as numbers: as texts, 0.100.0 would be the older one.
      { worksSince: '0.100.0' },
    ])('is refused: %o', async (later) => {
      await record(later)
      await expect(migrate(newer.url)).rejects.toThrow(sentence)
    })

    it.for<Partial<Later>>([{ additive: true }, { worksSince: version }, { worksSince: '0.1.9' }])(
      'is one to work on: %o',
      async (later) => {
        await record(later)
        expect(await migrate(newer.url)).toEqual({
          ahead: [{ name: '9999-later', version: '99.0.0', at: '2999-01-01T00:00:00.000Z' }],
          unfinished: [],
        })
      },
    )

    it('is said by the command, which changes nothing', async () => {
      await record({ additive: true })
      const { status, stdout } = run('commands/migrate.ts')
      expect([status, stdout]).toEqual([
        0,
        `The database is ahead of this version (${version}), which works with it: ` +
          '99.0.0 has added 9999-later.\n',
      ])
    })
  })

  it('gives the record of a database of 0.1 its new columns', async () => {
    const old = await createEmptyDatabase()
    const db = openDatabase(old.url)
    await sql`
      create table kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(db)
    await migrate(old.url)
    const { rows } = await sql`select distinct version from kysely_migration`.execute(db)
    expect(rows).toEqual([{ version }])
    await db.destroy()
    await old.drop()
  })

  it.for(['0001-initial.ts', '._0001-initial.sql', '.#0001-initial.sql', '0001-initial.sql~', 'README.md'])(
    'does not run %s, which is not a migration',
    (file) => expect(isMigration(file)).toBe(false),
  )
})

describe('A transaction', () => {
  it('runs again after a deadlock', async () => {
    const db = openDatabase(database.url)
    await db
      .insertInto('marks')
      .values([
        { name: 'a', at: new Date() },
        { name: 'b', at: new Date() },
      ])
      .execute()
    const touch = (first: string, second: string) =>
      inTransaction(db, async (trx) => {
        await trx.updateTable('marks').set({ at: new Date() }).where('name', '=', first).execute()
        await sql`select pg_sleep(0.05)`.execute(trx)
        await trx.updateTable('marks').set({ at: new Date() }).where('name', '=', second).execute()
      })
    await Promise.all([touch('a', 'b'), touch('b', 'a')])
    await db.destroy()
  })

  it('survives connections that the server closes', async () => {
    const errors: Error[] = []
    const db = openDatabase(database.url, { onError: (error) => errors.push(error) })
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.02)`.execute(db)))
    const killer = openDatabase(database.url)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where pid <> pg_backend_pid() and datname = current_database()
    `.execute(killer)
    // A query may still get a connection whose end is not known yet; the next ones may not fail.
    const one = () => sql<{ one: number }>`select 1 as one`.execute(db).then(({ rows }) => rows[0]?.one)
    await expect.poll(() => one().catch(() => 'lost')).toBe(1)
    await expect.poll(() => errors.length).toBeGreaterThan(0)
    expect(await Promise.all([one(), one(), one()])).toEqual([1, 1, 1])
    await Promise.all([db.destroy(), killer.destroy()])
  })

  it('reads bigint columns as numbers', async () => {
    const db = openDatabase(database.url)
    expect((await sql<{ n: number }>`select 9007199254740991::bigint as n`.execute(db)).rows).toEqual([
      { n: 9_007_199_254_740_991 },
    ])
    await db.destroy()
  })
})
