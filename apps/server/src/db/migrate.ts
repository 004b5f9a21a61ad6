import { Kysely, PostgresDialect } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import pg from 'pg'
import * as initial from '#db/migrations/0001-initial.ts'
import * as dictionaryVersions from '#db/migrations/0002-dictionary-versions.ts'
import * as reportFaults from '#db/migrations/0003-report-faults.ts'

/**
 * Every change of the schema in order; a new one is a new file and a new line here, and an old one never
 * changes again.
 */
const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-dictionary-versions': dictionaryVersions,
  '0003-report-faults': reportFaults,
}

/**
 * Brings the database at `url` up to the newest schema. Several processes may call it at once (an advisory
 * lock lets one work while the others wait), and all of it is one transaction, so that a run killed half-way
 * leaves nothing and the next one completes (reliability, F31). Throws when the database cannot be reached or
 * holds migrations that this version does not know.
 */
export async function migrate(url: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 })
  // A connection that is lost fails the statement that runs on it; heard here, it does not end the process as
  // well.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { error } = await new Migrator({
      db,
      provider: { getMigrations: async () => migrations },
    }).migrateToLatest()
    if (error) throw error
  } finally {
    await db.destroy()
  }
}
