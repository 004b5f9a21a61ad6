import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { databaseOn } from '#platform/database/database.ts'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import { DEADLOCK_DETECTED, sqlState } from '#platform/database/transaction.ts'
import type { Db, Trx } from '#platform/database/tables.ts'
import { withClient } from '#platform/database/with-client.ts'
import { version } from '#version.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** False for tests, and for files of an editor or of macOS. */
export const isMigration = (file: string): boolean => /^\d{4}-[\w-]+\.sql$/.test(file)

const names = readdirSync(FOLDER)
  .filter(isMigration)
  .map((file) => basename(file, '.sql'))
  .toSorted()

/** The schema that this version makes, by its last migration. */
export const schema = names.at(-1) as string

/** For five minutes, a backup, which has locks on all tables, or a long transaction may be in the way. */
const MAX_ATTEMPTS = 200
const PAUSE_MILLISECONDS = 500

/** Who needs the table waits behind the migration: after this time it lets them pass, and begins again. */
const LOCK_TIMEOUT = '1s'
const LOCK_NOT_AVAILABLE = '55P03'

/** Versions before 0.2.0 take the same lock: it is that of Kysely's migrator, which they use. */
const MIGRATION_LOCK = '3853314791062309107'
const INDEX_LOCK = '3853314791062309108'

/**
 * Its first line is `-- additive` if all stays that the version before needs; `-- additive, concurrently` if
 * it only builds indexes and drops those that they replace; else `-- works since 0.3.0`, the oldest version
 * that works with it. Files before 0029 say nothing: every version that starts on a schema ahead knows them.
 */
type Migration = { statements: string; additive: boolean; isConcurrent: boolean; worksSince: string | null }

/** A migration that a database has, as the version that ran it described it. */
type Applied = Newer & Pick<Migration, 'additive' | 'worksSince'>
type Newer = { name: string; version: string | null; at: string }

/** `ahead`: migrations of a newer version. `unfinished`: those that wait for `migrate --finish`. */
export type SchemaState = { ahead: Newer[]; unfinished: string[] }

/**
 * Removes or renames only in an empty database, or with `finish`. It is one transaction, so an interruption
 * changes nothing; then indexes are built. Repeated after a deadlock with the version before, which goes on
 * working. Several processes wait for each other by an advisory lock. Throws without a database,
 * DatabaseStartError for migrations with which this version does not work, and a sentence for the operator if
 * `finish` would break a running program.
 */
export async function migrate(url: string, { finish = false } = {}): Promise<SchemaState> {
  const known = readMigrations()
  return withOneConnection(url, async (db) => {
    const { state, indexes } = await inMigration(db, async (trx) => {
      const applied = await readApplied(trx)
      const ahead = applied.filter(({ name }) => !(name in known))
      const tooNew = ahead.find((migration) => !worksWith(migration, version))
      if (tooNew !== undefined)
        throw new DatabaseStartError(
          'A newer version of the portal has upgraded this database: this version does not know ' +
            `${tooNew.name}. Start the newer version, or restore the backup from before the upgrade.`,
        )
      const missing = Object.keys(known).filter((name) => !applied.some((one) => one.name === name))
      const finishing = missing.filter((name) => known[name].worksSince !== null)
      const unfinished = finish || applied.length === 0 ? [] : finishing
      const since = finishing.map((name) => known[name].worksSince ?? '')
      if (finish) await refuseIfOlderRun(trx, since)
      const pending = missing.filter((name) => !unfinished.includes(name))
      const indexes = await apply(trx, known, pending)
      return { state: { ahead: ahead.map(namedOnly), unfinished }, indexes }
    })
    await buildIndexes(db, known, indexes)
    return state
  })
}

const namedOnly = ({ name, version, at }: Applied) => ({ name, version, at })

/** The state of the schema now: another version may have changed it since this one started. */
export async function findSchemaState(db: Db): Promise<SchemaState> {
  const applied = await selectApplied(db)
  const missing = names.filter((name) => !applied.some((one) => one.name === name))
  return {
    ahead: applied.filter(({ name }) => !names.includes(name)).map(namedOnly),
    unfinished: missing.filter((name) => readMigration(name).worksSince !== null),
  }
}

/** Gives an empty database these migrations. Throws a sentence for the operator if one is unknown here. */
export async function migrateTo(url: string, migrations: readonly string[]): Promise<void> {
  const known = readMigrations()
  const unknown = migrations.find((name) => !(name in known))
  if (unknown !== undefined || migrations.length === 0)
    throw new Error(`A newer version of the portal is needed: this one does not know ${unknown}.`)
  await withOneConnection(url, async (db) => {
    const indexes = await inMigration(db, async (trx) => {
      const applied = new Set((await readApplied(trx)).map(({ name }) => name))
      const missing = migrations.filter((name) => !applied.has(name))
      return apply(trx, known, missing)
    })
    await buildIndexes(db, known, indexes)
  })
}

const withOneConnection = <T>(url: string, work: (db: Db) => Promise<T>): Promise<T> =>
  withClient({ connectionString: url }, (client) => work(databaseOn(client)))

