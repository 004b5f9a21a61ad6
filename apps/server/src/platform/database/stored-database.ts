import { findEmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { DatabaseStartError } from '#platform/database/embedded/database-start-error.ts'
import type { Env } from '#env.ts'

/**
 * Does `work` with the portal's database, for a command of the operator: at DATABASE_URL, or the embedded one
 * of DATA_DIR, which is started for it if the portal does not run. Never creates one: throws
 * DatabaseStartError if there is none.
 */
export async function useStoredDatabase<T>(
  { databaseUrl, dataDir }: Pick<Env, 'databaseUrl' | 'dataDir'>,
  work: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return work(databaseUrl)
  const found = findEmbeddedPostgres(dataDir)
  if (found === null)
    throw new DatabaseStartError(
      `There is no database in ${dataDir}. Set DATA_DIR or DATABASE_URL as the portal has them.`,
    )
  if (found.runningUrl !== null) return work(found.runningUrl)
  const started = await startEmbeddedPostgres({ dataDir, log: () => {} })
  try {
    return await work(started.url)
  } finally {
    await started.stop()
  }
}
