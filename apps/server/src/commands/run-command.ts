import { EnvError, readEnv, type Env } from '#env.ts'

type CommandEnv = Env & { databaseUrl: string }

/**
 * Runs an operator's command on the database at DATABASE_URL. An error is printed, and the exit code is 1.
 */
export async function runCommand(command: (env: CommandEnv) => Promise<void>): Promise<void> {
  try {
    const env = readEnv(process.env)
    if (env.databaseUrl === null) throw new EnvError(['DATABASE_URL must be set'])
    await command({ ...env, databaseUrl: env.databaseUrl })
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
}
