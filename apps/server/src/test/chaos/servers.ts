import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'
import { WORKER_LOCK } from '#platform/jobs/leases.ts'
import { spawnPortalProcess, type StartingPortal } from '#test/portal-process.ts'
import { startSmtpSink, type SmtpSink } from '#test/smtp-sink.ts'

const run = promisify(execFile)

export type ServerSettings = {
  db: Db
  env: Record<string, string>
  /** Holds the data folders of all servers. */
  folder: string
  /** Called when a server has ended. `how`: the signal, or the exit code. `log`: the end of its log. */
  onEnd(server: Server, how: string, log: Promise<string>): void
}

/** Characters of the log of a server that are kept, for the report of its end. */
const MAX_LOG = 4000

type State = 'down' | 'starting' | 'up' | 'frozen'

/** A server that is killed and started again: a process with a data folder and a mail server of its own. */
export class Server {
  readonly mail: SmtpSink
  readonly #settings: ServerSettings
  readonly #dataDir: string
  /** Servers of one database start one after the other: so a new advisory lock is that of the new server. */
  static readonly #starts = new WeakMap<Db, Promise<void>>()
  state: State = 'down'
  #portal: StartingPortal | null = null
  #starting: Promise<void> | null = null
  #isClosed = false
  /** The number of its advisory lock, which its leases name. */
  holder: number | null = null
  /** Whether its process is expected to end. */
  isToEnd = false

  static async create(settings: ServerSettings, index: number): Promise<Server> {
    return new Server(settings, index, await startSmtpSink())
  }

  private constructor(settings: ServerSettings, index: number, mail: SmtpSink) {
    this.#settings = settings
    this.#dataDir = join(settings.folder, `data-${index}`)
    this.mail = mail
  }

  get address(): string {
    return this.#portal?.address ?? ''
  }
  get pid(): number {
    return this.#portal?.child.pid ?? 0
  }

  /** Resolves when it is up, or when it was killed before that. */
  start(): Promise<void> {
    this.state = 'starting'
    if (this.#starting !== null) return this.#starting
    const { db } = this.#settings
    this.#starting = (Server.#starts.get(db) ?? Promise.resolve())
      .then(() => this.#start())
      .finally(() => {
        this.#starting = null
        if (!this.isRunning) this.state = 'down'
      })
    Server.#starts.set(db, this.#starting)
    return this.#starting
  }

  async #start(): Promise<void> {
    const { db, env, onEnd } = this.#settings
    if (this.#isClosed) return
    const others = new Set(await findHolders(db))
    this.isToEnd = false
    let log = ''
    const onLog = (text: string) => void (log = (log + text).slice(-MAX_LOG))
    const settings = { ...env, DATA_DIR: this.#dataDir, SMTP_URL: this.mail.url }
    const portal = await spawnPortalProcess(settings, 'web,worker', { onLog })
    this.#portal = portal
    // What a process wrote at its end may be read after its end.
    const closed = once(portal.child, 'close')
    portal.child.on('exit', (code, signal) => {
      const how = signal ?? `code ${code}`
      onEnd(
        this,
        how,
        closed.then(() => log),
      )
      this.state = 'down'
    })
    if (this.#isClosed) return this.kill()
    try {
      await portal.ready
    } catch {
      return
    }
    for (this.holder = null; this.holder === null && this.isRunning; await sleep(20))
      this.holder = (await findHolders(db)).find((holder) => !others.has(holder)) ?? null
    if (this.isRunning) this.state = 'up'
  }

  get isRunning(): boolean {
    return this.#portal?.child.exitCode === null && this.#portal.child.signalCode === null
  }

  /** Kills its process and waits until it has ended. Does nothing if it does not run yet. */
  async kill(): Promise<void> {
    if (!this.isRunning) return
    this.isToEnd = true
    await this.#portal?.end('SIGKILL')
  }

  /** Ends it and prevents another start; also while it starts. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.kill()
    await this.#starting
    await this.mail.close()
  }

  async waitForEnd(milliseconds: number): Promise<boolean> {
    const end = performance.now() + milliseconds
    while (this.isRunning && performance.now() < end) await sleep(5)
    return !this.isRunning
  }

  freeze(): void {
    this.state = 'frozen'
    process.kill(this.pid, 'SIGSTOP')
  }

  resume(): void {
    if (this.isRunning) process.kill(this.pid, 'SIGCONT')
  }

  /** The ids of its validator processes. */
  async validatorPids(): Promise<number[]> {
    const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid='])
    return stdout.split('\n').flatMap((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      return parent === this.pid && pid !== undefined ? [pid] : []
    })
  }
}

async function findHolders(db: Db): Promise<number[]> {
  const { rows } = await sql<{ holder: number }>`
    select objid::int4 as holder from pg_locks
    where locktype = 'advisory' and classid = ${WORKER_LOCK} and granted
      and database = (select oid from pg_database where datname = current_database())
  `.execute(db)
  return rows.map(({ holder }) => holder)
}
