import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPostmaster, isStopping } from '#platform/database/embedded/postmaster.ts'
import { isAlive } from '#platform/database/embedded/processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/database/embedded-postgres.ts'
import { until } from '#test/until.ts'

let dataDir = ''
const started: EmbeddedPostgres[] = []
const folders = new Set<string>()
let messages: string[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'veridict-db-'))
  chmodSync(dataDir, 0o755)
  messages = []
})
afterEach(async () => {
  for (const database of started.splice(0)) await database.stop()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({
    dataDir,
    isFast: true,
    log: (message) => messages.push(message),
  })
  started.push(database)
  folders.add(database.folder)
  return database
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

const dataFolder = () => join(dataDir, 'postgres/cluster/data')
const postmaster = () => findPostmaster(dataFolder())!.pid

describe('The embedded database', () => {
  it('keeps its data from one start to the next', async () => {
    const first = await start()
    await query(first.url, 'create table kept as select 1 as x')
    await first.stop()
    const second = await start()
    expect(await query(second.url, 'select x from kept')).toEqual([{ x: 1 }])
  })

  it('is in the data folder and only its owner can open it', async () => {
    const database = await start()
    expect(database.folder).toBe(join(dataDir, 'postgres'))
    expect(statSync(dataFolder()).mode & 0o777).toBe(0o700)
    expect(statSync(join(database.folder, 'cluster/password')).mode & 0o777).toBe(0o600)
    await expect(query(database.url.replace(/:[0-9a-f]+@/, ':guess@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
  })

  it('refuses a second start on the same folder and names the first process', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(
      `Another Veridict already runs with this data folder (process ${process.pid})`,
    )
    expect(await query(first.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it.for([
    ['SIGTERM', 'is stopping'],
    ['SIGINT', 'is stopping|ended'],
    ['SIGQUIT', 'is stopping|ended'],
    ['SIGKILL', 'ended'],
  ] as const)('restarts on the same address after its server got %s', async ([signal, what]) => {
    const database = await start()
    const startTime = async () =>
      (await query(database.url, 'select pg_postmaster_start_time()::text as time').catch(() => []))[0]?.time
    const before = await startTime()
    process.kill(postmaster(), signal)
    await until(async () => ![before, undefined].includes((await startTime()) as string | undefined))
    await until(
      async () =>
        (await query(database.url, `select 1 from pg_locks where locktype = 'advisory'`)).length === 1,
    )
    expect(messages).toContainEqual(
      expect.stringMatching(`^The database server (${what}) unexpectedly; restarting it.$`),
    )
  })

  it('keeps its connections, and is not restarted, if it is stopped after its portal', async () => {
    const database = await start()
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    await database.prepareStop()
    process.kill(postmaster(), 'SIGTERM')
    await until(async () => isStopping(dataFolder()))
    // Four times as long as the portal would take to look at it.
    await sleep(1000)
    expect((await client.query('select 1 as x')).rows).toEqual([{ x: 1 }])
    await client.end()
    expect(messages).toEqual([])
  })

  it('stops for good', async () => {
    const database = await start()
    const pid = postmaster()
    await database.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(dataFolder(), 'postmaster.pid'))).toBe(false)
  })

  it('starts although the process of postmaster.pid is another program by now', async () => {
    await (await start()).stop()
    writeFileSync(
      join(dataFolder(), 'postmaster.pid'),
      `${process.pid}\n${dataFolder()}\n1\n5432\n\n127.0.0.1\n\nready\n`,
    )
    const database = await start()
    expect(await query(database.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it('is looked for while its postmaster.pid appears and vanishes', async () => {
    const path = join(dataDir, 'postmaster.pid')
    const program = `const fs = require('node:fs'), { workerData: path } = require('node:worker_threads')
      for (;;) { fs.writeFileSync(path, '1'); fs.rmSync(path, { force: true }) }`
    const other = new Worker(program, { eval: true, workerData: path })
    await once(other, 'online')
    await until(() => existsSync(path))
    for (let look = 0; look < 20_000; look++) expect(isStopping(dataDir)).toBe(false)
    await other.terminate()
  })

  it('deletes a database that an earlier start did not finish creating', async () => {
    const unfinished = join(dataDir, 'postgres/cluster-unfinished-999999999')
    mkdirSync(unfinished, { recursive: true })
    await start()
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['cluster', 'postgres.log'])
  })
})

// Only root can be unable to use its own folder, through the account that it switches to.
const isRoot = process.getuid?.() === 0
describe.for(isRoot ? ['root'] : [])('As %s', () => {
  it('shows other accounts neither the password nor what is in the folders above the data', async () => {
    const database = await start()
    const password = join(database.folder, 'cluster/password')
    expect(statSync(password).uid).toBe(0)
    for (const folder of [dataDir, database.folder, join(database.folder, 'cluster')])
      expect([folder, statSync(folder).mode & 0o777]).toEqual([folder, 0o711])
    await database.stop()
    // As earlier versions left it.
    chownSync(password, statSync(dataFolder()).uid, statSync(dataFolder()).gid)
    expect(await query((await start()).url, 'select 1 as x')).toEqual([{ x: 1 }])
    expect(statSync(password).uid).toBe(0)
  })
})

describe.for(isRoot ? ['root'] : [])('As %s, below a folder that other accounts cannot enter', () => {
  it('uses another folder, logs it, and finds it at the next start', async () => {
    chmodSync(dataDir, 0o700)
    const first = await start()
    expect(first.folder).toMatch(/^\/var\/(lib|tmp)\/veridict-[0-9a-f]{12}$/)
    expect(messages[0]).toContain(`The database is stored in ${first.folder}`)
    await query(first.url, 'create table kept as select 1 as x')
    await first.stop()
    const second = await start()
    expect(second.folder).toBe(first.folder)
    expect(await query(second.url, 'select x from kept')).toEqual([{ x: 1 }])
    expect(readFileSync(join(dataDir, 'postgres/elsewhere.txt'), 'utf8').trim()).toBe(first.folder)
  })

  it('does not create an empty database if the stored folder is missing', async () => {
    chmodSync(dataDir, 0o700)
    const first = await start()
    await first.stop()
    rmSync(first.folder, { recursive: true })
    await expect(start()).rejects.toThrow(`The database is missing`)
  })
})
