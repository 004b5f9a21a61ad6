import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../apps/server/src/platform/database/embedded/postmaster.ts'
import { bundledPrograms } from '../apps/server/src/test/bundled-programs.ts'
import { makeDatabaseFolder } from '../apps/server/src/test/database-folders.ts'

const ROOT = join(import.meta.dirname, '..')
const START_MILLISECONDS = 90_000

/** A portal in demo mode with its own data folder, embedded database and port. */
export type Portal = {
  readonly url: string
  readonly dataDir: string
  /** Stops the portal and removes its data. */
  close(): Promise<void>
}

/** A portal in a process of its own, which can end. */
export type PortalProcess = Portal & {
  /** Kills the process, as in a power cut. The database is not shut down. */
  kill(): Promise<void>
  /** Starts again on the same data and port. */
  start(): Promise<void>
  /** Stops the portal and keeps its data. */
  stop(): Promise<void>
}

/** A new data folder: a copy of `data`, or empty. */
export function makeDataDir(data: string | null): string {
  const dataDir = makeDatabaseFolder()
  // Keeps the owner of the database's files, which cpSync does not.
  if (data !== null) execFileSync('cp', ['-a', `${data}/.`, dataDir])
  return dataDir
}

/**
 * Starts the portal as `npm start` does, without installing and building: on a copy of `data`, or on an empty
 * data folder, with `settings` as its environment. Throws with its output if it is not ready in time.
 */
export async function startPortal(
  data: string | null = null,
  settings: Record<string, string> = {},
): Promise<PortalProcess> {
  const dataDir = makeDataDir(data)
  const port = Number(settings['PORT'] ?? (await freePort()))
  const url = `http://127.0.0.1:${port}`
  const environment = {
    ...process.env,
    DATABASE_URL: '',
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    ...settings,
  }
  const program = join(await bundledPrograms(), 'main.js')
  let server = spawnServer(program, environment)
  await ready(url, server)

  return {
    url,
    dataDir,
    async kill() {
      server.process.kill('SIGKILL')
      await once(server.process, 'exit')
    },
    async start() {
      server = spawnServer(program, environment)
      await ready(url, server)
    },
    stop: () => stop(server),
    async close() {
      await stop(server)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function stop(server: Server): Promise<void> {
  if (server.process.exitCode !== null || server.process.signalCode !== null) return
  server.process.kill('SIGTERM')
  await once(server.process, 'exit')
}

type Server = { process: ChildProcess; output: () => string }

function spawnServer(program: string, environment: NodeJS.ProcessEnv): Server {
  const process_ = spawn(process.execPath, [program], {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [process_.stdout, process_.stderr])
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { process: process_, output: () => output }
}

async function ready(url: string, server: Server): Promise<void> {
  const deadline = Date.now() + START_MILLISECONDS
  while (Date.now() < deadline && server.process.exitCode === null) {
    const response = await fetch(`${url}/api/ready`).catch(() => null)
    if (response?.ok) return
    await sleep(200)
  }
  server.process.kill('SIGKILL')
  throw new Error(`The portal did not become ready.\n${server.output()}`)
}
