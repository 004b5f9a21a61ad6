import { globSync, watch } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pino from 'pino'
import { openDatabase } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { createStorage } from '#platform/storage/create-storage.ts'
import type { Storage } from '#platform/storage/storage.ts'
import { buildClerks, type Clerk } from '#test/chaos/clerks.ts'
import { DatabaseWatch } from '#test/chaos/database-watch.ts'
import { findViolations, findViolationsWhenSettled } from '#test/chaos/find-violations.ts'
import { HistoryScreen } from '#test/chaos/history-screen.ts'
import type { SentUpload } from '#test/chaos/invariants.ts'
import { findMailViolations } from '#test/chaos/mail-violations.ts'
import { apiKey } from '#test/chaos/send-upload.ts'
import { serverEnvironment } from '#test/chaos/server-environment.ts'
import { ServerPool } from '#test/chaos/server-pool.ts'
import type { Server } from '#test/chaos/servers.ts'
import { freezePastLease } from '#test/chaos/freeze-past-lease.ts'
import type { Stage, StageContext } from '#test/chaos/stage.ts'
import { AT_RANDOM, stages } from '#test/chaos/stages.ts'
import { findOrphanedFiles } from '#test/chaos/stored-files.ts'
import { type UploadOptions, Uploads } from '#test/chaos/uploads.ts'
import { buildAdministrator } from '#test/factories.ts'
import { Random } from '#test/fuzz/random.ts'
import type { TestStore } from '#test/object-stores.ts'

export type StorageKind = 'local' | 's3'

export type Plan = {
  seed: number
  kills: number
  /** Runs this group of the schedule alone. */
  onlyGroup?: number
  /** In every second group a server is frozen past its lease; that takes half a minute. */
  hasFreezes: boolean
  /** Called with a line of progress after each group. */
  onGroup(progress: string): void
}

export type Tally = {
  /** The number of kills in each stage. */
  kills: ReadonlyMap<string, number>
  freezes: number
  uploads: number
  accepted: number
  violations: readonly string[]
}

const MAIL_SECONDS = 60

/** Two servers on one database and one storage, which are killed in every stage while they work. */
export class Campaign implements StageContext {
  readonly watch: DatabaseWatch
  readonly #kind: StorageKind
  readonly #plan: Plan
  readonly #db: Db
  readonly #databaseUrl: string
  readonly #kills = new Map<string, number>()
  readonly #violations: string[] = []
  /** Texts of violations that were reported. */
  readonly #reported = new Set<string>()
  #freezes = 0
  #servers!: ServerPool
  #uploads!: Uploads
  #storage!: Storage
  #screen: HistoryScreen | null = null
  #folder = ''
  #group = -1
  #stage = ''

  constructor(kind: StorageKind, plan: Plan, databaseUrl: string) {
    this.#kind = kind
    this.#plan = plan
    this.#databaseUrl = databaseUrl
    this.#db = openDatabase(databaseUrl)
    this.watch = new DatabaseWatch(databaseUrl, this.#db)
  }

  async run(store: TestStore | null): Promise<Tally> {
    this.#folder = await mkdtemp(join(tmpdir(), `veridict-chaos-${this.#kind}-`))
    try {
      await this.#prepare(store)
      const first = this.#plan.onlyGroup ?? 0
      for (let group = first; this.#killCount < this.#plan.kills; group++) {
        await this.#runGroup(group)
        if (this.#plan.onlyGroup !== undefined) break
      }
      await this.#finish()
    } finally {
      await this.#screen?.close()
      await this.#servers?.close()
      await this.#db.destroy()
      await rm(this.#folder, { recursive: true, force: true })
    }
    return {
      kills: this.#kills,
      freezes: this.#freezes,
      uploads: this.#uploads.all.length,
      accepted: this.#uploads.acceptedCount,
      violations: this.#violations,
    }
  }

  async #prepare(store: TestStore | null): Promise<void> {
    const storageUrl = store?.settings(store.address).storageUrl ?? join(this.#folder, 'storage')
    this.#servers = new ServerPool({
      db: this.#db,
      folder: this.#folder,
      onEnd: (server, how, log) => this.#countEnd(server, how, log),
      env: serverEnvironment(this.#databaseUrl, storageUrl),
    })
    this.#storage = await createStorage({
      storageUrl,
      dataDir: join(this.#folder, 'checks'),
      azureConnectionString: null,
    })
    await buildAdministrator(this.#db)
    const clerks = await buildClerks(this.#db)
    this.#uploads = new Uploads(clerks)
    for (let index = 0; index < 2; index++) await this.#servers.add()
    const [server] = this.#servers.active as [Server]
    await this.#uploads.recordOutcomes(server, this.#db, new Random(this.#plan.seed))
    const { token, user } = clerks[0] as Clerk
    this.#screen = new HistoryScreen({
      apiKey,
      token,
      user: { id: user.id, companyId: user.companyId ?? 0 },
      up: () => this.up(),
    })
  }

  #countEnd(server: Server, how: string, log: Promise<string>): void {
    if (server.state === 'frozen') return
    if (how === 'SIGKILL' && server.isToEnd) return this.countKill()
    // At once: its log is complete later, perhaps only after the violations of the campaign were read.
    this.#report([`a server ended by itself: ${how}`])
    void log.then((text) => console.error(`The end of the log of this server (${how}):\n${text}`))
  }

