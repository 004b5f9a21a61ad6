import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '#env.ts'

/** An environment with nothing left open: what the portal runs with. */
export type Settings = Env & { databaseUrl: string; apiKey: string; tokenSecret: string }

/** Fills in what the environment left open: the database's address, and secrets kept in DATA_DIR. */
export async function completeEnv(env: Env, databaseUrl: string): Promise<Settings> {
  return {
    ...env,
    databaseUrl,
    apiKey: env.apiKey ?? (await keptSecret(env.dataDir, 'api-key')),
    tokenSecret: env.tokenSecret ?? (await keptSecret(env.dataDir, 'token-secret')),
  }
}

/** The secret in `folder/name`, made at first use and readable by the owner alone. Two processes at once get the same one. */
async function keptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(randomBytes(32).toString('base64url'))
    await file.sync()
    await file.close()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const secret = (await readFile(path, 'utf8')).trim()
  if (secret.length < 32) throw new Error(`The secret in ${path} is damaged; delete the file to have a new one made.`)
  return secret
}
