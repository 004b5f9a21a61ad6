import { mkdirSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findBinaries } from '#db/embedded/binaries.ts'
import { type Cluster, DATABASE_USER, openCluster } from '#db/embedded/cluster.ts'
import { DatabaseStartError, isDiskFull } from '#db/embedded/database-start-error.ts'
import { ensureDatabase, type OwnerLock, takeOwnerLock } from '#db/embedded/owner-lock.ts'
import { chooseDatabaseFolder, rememberDatabaseFolder } from '#db/embedded/database-folder.ts'
import {
  findPostmaster,
  freePort,
  type Postmaster,
  startPostmaster,
  type StartOptions,
  stopPostmaster,
} from '#db/embedded/postmaster.ts'
import { canSwitchTo, serverAccount } from '#db/embedded/server-account.ts'

export type EmbeddedPostgresOptions = {
  /** The portal's DATA_DIR; the database lies in its folder postgres/. */
  readonly dataDir: string
  /** Told where the database is, and what happens to it later. */
  readonly log: (message: string) => void
  /** For tests: data need not survive a crash. */
  readonly fast?: boolean
}

export type EmbeddedPostgres = {
  /** Connection of the database's owner. It stays the same when the server has to be started again. */
  readonly url: string
  /** The folder that holds the database. */
  readonly place: string
  /** Stops the server; running transactions are rolled back. Ends within 30 seconds. */
  readonly stop: () => Promise<void>
}

/** Attempts at starting while a port was taken or a dead server's memory was not yet given back. */
const MAX_ATTEMPTS = 10

/**
 * Starts the PostgreSQL that comes with the npm packages, for a machine without one: makes the cluster at the
 * first start, replaces a server left behind by a portal that died, and starts the server again should it be
 * killed. As root the server runs as an unprivileged number, because PostgreSQL refuses root.
 *
 * @throws DatabaseStartError with what to do: another portal is running here, no room, unknown platform, no fit folder.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  fast = false,
}: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = serverAccount()
  if (!canSwitchTo(account)) {
    throw new DatabaseStartError(
      'PostgreSQL does not run as root, and this root may not become another user. Start as an ordinary user, or set DATABASE_URL.',
    )
  }
  mkdirSync(resolve(dataDir), { recursive: true })
  const root = realpathSync(resolve(dataDir))
  const place = chooseDatabaseFolder(root, account)
  if (!place.startsWith(root))
    log(`The database is kept in ${place}, because ${root} is closed to the account that runs PostgreSQL.`)
  const binaries = findBinaries(place, account)
  const cluster = openCluster(place, binaries, account, fast)
  rememberDatabaseFolder(root, place)
  await replaceLeftServer(cluster, log)

  const logFile = join(place, 'postgres.log')
  const options = {
    binaries,
    dataFolder: cluster.dataFolder,
    logFile,
    account: cluster.account,
    isFast: fast,
  }
  const first = await startWithRetries(options, cluster)
  const lock = await lockOrRefuse(urlOf(cluster, first.port, 'postgres'))
  await ensureDatabase(urlOf(cluster, first.port, 'postgres'), DATABASE_USER)
  const guard = keepRunning(first, lock, { ...options, port: first.port }, log)
  return { url: urlOf(cluster, first.port, DATABASE_USER), place, stop: guard.stop }
}

const urlOf = (cluster: Cluster, port: number, database: string) =>
  `postgresql://${DATABASE_USER}:${cluster.password}@127.0.0.1:${port}/${database}`

/**
 * A server whose portal died is stopped, transactions of that portal and all; one whose portal lives is left
 * alone, and we refuse.
 */
async function replaceLeftServer(cluster: Cluster, log: (message: string) => void): Promise<void> {
  const left = findPostmaster(cluster.dataFolder)
  if (!left) return
  const lock = await lockOfLeftServer(cluster, left)
  log(`A database server of an earlier start still runs (process ${left.pid}); it is replaced.`)
  await stopPostmaster(left.pid)
  await lock?.release()
}

/**
 * The lock of a server that is starting or stopping right now cannot be asked for; after a while it counts as
 * left behind.
 */
async function lockOfLeftServer(
  cluster: Cluster,
  left: { pid: number; port: number },
): Promise<OwnerLock | null> {
  for (
    let attempt = 0;
    attempt < MAX_ATTEMPTS && findPostmaster(cluster.dataFolder)?.pid === left.pid;
    attempt++
  ) {
    try {
      return await lockOrRefuse(urlOf(cluster, left.port, 'postgres'))
    } catch (error) {
      if (error instanceof DatabaseStartError) throw error
      await sleep(500)
    }
  }
  return null
}

async function lockOrRefuse(url: string): Promise<OwnerLock> {
  const lock = await takeOwnerLock(url)
  if ('release' in lock) return lock
  throw alreadyRunning(`process ${lock.heldBy}`)
}

const alreadyRunning = (who: string) =>
  new DatabaseStartError(
    `Another Veridict already runs with this data folder (${who}). Stop it first, or give this one a folder of its own with DATA_DIR.`,
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
      `The database was made by another version of PostgreSQL. Start the version that made it and copy the data over with pg_dump.\n${output}`,
    )
  }
  return new DatabaseStartError(
    `The database cannot start. It said (more in ${logFile}):\n${output.split('\n').slice(-8).join('\n')}`,
  )
}

/**
 * Starts the server again on the same port when it ends without being asked to (out of memory, a stray kill).
 */
function keepRunning(
  first: Postmaster,
  lock: OwnerLock,
  options: StartOptions,
  log: (message: string) => void,
): Pick<EmbeddedPostgres, 'stop'> {
  let current = first
  let restarting: Promise<void> | null = null
  let isStopping = false

  const watch = () => current.process.once('exit', () => (restarting ??= restart()))
  async function restart(): Promise<void> {
    while (!isStopping) {
      log('The database server ended unexpectedly; it is started again.')
      const started = await startPostmaster(options)
      if (!('failed' in started)) {
        current = started
        restarting = null
        watch()
        return
      }
      log(started.output)
      await sleep(1000)
    }
  }
  watch()

  return {
    async stop() {
      isStopping = true
      await restarting
      await lock.release()
      await stopPostmaster(current.pid)
    },
  }
}
