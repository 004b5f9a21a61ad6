import { readEnv, type Env } from '#env.ts'

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
