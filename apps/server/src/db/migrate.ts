import { readdir } from 'node:fs/promises'
import { basename } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { Migrator, type Migration, type MigrationResultSet } from 'kysely/migration'
import pg from 'pg'
import { NewerSchemaError } from '#db/newer-schema-error.ts'
import { DEADLOCK_DETECTED, sqlState } from '#db/transaction.ts'

const FOLDER = new URL('./migrations/', import.meta.url)

const MAX_ATTEMPTS = 10

/**
 * Migrates the database at `url` to the newest schema. It is one transaction, so an interrupted run changes
 * nothing. It is repeated after a deadlock with processes of the version before, which go on working: they
 * may wait for a table that it has locked, while it waits for one that they read. Several processes may call
 * it at once; an advisory lock makes them wait for each other. Throws if the database cannot be reached, and
 * NewerSchemaError if it has migrations that this version does not have.
 */
export async function migrate(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withMigrator(url, (migrator) => migrator.migrateToLatest())
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || sqlState(error) !== DEADLOCK_DETECTED) throw error
    }
  }
}

/**
 * Migrates an empty database to the schema of another one, which has these migrations, so that its rows can
 * be copied. Throws a sentence for the operator if this version does not have one of them.
 */
export async function migrateTo(url: string, migrations: readonly string[]): Promise<void> {
  const known = await readMigrations()
  const unknown = migrations.find((name) => !(name in known))
  const last = migrations.toSorted().at(-1)
  if (unknown !== undefined || last === undefined)
    throw new Error(`A newer version of the portal is needed: this one does not know ${unknown}.`)
  await withMigrator(url, (migrator) => migrator.migrateTo(last))
}

async function withMigrator(
  url: string,
  work: (migrator: Migrator) => Promise<MigrationResultSet>,
): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 })
  // A lost connection fails the statement that runs on it; without listeners it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { error } = await work(new Migrator({ db, provider: { getMigrations: readMigrations } }))
    if (error) throw (await newerSchema(db)) ?? error
  } finally {
    await db.destroy()
  }
}

/** Why a run failed on a database that a newer version has migrated; null if that is not the reason. */
async function newerSchema(db: Kysely<unknown>): Promise<NewerSchemaError | null> {
  const known = await readMigrations()
  const applied = sql<{ name: string }>`select name from kysely_migration order by name`
  // No rows where the database is away or empty: the first error then says what is wrong.
  const rows = await applied
    .execute(db)
    .then((result) => result.rows)
    .catch(() => [])
  const unknown = rows.find(({ name }) => !(name in known))
  return unknown === undefined ? null : new NewerSchemaError(unknown.name)
}

/** Whether a file is a migration: not a test, nor a file of an editor or of macOS. */
export const isMigration = (file: string): boolean => /^\d{4}-[\w-]+\.ts$/.test(file)

/** Every migration of migrations/, in the order of the names. A released migration never changes. */
async function readMigrations(): Promise<Record<string, Migration>> {
  const files = (await readdir(FOLDER)).filter(isMigration)
  return Object.fromEntries(
    await Promise.all(
      files.map(async (file) => [
        basename(file, '.ts'),
        (await import(new URL(file, FOLDER).href)) as Migration,
      ]),
    ),
  )
}