  get #killCount(): number {
    return [...this.#kills.values()].reduce((sum, count) => sum + count, 0)
  }

  async #runGroup(group: number): Promise<void> {
    this.#group = group
    this.#uploads.beginGroup()
    const seen = new Set<string>()
    const random = new Random(this.#plan.seed * 1_000_003 + 2 * group + (this.#kind === 's3' ? 1 : 0))
    const hasFreeze = this.#plan.hasFreezes && group % 2 === 0
    const { ended } = hasFreeze ? await this.#freeze(random) : { ended: null }
    for (const stage of shuffled(stages(), random)) {
      if (this.#killCount >= this.#plan.kills) break
      await this.#runStage(stage, random)
      this.#report(await findViolations({ ...this.#systemWith(this.#uploads.ofGroup), seen }))
    }
    await ended
    await this.#servers.waitUntilUp(2)
    await this.#uploads.waitForResponses()
    this.#report(await findViolationsWhenSettled(this.#systemWith(this.#uploads.ofGroup)))
    this.#report((await this.#screen?.findViolations(this.#db)) ?? [])
    this.#plan.onGroup(
      `${this.#kind}:${group}: ${this.#killCount} kills, ${this.#uploads.all.length} uploads, ` +
        `${this.#violations.length} violations${this.#violations.map((text) => `\n  ${text}`).join('')}`,
    )
  }

  #systemWith(uploads: readonly SentUpload[]) {
    return { db: this.#db, storage: this.#storage, uploads }
  }

  /** Reports each violation once, with the stage after which it was first found. */
  #report(violations: readonly string[]): void {
    for (const text of violations) {
      if (this.#reported.has(text)) continue
      this.#reported.add(text)
      this.#violations.push(`${text} [${this.#kind}:${this.#group}, after ${this.#stage}]`)
    }
  }

  async #runStage({ name, run }: Stage, random: Random): Promise<void> {
    this.#stage = name
    await this.#servers.waitUntilUp(random.isLikely(0.3) ? 1 : 2)
    for (let number = random.below(3); number > 0; number--) this.upload(this.target(random), random)
    await run(this, this.target(random), random)
    this.#servers.restart()
  }

  /**
   * Freezes a server and starts another one in its place. `ended` resolves when it was resumed and killed.
   */
  async #freeze(random: Random): Promise<{ ended: Promise<void> | null }> {
    this.#stage = 'freeze'
    const frozen = await freezePastLease(this, this.target(random), random)
    if (frozen === null) return { ended: null }
    await this.#servers.replace(frozen.server)
    const ended = frozen.ended.then(() => {
      this.#freezes++
      this.#servers.addSpare(frozen.server)
    })
    return { ended }
  }

  up(): Server[] {
    return this.#servers.up
  }

  target(random: Random): Server {
    return this.#servers.oneUp(random)
  }

  serverOf(holder: number | null): Server | undefined {
    return this.#servers.findByHolder(holder)
  }

  upload(server: Server, random: Random, options: UploadOptions = {}) {
    return this.#uploads.send(server, random, options)
  }

  countKill(): void {
    this.#kills.set(this.#stage, (this.#kills.get(this.#stage) ?? 0) + 1)
  }

  countAsRandom(): void {
    this.#kills.set(this.#stage, (this.#kills.get(this.#stage) ?? 0) - 1)
    this.#kills.set(AT_RANDOM, (this.#kills.get(AT_RANDOM) ?? 0) + 1)
  }

  whenWritten(fileName: string, milliseconds: number): Promise<void> | null {
    if (this.#kind !== 'local') return null
    const root = join(this.#folder, 'storage')
    const folders = globSync('[!.]*/*/*', { cwd: root }).map((path) => join(root, path))
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        for (const watcher of watchers) watcher.close()
        resolve()
      }
      const watchers = folders.map((folder) =>
        watch(folder, (_event, name) => name?.includes(fileName) && end()),
      )
      const timer = setTimeout(end, milliseconds)
    })
  }

  /** When all is settled, checks all uploads once more, the e-mails, and files without a row. */
  async #finish(): Promise<void> {
    this.#stage = 'the end'
    this.#report(await findViolationsWhenSettled(this.#systemWith(this.#uploads.all)))
    for (const server of this.#servers.active) await server.kill()
    // E-mails of killed processes would be sent again after two minutes; this makes them due now.
    await sql`update mails set next_attempt_at = now() where sent_at is null`.execute(this.#db)
    const [server] = this.#servers.active as [Server]
    await server.start()
    const end = performance.now() + MAIL_SECONDS * 1000
    const unsent = this.#db.selectFrom('mails').select('id').where('sentAt', 'is', null)
    while ((await unsent.execute()).length > 0 && performance.now() < end) await sleep(50)
    await server.kill()
    const system = this.#systemWith(this.#uploads.all)
    const received = this.#servers.all.flatMap(({ mail }) => mail.acceptedMails)
    this.#report(await findMailViolations(system, received, this.#killCount + this.#freezes))
    const deps = { env: { retentionDays: 90 } as Deps['env'], log: pino({ level: 'silent' }) }
    this.#report(await findOrphanedFiles(system, deps))
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
