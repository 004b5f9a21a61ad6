import {
  chmodSync,
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
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findPostmaster } from '#db/embedded/postmaster.ts'
import { isAlive } from '#db/embedded/processes.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#db/embedded-postgres.ts'

let dataDir = ''
const started: EmbeddedPostgres[] = []
const places = new Set<string>()
let messages: string[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'veridict-db-'))
  chmodSync(dataDir, 0o755)
  messages = []
})
afterEach(async () => {
  for (const database of started.splice(0)) await database.stop()
  for (const place of places) rmSync(place, { recursive: true, force: true })
  rmSync(dataDir, { recursive: true, force: true })
})

async function start(): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({
    dataDir,
    fast: true,
    log: (message) => messages.push(message),
  })
  started.push(database)
  places.add(database.place)
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

  it('lies in the data folder and opens to nobody but its owner', async () => {
    const database = await start()
    expect(database.place).toBe(join(dataDir, 'postgres'))
    expect(statSync(dataFolder()).mode & 0o777).toBe(0o700)
    expect(statSync(join(database.place, 'cluster/password')).mode & 0o777).toBe(0o600)
    await expect(query(database.url.replace(/:[0-9a-f]+@/, ':guess@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
  })

  it('refuses a second start on the same folder, naming the first', async () => {
    const first = await start()
    await expect(start()).rejects.toThrow(
      `Another Veridict already runs with this data folder (process ${process.pid})`,
    )
    expect(await query(first.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it('is started again on the same address when it is killed', async () => {
    const database = await start()
    const killed = postmaster()
    process.kill(killed, 'SIGKILL')
    await until(async () => (await query(database.url, 'select 1 as x').catch(() => []))[0]?.x === 1)
    expect(postmaster()).not.toBe(killed)
    await until(
      async () =>
        (await query(database.url, `select 1 from pg_locks where locktype = 'advisory'`)).length === 1,
    )
    expect(messages).toContain('The database server ended unexpectedly; it is started again.')
  })

  it('stops for good', async () => {
    const database = await start()
    const pid = postmaster()
    await database.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(dataFolder(), 'postmaster.pid'))).toBe(false)
  })

  it('starts beside a postmaster.pid whose number belongs to another program by now', async () => {
    await (await start()).stop()
    writeFileSync(
      join(dataFolder(), 'postmaster.pid'),
      `${process.pid}\n${dataFolder()}\n1\n5432\n\n127.0.0.1\n\nready\n`,
    )
    const database = await start()
    expect(await query(database.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it('sweeps away a database that an earlier start did not finish making', async () => {
    const unfinished = join(dataDir, 'postgres/cluster-unfinished-999999999')
    mkdirSync(unfinished, { recursive: true })
    await start()
    expect(readdirSync(join(dataDir, 'postgres')).sort()).toEqual(['cluster', 'postgres.log'])
  })
})

// Nobody else can be kept out of a folder of their own.
const isRoot = process.getuid?.() === 0
describe.for(isRoot ? ['root'] : [])('As %s, below a folder closed to others', () => {
  it('moves to a place of its own, says so, and finds it again', async () => {
    chmodSync(dataDir, 0o700)
    const first = await start()
    expect(first.place).toMatch(/^\/var\/(lib|tmp)\/veridict-[0-9a-f]{12}$/)
    expect(messages[0]).toContain(`The database is kept in ${first.place}`)
    await query(first.url, 'create table kept as select 1 as x')
    await first.stop()
    const second = await start()
    expect(second.place).toBe(first.place)
    expect(await query(second.url, 'select x from kept')).toEqual([{ x: 1 }])
    expect(readFileSync(join(dataDir, 'postgres/elsewhere.txt'), 'utf8').trim()).toBe(first.place)
  })

  it('never makes an empty database where a lost one is remembered', async () => {
    chmodSync(dataDir, 0o700)
    const first = await start()
    await first.stop()
    rmSync(first.place, { recursive: true })
    await expect(start()).rejects.toThrow(`is no longer there`)
  })
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It did not happen within 30 seconds.')
    await sleep(50)
  }
}
