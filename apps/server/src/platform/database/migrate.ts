import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { NewerSchemaError } from '#platform/database/newer-schema-error.ts'
import { DEADLOCK_DETECTED, sqlState } from '#platform/database/transaction.ts'
import { version } from '#version.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

/** Whether a file is a migration: not a test, nor a file of an editor or of macOS. */
export const isMigration = (file: string): boolean => /^\d{4}-[\w-]+\.sql$/.test(file)

const names = readdirSync(FOLDER)
  .filter(isMigration)
  .map((file) => basename(file, '.sql'))
  .toSorted()

/** The schema that this version makes, by its last migration. */
export const schema = names.at(-1) as string

const MAX_ATTEMPTS = 10

/** Versions before 0.2.0 take the same lock: it is that of Kysely's migrator, which they use. */
const MIGRATION_LOCK = '3853314791062309107'

/**
 * A file of migrations/. Its first line says `-- additive` if it leaves everything that the version before
 * needs. Any other removes or renames something, and says `-- works since 0.3.0`, the oldest version that
 * works with it. Files before 0029 say neither: every version that starts on a schema ahead knows them.
 */
type Migration = { statements: string; additive: boolean; worksSince: string | null }

/** A migration that a database has, as the version that ran it described it. */
type Applied = { name: string; additive: boolean; worksSince: string | null; version: string | null }

/** `ahead`: migrations of a newer version. `unfinished`: those that wait for `migrate --finish`. */
export type SchemaState = { ahead: Pick<Applied, 'name' | 'version'>[]; unfinished: string[] }

/**
 * Migrates the database at `url`; what removes or renames only in an empty one, or with `finish`. It is one
 * transaction, so an interrupted run changes nothing. It is repeated after a deadlock with processes of the
 * version before, which go on working: they may wait for a table that it has locked, while it waits for one
 * that they read. Several processes may call it at once; an advisory lock makes them wait for each other.
 * Throws if the database cannot be reached, NewerSchemaError if it has migrations with which this version
 * does not work, and a sentence for the operator if `finish` would break a program that runs.
 */
export async function migrate(url: string, { finish = false } = {}): Promise<SchemaState> {
  const known = readMigrations()
  return inMigration(url, async (trx) => {
    const applied = await readApplied(trx)
    const ahead = applied.filter(({ name }) => !(name in known))
    const tooNew = ahead.find((migration) => !worksWith(migration, version))
    if (tooNew !== undefined) throw new NewerSchemaError(tooNew.name)
    const missing = Object.keys(known).filter((name) => !applied.some((one) => one.name === name))
    const finishing = missing.filter((name) => known[name].worksSince !== null)
    const unfinished = finish || applied.length === 0 ? [] : finishing
    const since = finishing.map((name) => known[name].worksSince ?? '')
    if (finish) await refuseIfOlderRun(trx, since)
    const pending = missing.filter((name) => !unfinished.includes(name))
    await apply(trx, known, pending)
    return { ahead: ahead.map(({ name, version }) => ({ name, version })), unfinished }
  })
}

/**
 * Gives an empty database the schema of another one, which has these migrations, so that its rows can be
 * copied. Throws a sentence for the operator if this version does not have one of them.
 */
export async function migrateTo(url: string, migrations: readonly string[]): Promise<void> {
  const known = readMigrations()
  const unknown = migrations.find((name) => !(name in known))
  if (unknown !== undefined || migrations.length === 0)
    throw new Error(`A newer version of the portal is needed: this one does not know ${unknown}.`)
  await inMigration(url, async (trx) => {
    const applied = new Set((await readApplied(trx)).map(({ name }) => name))
    const missing = migrations.filter((name) => !applied.has(name))
    await apply(trx, known, missing)
  })
}

/** Does `work` in a transaction that no other migration runs beside. */
async function inMigration<T>(url: string, work: (trx: Transaction<unknown>) => Promise<T>): Promise<T> {
  const pool = new pg.Pool({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 })
  // A lost connection fails the statement that runs on it; without listeners it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  const run = () =>
    db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(trx)
      await useSchemaOfTables(trx)
      return work(trx)
    })
  try {
    for (let attempt = 1; ; attempt++)
      try {
        return await run()
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || sqlState(error) !== DEADLOCK_DETECTED) throw error
      }
  } finally {
    await db.destroy()
  }
}

/** A later version moves the tables to the schema `veridict`; another one of that name may be empty. */
async function useSchemaOfTables(trx: Transaction<unknown>): Promise<void> {
  await sql`select set_config('search_path',
    case when to_regclass('veridict.kysely_migration') is null then 'public' else 'veridict, public' end,
    true)
  `.execute(trx)
}

/** The record of migrations, which the database gets here: a table of Kysely's, with columns of our own. */
async function readApplied(trx: Transaction<unknown>): Promise<Applied[]> {
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = to_regclass('kysely_migration')`.execute(trx)
  // Only if they are absent: the statements would wait for a backup that reads the table.
  if (!columns.rows.some(({ name }) => name === 'works_since'))
    await sql`
      create table if not exists kysely_migration
        (name varchar(255) primary key, timestamp varchar(255) not null);
      alter table kysely_migration
        add additive boolean not null default false, add works_since text, add version text`.execute(trx)
  const { rows } = await sql<Applied>`
    select name, additive, works_since as "worksSince", version
    from kysely_migration order by name`.execute(trx)
  return rows
}

async function apply(
  trx: Transaction<unknown>,
  known: Record<string, Migration>,
  pending: readonly string[],
): Promise<void> {
  for (const name of pending.toSorted()) {
    const { statements, additive, worksSince } = known[name]
    await sql.raw(statements).execute(trx)
    await sql`
      insert into kysely_migration (name, timestamp, additive, works_since, version)
      values (${name}, ${new Date().toISOString()}, ${additive}, ${worksSince}, ${version})`.execute(trx)
  }
}

/** Whether a program of a version works on a schema that has the migration. */
const worksWith = ({ additive, worksSince }: Applied, program: string): boolean =>
  additive || (worksSince !== null && !isOlder(program, worksSince))

const isOlder = (one: string, other: string): boolean => one.localeCompare(other, 'en', { numeric: true }) < 0

/** Each program has a connection that listens; its name has the version, since 0.2.0. */
async function refuseIfOlderRun(trx: Transaction<unknown>, since: readonly string[]): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select coalesce(substring(application_name from '[0-9].*'), '0.1.0') as version from pg_stat_activity
    where datname = current_database() and application_name like 'veridict news%'`.execute(trx)
  const older = rows.find(({ version }) => since.some((one) => isOlder(version, one)))
  if (older !== undefined)
    throw new Error(
      `A program of version ${older.version} still runs, which does not work on the finished schema. ` +
        'Replace it, and then run this again.',
    )
}

/** Every migration of migrations/, in the order of the names. A released migration never changes. */
export const readMigrations = (): Record<string, Migration> =>
  Object.fromEntries(names.map((name) => [name, readMigration(name)]))

function readMigration(name: string): Migration {
  const statements = readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8')
  // With \s also after a checkout that changes ends of lines.
  const worksSince = /^-- works since (\d+\.\d+\.\d+)\s/.exec(statements)?.[1] ?? null
  return { statements, additive: /^-- additive\s/.test(statements), worksSince }
}
