import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findBinaries } from '#platform/database/embedded/binaries.ts'
import { DATABASE_USER, openCluster, chooseDatabaseFolder } from '#platform/database/embedded/cluster.ts'
import { hasEnded } from '#platform/database/embedded/processes.ts'
import {
  freePort,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from '#platform/database/embedded/postmaster.ts'
import { serverAccount } from '#platform/database/embedded/server-account.ts'
import { migrate } from '#platform/database/migrate.ts'

export type OwnCluster = {
  /** A migrated database. */
  url: string
  /** Ends it without a shutdown, like a power cut. */
  crash(): Promise<void>
  /** Starts it again at the same address. */
  start(): Promise<void>
  /** Stops its processes (SIGSTOP), so that it neither responds nor closes. Returns how to resume them. */
  freeze(): Promise<() => void>
  close(): Promise<void>
}

/** A PostgreSQL server that a test may stop. Its commits wait for the disk, unlike those of other tests. */
export async function startOwnCluster(): Promise<OwnCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'veridict-own-cluster-'))
  // Started by root, the server runs under another account, which must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const account = serverAccount()
  const folder = chooseDatabaseFolder(dataDir, account)
  const binaries = findBinaries(folder, account)
  const cluster = openCluster(folder, binaries, account, true)
  const port = await freePort()
  const logFile = join(folder, 'postgres.log')
  const options = { binaries, dataFolder: cluster.dataFolder, logFile, account, port, isFast: false }
  let server: Postmaster
  const start = async () => {
    const started = await startPostmaster(options)
    if ('failed' in started) throw new Error(started.output)
    server = started
  }
  const urlOf = (database: string) =>
    `postgresql://${DATABASE_USER}:${cluster.password}@127.0.0.1:${port}/${database}`
  const query = async (database: string, statement: string) => {
    const client = new pg.Client({ connectionString: urlOf(database) })
    await client.connect()
    try {
      return (await client.query<{ pid: number }>(statement)).rows
    } finally {
      await client.end()
    }
  }
  await start()
  await query('postgres', 'create database portal')
  await migrate(urlOf('portal'))
  return {
    url: urlOf('portal'),
    start,
    async crash() {
      process.kill(server.pid, 'SIGQUIT')
      if (!(await hasEnded(server.pid, 20_000))) throw new Error('The database did not end')
    },
    async freeze() {
      const others = await query('postgres', 'select pid from pg_stat_activity where pid <> pg_backend_pid()')
      const pids = [server.pid, ...others.map(({ pid }) => pid)]
      const signalAll = (signal: NodeJS.Signals) => {
        for (const pid of pids) tryKill(pid, signal)
      }
      signalAll('SIGSTOP')
      return () => signalAll('SIGCONT')
    },
    async close() {
      await stopPostmaster(server.pid)
      rmSync(folder, { recursive: true, force: true })
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** A process may end between the query and the signal. */
function tryKill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
