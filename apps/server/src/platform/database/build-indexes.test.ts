import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { migrate, migrateTo, readMigrations } from '#platform/database/migrate.ts'
import type { Db } from '#platform/database/tables.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/test-database.ts'

/** Migrations of a database that is in use, while somebody has a transaction open, such as a backup. */

const migrations = Object.entries(readMigrations())
const ROWS = 1000

let database: TestDatabase
let db: Db
beforeEach(async () => {
  database = await createEmptyDatabase()
  db = openDatabase(database.url)
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
})

async function migrateUntil(names: readonly string[]): Promise<void> {
  await migrateTo(database.url, names)
  await db.transaction().execute(async (trx) => {
    // Without the checks of foreign keys.
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`
      insert into submissions (company_id, user_id, dictionary_version_id, dictionary_name, file_name,
        file_kind, bytes, sha256, storage_key, status)
      select 1, 1, 1, 'Claims', 'claims.csv', 'csv', 20, repeat('0', 64), n::text, 0
      from generate_series(1, ${sql.lit(ROWS)}) n`.execute(trx)
  })
}

/** A transaction that has read: it has a lock on the table, and no index is complete before its end. */
async function openReader() {
  const reader = await db.startTransaction().setIsolationLevel('repeatable read').execute()
  await sql`select count(*) from submissions`.execute(reader)
  return reader
}

function startMigration(): Promise<unknown> {
  const migrated = migrate(database.url)
  migrated.catch(() => {})
  return migrated
}

const write = async () => {
  const { numAffectedRows } = await sql`update submissions set turn = turn + 1`.execute(db)
  expect(Number(numAffectedRows)).toBe(ROWS)
}

describe('An index of a table in use', () => {
  const plain = migrations.filter(([, { isConcurrent }]) => !isConcurrent).map(([name]) => name)
  /** Backends that build one in this database, with the step that they are at. */
  const builds = async () => {
    const { rows } = await sql<{ pid: number; phase: string }>`
      select pid, phase from pg_stat_progress_create_index where datname = current_database()`.execute(db)
    return rows
  }
  const untilItWaits = async () => {
    await expect.poll(builds).toMatchObject([{ phase: 'waiting for old snapshots' }])
  }
  const invalidIndexes = async () =>
    (await sql`select from pg_index where not indisvalid`.execute(db)).rows.length
  const untilAllAreBuilt = async () => {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
    expect(rows.map(({ name }) => name)).toEqual(migrations.map(([name]) => name))
    expect(await invalidIndexes()).toBe(0)
  }

  it('keeps no writer waiting while it is built', async () => {
    await migrateUntil(plain)
    const reader = await openReader()
    const migrated = startMigration()
    await untilItWaits()
    await write()
    await untilItWaits()
    await reader.commit().execute()
    await migrated
    await untilAllAreBuilt()
  })

  it('is built again if PostgreSQL stopped meanwhile', async () => {
    await migrateUntil(plain)
    const reader = await openReader()
    const migrated = startMigration()
    await untilItWaits()
    await sql`select pg_terminate_backend(${(await builds())[0]?.pid})`.execute(db)
    await expect(migrated).rejects.toThrow('terminating connection')
    expect(await invalidIndexes()).toBe(1)
    await reader.commit().execute()
    await migrate(database.url)
    await untilAllAreBuilt()
  })

  it('is built once by several servers that start at once', async () => {
    await migrateUntil(plain)
    const reader = await openReader()
    const migrated = [startMigration(), startMigration(), startMigration()]
    await untilItWaits()
    await reader.commit().execute()
    // Otherwise the record of the migration would have a duplicate.
    await Promise.all(migrated)
    await untilAllAreBuilt()
  })

  it('is built so by each migration since 0029, unless the table is new', () => {
    for (const [name, { statements, isConcurrent }] of migrations) {
      if (name < '0029') continue
      const created = [...statements.matchAll(/^create table (\w+)/gm)].map(([, table]) => table)
      const wrong = statements
        .replaceAll(/^--.*\n/gm, '')
        .split(/;\s*$/m)
        .filter((statement) => /^create (unique )?index/m.test(statement) || isConcurrent)
        .filter((statement) => /^\w/m.test(statement))
        .filter((statement) =>
          isConcurrent
            ? !/^create (unique )?index concurrently if not exists \w+\s+on /m.test(statement) &&
              !/^drop index concurrently if exists \w+$/m.test(statement)
            : !created.includes(/\son (\w+)/.exec(statement)?.[1] ?? ''),
        )
      expect(
        wrong,
        `migrations/${name}.sql: an index of a table that exists belongs into a migration that says ` +
          '`-- additive, concurrently` and has nothing else: CONTRIBUTING.md#a-migration',
      ).toEqual([])
    }
  })
})

describe('A change of a table in use', () => {
  it('lets writers pass that wait behind it, also while a backup reads', async () => {
    await migrateUntil(migrations.map(([name]) => name).filter((name) => name < '0029'))
    const reader = await openReader()
    const migrated = startMigration()
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_locks where relation = 'submissions'::regclass and mode = 'AccessExclusiveLock'
          and not granted`.execute(db)
      return rows.length
    }
    await expect.poll(waiting, { interval: 10 }).toBe(1)
    await write()
    await reader.commit().execute()
    await migrated
    expect(await waiting()).toBe(0)
    await write()
  })
})
