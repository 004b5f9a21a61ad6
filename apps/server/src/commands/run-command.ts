import { openDatabase } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'
import { EnvError, readEnv, type Env } from '#env.ts'

/** Runs an operator's command, which may return its exit code. Prints an error, and exits with `failed`. */
export async function runCommand(
  failed: 1 | 2,
  command: (env: Env) => Promise<number | void>,
): Promise<void> {
  try {
    process.exitCode = (await command(readEnv(process.env))) ?? 0
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = failed
  }
}

/** Runs an operator's command on the database at DATABASE_URL. */
export const runOnDatabase = (command: (db: Db, env: Env) => Promise<void>): Promise<void> =>
  runCommand(1, async (env) => {
    if (env.databaseUrl === null) throw new EnvError(['DATABASE_URL must be set'])
    const db = openDatabase(env.databaseUrl)
    await command(db, env).finally(() => db.destroy())
  })
