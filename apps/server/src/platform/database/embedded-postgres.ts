import { realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from '#platform/database/embedded/binaries.ts'
import {
  type Cluster,
  DATABASE_USER,
  openCluster,
  readCluster,
  chooseDatabaseFolder,
  findDatabaseFolder,
  rememberDatabaseFolder,
} from '#platform/database/embedded/cluster.ts'
import { DatabaseStartError, isDiskFull } from '#platform/database/embedded/database-start-error.ts'
import { takePortalLock } from '#platform/database/embedded/portal-lock.ts'
import {
  findPostmaster,
  freePort,
  isRunning,
  isStopping,
  type Postmaster,
  startPostmaster,
  type StartOptions,
  stopPostmaster,
} from '#platform/database/embedded/postmaster.ts'
import { canSwitchTo, serverAccount } from '#platform/database/embedded/server-account.ts'
import { withClient } from '#platform/database/with-client.ts'
import { makePrivateFolder } from '#platform/private-folder.ts'

export type EmbeddedPostgresOptions = {
  /** The portal's DATA_DIR; the database is in its folder postgres/. */
  readonly dataDir: string
  readonly log: (message: string) => void
  /** For tests: data does not have to survive a crash. */
  readonly isFast?: boolean
}

export type EmbeddedPostgres = {
  /** Connection of the database's owner. It stays the same when the server is restarted. */
  readonly url: string
  readonly folder: string
  /** No more restarts: a signal may stop portal and server at once. Open connections work until `stop`. */
  readonly prepareStop: () => Promise<void>
  /** Stops the server within 30 seconds; running transactions are rolled back. */
  readonly stop: () => Promise<void>
}

/** Attempts to start while the port is used or the shared memory of a dead server is not freed yet. */
const MAX_ATTEMPTS = 10

/** How often to look whether the server still serves: some microseconds each time. */
const WATCH_MILLISECONDS = 250

/**
 * Starts the PostgreSQL of the npm packages: creates the cluster, replaces a server that a dead portal left,
 * restarts one that is killed. For root it runs under an unprivileged id: PostgreSQL refuses root. Throws
 * DatabaseStartError with what to do: another portal, disk full, unknown platform, no usable folder.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  isFast = false,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = serverAccount()
  if (!canSwitchTo(account)) {
    throw new DatabaseStartError(
      'PostgreSQL does not run as root, and this root account cannot switch to another user. ' +
        'Start as an ordinary user, or set DATABASE_URL.',
    )
  }
  makePrivateFolder(resolve(dataDir), account !== null)
  const dataPath = realpathSync(resolve(dataDir))
  const folder = chooseDatabaseFolder(dataPath, account)
  if (!folder.startsWith(dataPath))
    log(
      `The database is stored in ${folder}, because the account that runs PostgreSQL cannot use ${dataPath}.`,
    )
  const binaries = findBinaries(folder, account)
  const cluster = openCluster(folder, binaries, account, isFast)
  rememberDatabaseFolder(dataPath, folder)
  const lock = takePortalLock(folder, cluster.account)
  if ('heldBy' in lock) throw alreadyRunning(`process ${lock.heldBy}`)
  try {
    const orphan = findPostmaster(cluster.dataFolder)
    if (orphan !== null) {
      const portal = await findPortalOfBefore(urlOf(cluster, orphan.port, 'postgres')).catch(() => null)
      if (portal !== null) throw alreadyRunning(portal)
      log(`Replacing the database server of an earlier start (process ${orphan.pid}).`)
      await stopPostmaster(orphan.pid)
    }
    const { dataFolder, account: owner } = cluster
    const options = { binaries, dataFolder, logFile: join(folder, 'postgres.log'), account: owner, isFast }
    const first = await startWithRetries(options, cluster)
    lock.confirm()
    await ensureDatabase(urlOf(cluster, first.port, 'postgres'))
    const watch = keepRunning(first, lock.release, { ...options, port: first.port }, log)
    return { url: urlOf(cluster, first.port, DATABASE_USER), folder, ...watch }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** `runningUrl` if its server runs; null without a database. Changes only a stale postmaster.pid. */
export function findEmbeddedPostgres(dataDir: string): { runningUrl: string | null } | null {
  const folder = findDatabaseFolder(resolve(dataDir))
  if (folder === null) return null
  const cluster = readCluster(folder)
  const running = findPostmaster(cluster.dataFolder)
  return { runningUrl: running && urlOf(cluster, running.port, DATABASE_USER) }
}

/** The process of 0.1 that uses this server, which shows it by an advisory lock; null without one. */
const findPortalOfBefore = (url: string): Promise<string | null> =>
  withClient({ connectionString: url }, async (client) => {
    const { rows } = await client.query(`
      select replace(application_name, 'veridict portal, ', '') as name
      from pg_locks join pg_stat_activity using (pid) where locktype = 'advisory' and objid = 7301986`)
    return rows[0]?.name ?? null
  })

const ensureDatabase = (url: string): Promise<void> =>
  withClient({ connectionString: url }, async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [DATABASE_USER])
    if (rowCount === 0) await client.query(`create database ${DATABASE_USER}`)
  })

