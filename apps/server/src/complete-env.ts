import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
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

/**
 * The secret in `folder/name`, made at first use and readable by the owner alone. Two processes at once get
 * the same one.
 */
async function keptSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  const secret = (await readIfThere(path)) ?? (await makeSecret(path))
  if (secret.length < 32)
    throw new Error(`The secret in ${path} is damaged; delete the file to have a new one made.`)
  return secret
}

const readIfThere = (path: string): Promise<string | null> =>
  readFile(path, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    },
  )

/**
 * Written elsewhere and linked when whole, so that nobody, not even after a power cut, finds half a secret.
 * The first link counts.
 */
async function makeSecret(path: string): Promise<string> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, randomBytes(32).toString('base64url'), { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(path, 'utf8')).trim()
}
