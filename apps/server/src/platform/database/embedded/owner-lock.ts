import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { withClient } from '#platform/database/with-client.ts'

/** An arbitrary number, the same for every portal; advisory locks belong to one cluster. */
const OWNER_LOCK = 7_301_986
/** Name of the connection that holds the lock; a second start reports it. */
const OWNER_NAME = 'veridict portal, process '
const RETRY_MILLISECONDS = 500

/** The lock that a portal holds on its database while it runs. */
export type OwnerLock = { readonly release: () => Promise<void> }

/**
 * Takes the lock that shows that a running portal uses this database, or returns the process that has it.
 * PostgreSQL releases it when that process dies, so there are no stale locks. After a restart of the server
 * it is taken again.
 * @param url connection to the cluster's own database `postgres`.
 */
export async function takeOwnerLock(url: string): Promise<OwnerLock | { heldBy: string }> {
  let client = await connect(url)
  if (!(await tryLock(client))) {
    const heldBy = await holderOf(client)
    await client.end()
    return { heldBy }
  }
  let isReleased = false
  const retakeWhenLost = () => client.once('end', () => void (isReleased || retake()))
  async function retake(): Promise<void> {
    await sleep(RETRY_MILLISECONDS, undefined, { ref: false })
    if (isReleased) return
    try {
      client = await connect(url)
      await tryLock(client)
      retakeWhenLost()
    } catch {
      await retake()
    }
  }
  retakeWhenLost()
  return {
    async release() {
      isReleased = true
      await client.end().catch(() => {})
    },
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `${OWNER_NAME}${process.pid}`,
    keepAlive: true,
  })
  // The portal's pool reports a lost connection; here the event "end" is enough.
  client.on('error', () => {})
  await client.connect()
  return client
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
    OWNER_LOCK,
  ])
  return rows[0].taken
}

async function holderOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [OWNER_LOCK],
  )
  return rows[0]?.name.replace(OWNER_NAME, '') || 'unknown'
}

/** Creates the portal's database if the cluster has none. */
export const ensureDatabase = (url: string, name: string): Promise<void> =>
  withClient({ connectionString: url }, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  })
