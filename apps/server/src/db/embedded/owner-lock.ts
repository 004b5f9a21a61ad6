import pg from 'pg'

/** Any number, the same for every portal; locks are kept per cluster, so other databases on the machine do not meet it. */
const OWNER_LOCK = 7_301_986
/** How the lock's connection is named, so that a second start can say who is there. */
const OWNER_NAME = 'veridict portal, process '

/** The lock that one portal holds on its database for as long as it lives. */
export type OwnerLock = { release(): Promise<void> }

/**
 * Takes the lock that says "a living portal uses this database". PostgreSQL gives it back by itself when the holder dies,
 * however hard, so there is no stale lock to judge. When another holds it: the name of the holder's process.
 *
 * @param url connection to the cluster's own database `postgres`.
 */
export async function takeOwnerLock(url: string): Promise<OwnerLock | { heldBy: string }> {
  const client = new pg.Client({ connectionString: url, application_name: `${OWNER_NAME}${process.pid}`, keepAlive: true })
  // The server's end is told to the pool of the portal too; here it only means that the lock is gone with the server.
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [OWNER_LOCK])
  if (rows[0].taken) return { release: () => client.end() }
  const holder = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = $1 and granted`,
    [OWNER_LOCK],
  )
  await client.end()
  return { heldBy: holder.rows[0]?.name.replace(OWNER_NAME, '') || 'unknown' }
}

/** Makes the portal's database when the cluster has none yet. */
export async function ensureDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}
