import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Binaries, program } from '#platform/database/embedded/binaries.ts'
import { commandLine, hasEnded, isAlive, readIfThere } from '#platform/database/embedded/processes.ts'
import { changeOwner, type ServerAccount } from '#platform/database/embedded/server-account.ts'

export type Postmaster = { readonly pid: number; readonly port: number; readonly process: ChildProcess }

export type StartFailure = { readonly failed: true; readonly output: string }

const SECOND = 1000
/** Recovery after a crash takes longest; max_wal_size limits it. */
const START_TIME = 120 * SECOND
const FAST_STOP_TIME = 20 * SECOND
const IMMEDIATE_STOP_TIME = 5 * SECOND

/** The portal's data must survive a crash. */
const DURABLE_SETTINGS = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on']
/** The data of a test run is temporary. The chaos test has six servers with up to 15 connections each. */
const FAST_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'autovacuum=off',
  'max_connections=300',
]
/** Little memory, because the machine does other work, and no replicas. */
const COMMON_SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=60',
  'shared_buffers=64MB',
  'max_wal_size=256MB',
  'wal_level=minimal',
  'max_wal_senders=0',
  'io_method=sync',
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_min_messages=warning',
  'log_checkpoints=off',
]

export type StartOptions = {
  readonly binaries: Binaries
  readonly dataFolder: string
  readonly logFile: string
  readonly account: ServerAccount
  readonly port: number
  /** For tests: data does not have to survive a crash. */
  readonly isFast: boolean
}

/** Resolves when it accepts connections, or with its messages if it ended. */
export async function startPostmaster(options: StartOptions): Promise<Postmaster | StartFailure> {
  // What the former server wrote.
  if (existsSync(options.logFile)) renameSync(options.logFile, `${options.logFile}.1`)
  const child = spawnPostgres(options)
  const deadline = Date.now() + START_TIME
  while (isRunning({ process: child })) {
    const file = readPidFile(options.dataFolder)
    if (file?.status === 'ready' && file.pid === child.pid)
      return { pid: child.pid, port: options.port, process: child }
    if (Date.now() > deadline) {
      child.kill('SIGQUIT')
      return { failed: true, output: `It was not ready within ${START_TIME / SECOND} seconds.` }
    }
    await sleep(20)
  }
  return { failed: true, output: readFileSync(options.logFile, 'utf8').trim() }
}

function spawnPostgres({ binaries, dataFolder, logFile, account, port, isFast }: StartOptions) {
  const settings = [...COMMON_SETTINGS, ...(isFast ? FAST_SETTINGS : DURABLE_SETTINGS), `port=${port}`]
  const log = openSync(logFile, 'a', 0o600)
  changeOwner(account, logFile)
  try {
    // Detached, so that Ctrl-C in the terminal does not reach it: the portal stops the database last.
    const child = spawn(
      program(binaries, 'postgres'),
      ['-D', dataFolder, ...settings.flatMap((setting) => ['-c', setting])],
      {
        ...account,
        cwd: '/',
        env: { ...process.env, LC_ALL: 'C' },
        detached: true,
        stdio: ['ignore', log, log],
      },
    )
    child.on('error', () => {})
    child.unref()
    return child as ChildProcess & { pid: number }
  } finally {
    closeSync(log)
  }
}

/** "Fast" rolls back; if it takes too long, the server is killed, and recovers as after a crash. */
export async function stopPostmaster(pid: number): Promise<void> {
  for (const [signal, milliseconds] of [
    ['SIGINT', FAST_STOP_TIME],
    ['SIGQUIT', IMMEDIATE_STOP_TIME],
    ['SIGKILL', IMMEDIATE_STOP_TIME],
  ] as const) {
    if (!isAlive(pid)) return
    process.kill(pid, signal)
    if (await hasEnded(pid, milliseconds)) return
  }
}

/** Whether a server that this process started has not ended. Its id may belong to another program later. */
export const isRunning = ({ process: { exitCode, signalCode } }: Pick<Postmaster, 'process'>): boolean =>
  exitCode === null && signalCode === null

/** Whether a server got a signal to stop. After SIGTERM it waits for its clients to leave, for ever. */
export const isStopping = (dataFolder: string): boolean => readPidFile(dataFolder)?.status === 'stopping'

/** null if none runs. Deletes a postmaster.pid whose id another program has: PostgreSQL would not start. */
export function findPostmaster(dataFolder: string): { pid: number; port: number } | null {
  const file = readPidFile(dataFolder)
  if (!file) return null
  const isOurs =
    isAlive(file.pid) &&
    /postgres/.test(commandLine(file.pid)) &&
    commandLine(file.pid).includes(` -D ${dataFolder} `)
  if (isOurs) return file
  rmSync(join(dataFolder, 'postmaster.pid'), { force: true })
  return null
}

/** Lines: process, data folder, start time, port, socket folder, address, shared memory, status. */
function readPidFile(dataFolder: string): { pid: number; port: number; status: string } | null {
  const lines = readIfThere(join(dataFolder, 'postmaster.pid'))?.split('\n')
  if (lines === undefined) return null
  return { pid: Number(lines[0]), port: Number(lines[3]), status: lines[7]?.trim() ?? '' }
}

/** Linux gives ports from 32,768 on to outgoing connections, macOS from 49,152 on. */
const PORTS = { from: 20_000, to: 32_768 }

/** Outside of the range of outgoing connections, which could take it. Throws if listening is not allowed. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(PORTS.from, PORTS.to), '127.0.0.1')
    try {
      await once(server, 'listening')
      const { port } = server.address() as AddressInfo
      server.close()
      await once(server, 'close')
      return port
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    }
  }
}
