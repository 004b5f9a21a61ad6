import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { connectionOptions } from '#platform/database/database.ts'
import { withClient } from '#platform/database/with-client.ts'
import type { Env } from '#env.ts'

/** All settings, none missing. */
export type Settings = Env & { databaseUrl: string; apiKey: string; tokenSecret: string }

/** Adds the database's address, and secrets that all its servers share. Call it after the migrations. */
export const completeEnv = (env: Env, databaseUrl: string): Promise<Settings> =>
  withClient(connectionOptions(databaseUrl), async (client) => ({
    ...env,
    databaseUrl,
    apiKey: env.apiKey ?? (await sharedSecret(client, 'api-key')),
    tokenSecret: env.tokenSecret ?? (await sharedSecret(client, 'token-secret')),
  }))

/** The secret in the database: of several servers that start at once, the first one decides. */
async function sharedSecret(client: pg.Client, name: string): Promise<string> {
  const own = randomBytes(32).toString('base64url')
  await client.query('insert into secrets (name, value) values ($1, $2) on conflict do nothing', [name, own])
  const { rows } = await client.query('select value from secrets where name = $1', [name])
  return rows[0].value
}
