import { globSync, watch } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Kysely } from 'kysely'
import pino from 'pino'
import { openDatabase } from '#db/database.ts'
import type { Database, UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { systemClock } from '#drivers/clock.ts'
import { createStorage } from '#drivers/storage/create-storage.ts'
import type { Storage } from '#drivers/storage/storage.ts'
import { createTokens } from '#drivers/tokens.ts'
import { DatabaseWatch } from '#test/chaos/database-watch.ts'
import { type FileKind, fileKinds, makeFile } from '#test/chaos/files.ts'
import { findViolations, findViolationsWhenSettled } from '#test/chaos/find-violations.ts'
import { HistoryScreen } from '#test/chaos/history-screen.ts'
import type { Outcome, SentUpload } from '#test/chaos/invariants.ts'
import { findMailViolations } from '#test/chaos/mail-violations.ts'
import { outcomeOf } from '#test/chaos/outcome.ts'
import { apiKey, type Cut, sendUpload } from '#test/chaos/send-upload.ts'
import { Server, type ServerSettings } from '#test/chaos/servers.ts'
import { AT_RANDOM, freezePastLease, type Stage, stages } from '#test/chaos/stages.ts'
import { findOrphanedFiles } from '#test/chaos/stored-files.ts'
import {
  buildAccessToken,
  buildAdministrator,
  buildCompany,
  buildDictionary,
  buildUser,
} from '#test/factories.ts'
import { Random } from '#test/fuzz/random.ts'
import type { TestStore } from '#test/object-stores.ts'

export type StorageKind = 'local' | 's3'

export type Plan = {
  seed: number
  kills: number
  /** Runs this group of the schedule alone. */
  onlyGroup?: number
  /** Every second group has a server that is frozen past its lease; that takes half a minute. */
  hasFreezes: boolean
  /** Gets a line after each group. */
  onGroup(progress: string): void
}

export type Tally = {
  kills: Map<string, number>
  freezes: number
  uploads: number
  accepted: number
  violations: string[]
}

const secret = 's'.repeat(32)
const COMPANIES = 3
const CLERKS_PER_COMPANY = 4
const MAIL_SECONDS = 60

type Clerk = { user: UserRow; token: string; dictionaryId: number }
/** Two servers on one database and one storage, which are killed in every stage while they work. */
export class Campaign {
  readonly kind: StorageKind
  readonly plan: Plan
  readonly watch: DatabaseWatch
  readonly db: Kysely<Database>
  readonly tally: Tally = { kills: new Map(), freezes: 0, uploads: 0, accepted: 0, violations: [] }
  readonly #databaseUrl: string
  readonly #servers: Server[] = []
  readonly #idle: Server[] = []
  /** Including frozen ones. */
  readonly #all: Server[] = []
  readonly #outcomes = new Map<FileKind, Outcome>()
  readonly #uploads: SentUpload[] = []
  /** Those of this group. */
  #recent: SentUpload[] = []
  #pending: Promise<unknown>[] = []
  #clerks: Clerk[] = []
  #settings!: ServerSettings
  #storage!: Storage
  #screen!: HistoryScreen
  #folder = ''
  readonly #reported = new Set<string>()
  #group = -1
  #stage = ''

  constructor(kind: StorageKind, plan: Plan, databaseUrl: string) {
    this.kind = kind
    this.plan = plan
    this.#databaseUrl = databaseUrl
    this.db = openDatabase(databaseUrl)
    this.watch = new DatabaseWatch(databaseUrl, this.db)
  }

  async run(store: TestStore | null): Promise<Tally> {
    this.#folder = await mkdtemp(join(tmpdir(), `veridict-chaos-${this.kind}-`))
    try {
      await this.#prepare(store)
      const first = this.plan.onlyGroup ?? 0
      for (let group = first; this.#killed < this.plan.kills; group++) {
        await this.#runGroup(group)
        if (this.plan.onlyGroup !== undefined) break
      }
      await this.#finish()
    } finally {
      await this.#screen?.close()
      for (const server of this.#all) await server.close()
      await this.db.destroy()
      await rm(this.#folder, { recursive: true, force: true })
    }
    return this.tally
  }

  async #prepare(store: TestStore | null): Promise<void> {
    const storageUrl = store?.settings(store.address).storageUrl ?? join(this.#folder, 'storage')
    this.#settings = {
      db: this.db,
      folder: this.#folder,
      onEnd: (server, how) => {
        if (server.state === 'frozen') return
        if (how === 'SIGKILL' && server.isToEnd) this.countKill()
        else this.#report([`a server ended by itself: ${how}`])
      },
      env: {
        ...environmentOf(this.#databaseUrl),
        STORAGE_URL: storageUrl,
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
      },
    }
    this.#storage = await createStorage({
      storageUrl,
      dataDir: join(this.#folder, 'checks'),
      azureConnectionString: null,
    })
    await buildAdministrator(this.db)
    for (let company = 0; company < COMPANIES; company++) await this.#buildCompany()
    for (let index = 0; index < 2; index++) await this.#addServer()
    await this.#runWithoutFaults()
    const { token, user } = this.#clerks[0] as Clerk
    this.#screen = new HistoryScreen({
      apiKey,
      token,
      user: { id: user.id, companyId: user.companyId ?? 0 },
      up: () => this.up(),
    })
  }

  async #addServer(): Promise<Server> {
    const server = this.#idle.pop() ?? (await Server.create(this.#settings, this.#all.length))
    if (!this.#all.includes(server)) this.#all.push(server)
    this.#servers.push(server)
    await server.start()
    return server
  }

  async #buildCompany(): Promise<void> {
    const company = await buildCompany(this.db)
    const { id: dictionaryId } = await buildDictionary(this.db, { companyId: company.id })
    const tokens = createTokens({ secret, accessTokenMinutes: 600 }, systemClock)
    for (let number = 0; number < CLERKS_PER_COMPANY; number++) {
      const user = await buildUser(this.db, { companyId: company.id })
      const token = await buildAccessToken({ db: this.db, tokens }, user)
      this.#clerks.push({ user, token, dictionaryId })
    }
  }

  /** The outcome of each kind of file, before the first kill; and a file in the folder of each company. */
  async #runWithoutFaults(): Promise<void> {
    const random = new Random(this.plan.seed)
    const kinds: FileKind[] = [...fileKinds, 'small']
    for (const [index, kind] of kinds.entries()) {
      const { token, dictionaryId } = this.#clerks[
        (index * CLERKS_PER_COMPANY) % this.#clerks.length
      ] as Clerk
      const { address } = this.#servers[0] as Server
      const { bytes } = makeFile(kind, random)
      const fileName = `reference-${index}.csv`
      const id = await sendUpload({ address, token, dictionaryId, fileName, bytes })
      if (id === null) throw new Error(`A server that nobody killed refused ${kind}`)
      for (;;) {
        const row = this.db.selectFrom('submissions').select('settledAt').where('id', '=', id)
        if ((await row.executeTakeFirstOrThrow()).settledAt !== null) break
        await sleep(20)
      }
      this.#outcomes.set(kind, await outcomeOf(this.db, id))
    }
  }

  get #killed(): number {
    return [...this.tally.kills.values()].reduce((sum, count) => sum + count, 0)
  }

  async #runGroup(group: number): Promise<void> {
    this.#group = group
    this.#recent = []
    const seen = new Set<string>()
    const random = new Random(this.plan.seed * 1_000_003 + 2 * group + (this.kind === 's3' ? 1 : 0))
    const { resumed } =
      this.plan.hasFreezes && group % 2 === 0 ? await this.#freeze(random) : { resumed: null }
    for (const stage of shuffled(stages(), random)) {
      if (this.#killed >= this.plan.kills) break
      await this.#runStep(stage, random)
      this.#report(await findViolations({ ...this.#systemWith(this.#recent), seen }))
    }
    await resumed
    await this.#untilUp(2)
    await Promise.all(this.#pending.splice(0))
    this.#report(await findViolationsWhenSettled(this.#systemWith(this.#recent)))
    this.#report(await this.#screen.findViolations(this.db))
    const { uploads, violations } = this.tally
    this.plan.onGroup(
      `${this.kind}:${group}: ${this.#killed} kills, ${uploads} uploads, ${violations.length} violations` +
        violations.map((text) => `\n  ${text}`).join(''),
    )
  }

  #systemWith(uploads: readonly SentUpload[]) {
    return { db: this.db, storage: this.#storage, uploads }
  }

  /** Reports each violation once, with the stage after which it was found first. */
  #report(violations: readonly string[]): void {
    for (const text of violations) {
      if (this.#reported.has(text)) continue
      this.#reported.add(text)
      this.tally.violations.push(`${text} [${this.kind}:${this.#group}, after ${this.#stage}]`)
    }
  }

  async #runStep({ name, run }: Stage, random: Random): Promise<void> {
    this.#stage = name
    await this.#untilUp(random.isLikely(0.3) ? 1 : 2)
    for (let number = random.below(3); number > 0; number--) void this.upload(this.target(random), random)
    await run(this, this.target(random), random)
    for (const server of this.#servers) if (server.state === 'down') void server.start()
  }

  /** Another server takes the place of the frozen one. */
  async #freeze(random: Random): Promise<{ resumed: Promise<void> | null }> {
    this.#stage = 'freeze'
    const frozen = await freezePastLease(this, this.target(random), random)
    if (frozen === null) return { resumed: null }
    this.#servers.splice(this.#servers.indexOf(frozen.server), 1)
    await this.#addServer()
    const resumed = frozen.ended.then(() => {
      this.tally.freezes++
      this.#idle.push(frozen.server)
    })
    return { resumed }
  }

  async #untilUp(count: number): Promise<void> {
    while (this.up().length < count) {
      for (const server of this.#servers) if (server.state === 'down') void server.start()
      await sleep(10)
    }
  }

  up(): Server[] {
    return this.#servers.filter(({ state }) => state === 'up')
  }

  target(random: Random): Server {
    return random.oneOf(this.up())
  }

  serverOf(holder: number | null): Server | undefined {
    return this.up().find((server) => server.holder === holder)
  }

  countKill(): void {
    this.tally.kills.set(this.#stage, (this.tally.kills.get(this.#stage) ?? 0) + 1)
  }

  whenWritten(fileName: string, milliseconds: number): Promise<void> | null {
    if (this.kind !== 'local') return null
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

  /** Counts the last kill as at random, because it was not in its stage. */
  countAsRandom(): void {
    const { kills } = this.tally
    kills.set(this.#stage, (kills.get(this.#stage) ?? 0) - 1)
    kills.set(AT_RANDOM, (kills.get(AT_RANDOM) ?? 0) + 1)
  }

  /** Uploads a file. Returns its name at once; the end of the group waits for the response. */
  upload(
    server: Server,
    random: Random,
    options: { kind?: FileKind; cut?: Cut } = {},
  ): { fileName: string; sent: Promise<void> } {
    const { kind = random.oneOf(fileKinds) } = options
    const { bytes, sha256 } = makeFile(kind, random)
    const number = String(this.#uploads.length).padStart(6, '0')
    const fileName = `u${number}-${kind}.csv`
    const outcome = this.#outcomes.get(kind) as Outcome
    const upload: SentUpload = { fileName, sha256, id: null, outcome }
    this.#uploads.push(upload)
    this.#recent.push(upload)
    this.tally.uploads++
    const { token, dictionaryId } = random.oneOf(this.#clerks)
    const request = { address: server.address, token, dictionaryId, fileName, bytes }
    const sent = sendUpload(request, options.cut).then((id) => {
      upload.id = id
      if (id !== null) this.tally.accepted++
    })
    this.#pending.push(sent)
    return { fileName, sent }
  }

  /** Checks all uploads once more, e-mails, and files without a row, when all is settled. */
  async #finish(): Promise<void> {
    this.#stage = 'the end'
    this.#report(await findViolationsWhenSettled(this.#systemWith(this.#uploads)))
    for (const server of this.#servers) await server.kill()
    // E-mails of dead processes are sent again after two minutes, which pass here.
    await sql`update mails set next_attempt_at = now() where sent_at is null`.execute(this.db)
    const [server] = this.#servers as [Server]
    await server.start()
    const end = performance.now() + MAIL_SECONDS * 1000
    const waiting = this.db.selectFrom('mails').select('id').where('sentAt', 'is', null)
    while ((await waiting.execute()).length > 0 && performance.now() < end) await sleep(50)
    await server.kill()
    const system = this.#systemWith(this.#uploads)
    const received = this.#all.flatMap(({ mail }) => mail.taken)
    this.#report(await findMailViolations(system, received, this.#killed + this.tally.freezes))
    const deps = { env: { retentionDays: 90 } as Deps['env'], log: pino({ level: 'silent' }) }
    this.#report(await findOrphanedFiles(system, deps))
  }
}

function environmentOf(databaseUrl: string): Record<string, string> {
  const given = ['NODE_COMPILE_CACHE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const
  return {
    ...Object.fromEntries(given.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    DATABASE_URL: databaseUrl,
    API_KEY: apiKey,
    TOKEN_SECRET: secret,
    UPLOADS_PER_MINUTE: '1000000',
    COMPANY_QUOTA_MB: '0',
    MIN_FREE_SPACE_MB: '0',
    VALIDATOR_PROCESSES: '1',
    DRAIN_SECONDS: '0',
  }
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}