const urlOf = (cluster: Cluster, port: number, database: string) =>
  `postgresql://${DATABASE_USER}:${cluster.password}@127.0.0.1:${port}/${database}`

const alreadyRunning = (who: string) =>
  new DatabaseStartError(
    `Another Veridict already runs with this data folder (${who}). ` +
      'Stop it first, or set DATA_DIR to another folder.',
  )

async function startWithRetries(options: Omit<StartOptions, 'port'>, cluster: Cluster): Promise<Postmaster> {
  let output = ''
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const started = await startPostmaster({ ...options, port: await freePort() })
    if (!('failed' in started)) return started
    output = started.output
    if (/lock file "postmaster.pid" already exists/.test(output) && findPostmaster(cluster.dataFolder)) {
      throw alreadyRunning('started at the same moment')
    }
    if (!/could not bind|pre-existing shared memory block|postmaster.pid/.test(output)) break
    await sleep(500)
  }
  throw startError(output, options.logFile)
}

function startError(output: string, logFile: string): DatabaseStartError {
  if (isDiskFull(output)) return new DatabaseStartError('The database cannot start: the disk is full.')
  if (/database files are incompatible/.test(output)) {
    return new DatabaseStartError(
      'The database was created by another version of PostgreSQL. ' +
        `Start that version and copy the data with pg_dump.\n${output}`,
    )
  }
  const lastLines = output.split('\n').slice(-8).join('\n')
  return new DatabaseStartError(
    `The database cannot start. Its last messages (more in ${logFile}):\n${lastLines}`,
  )
}

/** Restarts the server on its port when it ends (out of memory, killed) or gets a stop signal not of ours. */
function keepRunning(
  first: Postmaster,
  release: () => void,
  options: StartOptions,
  log: (message: string) => void,
): Pick<EmbeddedPostgres, 'prepareStop' | 'stop'> {
  let current = first
  let checking: Promise<void> | null = null

  const timer = setInterval(() => {
    checking ??= restartUnlessServing()
      .catch(async (error: Error) => {
        log(error.message)
        await sleep(1000)
      })
      .finally(() => (checking = null))
  }, WATCH_MILLISECONDS).unref()

  async function restartUnlessServing(): Promise<void> {
    const hasEnded = !isRunning(current)
    if (!hasEnded && !isStopping(options.dataFolder)) return
    log(`The database server ${hasEnded ? 'ended' : 'is stopping'} unexpectedly; restarting it.`)
    if (!hasEnded) await stopPostmaster(current.pid)
    const started = await startPostmaster(options)
    if ('failed' in started) throw new Error(started.output)
    current = started
  }

  async function prepareStop(): Promise<void> {
    clearInterval(timer)
    await checking
  }

  return {
    prepareStop,
    async stop() {
      await prepareStop()
      if (isRunning(current)) await stopPostmaster(current.pid)
      release()
    },
  }
}
