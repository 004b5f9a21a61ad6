import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { findPostmaster } from '#platform/database/embedded/postmaster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { makeDatabaseFolder } from '#test/database-folders.ts'
import { until } from '#test/until.ts'

/** Embedded databases in a folder of their own for each test, which stops and deletes them. */
export type EmbeddedDatabases = {
  /** DATA_DIR of the test. */
  dataDir: string
  /** What the starts of the test have logged. */
  messages: string[]
  /** Starts the database of the folder. */
  start(): Promise<EmbeddedPostgres>
  dataFolder(): string
  /** The process id of the server. */
  postmaster(): number
}

/** `areCopied`: each test gets a copy of one database, because to create another takes a second. */
export function embeddedDatabases({ areCopied = false } = {}): EmbeddedDatabases {
  const original = makeDatabaseFolder()
  const started: EmbeddedPostgres[] = []
  const folders = new Set<string>()
  const databases: EmbeddedDatabases = {
    dataDir: '',
    messages: [],
    async start() {
      const log = (message: string) => databases.messages.push(message)
      const database = await startEmbeddedPostgres({ dataDir: databases.dataDir, isFast: true, log })
      started.push(database)
      folders.add(database.folder)
      return database
    },
    dataFolder: () => join(databases.dataDir, 'postgres/cluster/data'),
    postmaster: () => findPostmaster(databases.dataFolder())!.pid,
  }
  beforeAll(async () => {
    if (!areCopied) return
    const database = await startEmbeddedPostgres({ dataDir: original, isFast: true, log: () => {} })
    await database.stop()
  })
  afterAll(() => rmSync(original, { recursive: true, force: true }))
  beforeEach(() => {
    databases.dataDir = makeDatabaseFolder()
    // -a keeps the owner, who is another account under root.
    execFileSync('cp', ['-a', `${original}/.`, databases.dataDir])
    databases.messages = []
  })
  afterEach(async () => {
    for (const database of started.splice(0)) await database.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    rmSync(databases.dataDir, { recursive: true, force: true })
  })
  return databases
}

/** The rows of a statement, on a connection of its own. */
export async function queryOnce(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/** Ends the server of a running database with a signal; expects another one, and `what` in the log. */
export async function expectRestart(
  databases: EmbeddedDatabases,
  signal: NodeJS.Signals,
  what: string,
): Promise<void> {
  const database = await databases.start()
  const startTime = async () =>
    (await queryOnce(database.url, 'select pg_postmaster_start_time()::text as time').catch(() => []))[0]
      ?.time
  const before = await startTime()
  // As the portal has connections, for which a server that got SIGTERM waits.
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => {})
  await client.connect()
  process.kill(databases.postmaster(), signal)
  await until(async () => ![before, undefined].includes((await startTime()) as string | undefined))
  await expect(databases.start()).rejects.toThrow('Another Veridict already runs')
  expect(databases.messages).toContainEqual(
    expect.stringMatching(`^The database server (${what}) unexpectedly; restarting it.$`),
  )
}
