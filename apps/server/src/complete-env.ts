import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Env } from '#env.ts'

/** All settings, none missing. */
export type Settings = Env & { databaseUrl: string; apiKey: string; tokenSecret: string }

/** Adds what the environment leaves out: the address of the database, and secrets stored in DATA_DIR. */
export async function completeEnv(env: Env, databaseUrl: string): Promise<Settings> {
  return {
    ...env,
    databaseUrl,
    apiKey: env.apiKey ?? (await storedSecret(env.dataDir, 'api-key')),
    tokenSecret: env.tokenSecret ?? (await storedSecret(env.dataDir, 'token-secret')),
  }
}

/**
 * The secret in `folder/name`, generated at first use and readable by the owner only. Two processes that
 * start at once get the same one.
 */
async function storedSecret(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(folder, { recursive: true })
  const secret = (await readIfThere(path)) ?? (await generateSecret(path))
  if (secret.length < 32)
    throw new Error(`The secret in ${path} is damaged; delete the file, and a new one is generated.`)
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
 * Writes the secret to another file and links it when complete, so that no process reads half a secret, not
 * even after a power cut. The first link wins.
 */
async function generateSecret(path: string): Promise<string> {
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
