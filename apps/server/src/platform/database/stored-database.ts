import { openDatabase } from '#platform/database/database.ts'
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import type { Db } from '#platform/database/tables.ts'
import type { Env } from '#env.ts'

/** Starts the embedded one if need be, and creates none: throws DatabaseStartError if there is none. */
export async function useStoredDatabase<T>(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  work: (db: Db, url: string) => Promise<T>,
): Promise<T> {
  const workAt = (url: string) => {
    const db = openDatabase(url)
    return work(db, url).finally(() => db.destroy())
  }
  if (databaseUrl !== null) return workAt(databaseUrl)
  const found = findEmbeddedPostgres(dataDir)
  if (found === null)
    throw new DatabaseStartError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the portal has them.`,
    )
  if (found.runningUrl !== null) return workAt(found.runningUrl)
  const started = await startEmbeddedPostgres({ dataDir, log: () => {} })
  return workAt(started.url).finally(() => started.stop())
}