/** No other migration runs beside it. */
const inMigration = <T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> =>
  repeatAfterConflict(() =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
      await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`.execute(trx)
      await useSchemaOfTables(trx)
      return work(trx)
    }),
  )

async function repeatAfterConflict<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++)
    try {
      return await work()
    } catch (error) {
      const isConflict = [DEADLOCK_DETECTED, LOCK_NOT_AVAILABLE].includes(sqlState(error) ?? '')
      if (attempt === MAX_ATTEMPTS || !isConflict) throw error
      await sleep(PAUSE_MILLISECONDS)
    }
}

/**
 * Builds each outside of a transaction, so that rows can be written meanwhile. PostgreSQL goes on without
 * this process; if it was stopped itself, the unused index is built again. Asks for the lock, never waits for
 * it: an index waits for the end of all earlier statements, so also for one that waits for the lock.
 */
const buildIndexes = (db: Db, known: Record<string, Migration>, names: readonly string[]): Promise<void> =>
  repeatAfterConflict(() =>
    db.connection().execute(async (session) => {
      if (names.length === 0) return
      await useSchemaOfTables(session)
      while (!(await takeIndexLock(session))) await sleep(PAUSE_MILLISECONDS)
      const applied = await readApplied(session)
      for (const name of names.filter((name) => !applied.some((one) => one.name === name))) {
        for (const statement of known[name].statements.split(/;\s*$/m)) await buildIndex(session, statement)
        await record(session, name, known[name])
      }
    }),
  )

/** The end of the connection releases it. */
async function takeIndexLock(session: Db): Promise<boolean> {
  const lock = sql`pg_try_advisory_lock(${INDEX_LOCK})`
  return (await rowOf<{ taken: boolean }>(session)`select ${lock} as taken`).taken
}

async function buildIndex(session: Db, statement: string): Promise<void> {
  if (/^drop index concurrently if exists/m.test(statement)) await sql.raw(statement).execute(session)
  const index = /^create (?:unique )?index concurrently if not exists (\w+)/m.exec(statement)?.[1]
  if (index === undefined) return
  const unfinished = await rowsOf(session)`
    select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
  if (unfinished.length > 0) await sql`drop index concurrently if exists ${sql.ref(index)}`.execute(session)
  await sql.raw(statement).execute(session)
}

/** A later version moves the tables to the schema `veridict`; another one of that name may be empty. */
async function useSchemaOfTables(db: Db): Promise<void> {
  await sql`select set_config('search_path',
    case when to_regclass('veridict.kysely_migration') is null then 'public' else 'veridict, public' end,
    false)
  `.execute(db)
}

/** The record of migrations, which the database gets here: a table of Kysely's, with columns of our own. */
async function readApplied(trx: Db): Promise<Applied[]> {
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = to_regclass('kysely_migration')`.execute(trx)
  // Only if they are absent: the statements would wait for a backup that reads the table.
  if (!columns.rows.some(({ name }) => name === 'works_since'))
    await sql`
      create table if not exists kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null);
      alter table kysely_migration
        add additive boolean not null default false, add works_since text, add version text`.execute(trx)
  return selectApplied(trx)
}

const selectApplied = (db: Db): Promise<Applied[]> =>
  rowsOf<Applied>(db)`
    select name, additive, works_since as "worksSince", version, timestamp as at
    from kysely_migration order by name`

/** Applies the migrations but for those that build indexes, whose names it returns. */
async function apply(
  trx: Trx,
  known: Record<string, Migration>,
  pending: readonly string[],
): Promise<string[]> {
  for (const name of pending.filter((name) => !known[name].isConcurrent).toSorted()) {
    await sql.raw(known[name].statements).execute(trx)
    await record(trx, name, known[name])
  }
  return pending.filter((name) => known[name].isConcurrent).toSorted()
}

async function record(db: Db, name: string, { additive, worksSince }: Migration): Promise<void> {
  await sql`
    insert into kysely_migration (name, timestamp, additive, works_since, version)
    values (${name}, ${new Date().toISOString()}, ${additive}, ${worksSince}, ${version})`.execute(db)
}

/** Whether a program of a version works on a schema that has the migration. */
const worksWith = ({ additive, worksSince }: Applied, program: string): boolean =>
  additive || (worksSince !== null && !isOlder(program, worksSince))

const isOlder = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

/** Each program has a connection that listens; its name has the version, since 0.2.0. */
async function refuseIfOlderRun(trx: Trx, since: readonly string[]): Promise<void> {
  const rows = await rowsOf<{ version: string }>(trx)`
    select coalesce(substring(application_name from '[0-9]\\S*'), '0.1.0') as version from pg_stat_activity
    where datname = current_database() and application_name like 'veridict news%'`
  const older = rows.find(({ version }) => since.some((one) => isOlder(version, one)))
  if (older !== undefined)
    throw new Error(
      `A program of version ${older.version} still runs, which does not work on the finished schema. ` +
        'Replace it, and then run this again.',
    )
}

/** Sorted by name. A released migration never changes. */
export const readMigrations = (): Record<string, Migration> =>
  Object.fromEntries(names.map((name) => [name, readMigration(name)]))

function readMigration(name: string): Migration {
  const statements = readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8')
  // With \s also after a checkout that changes ends of lines.
  const worksSince = /^-- works since (\d+\.\d+\.\d+)\s/.exec(statements)?.[1] ?? null
  const additive = /^-- additive(, concurrently)?\s/.exec(statements)
  return { statements, additive: additive !== null, isConcurrent: additive?.[1] !== undefined, worksSince }
}
