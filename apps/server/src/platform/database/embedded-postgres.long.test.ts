import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isStopping } from '#platform/database/embedded/postmaster.ts'
import { embeddedDatabases, expectRestart, queryOnce } from '#test/embedded-database.ts'
import { until } from '#test/until.ts'

/** Starts and ends of the embedded database that are rare. */
const databases = embeddedDatabases()

describe('The embedded database', () => {
  it.for([
    ['SIGTERM', 'is stopping'],
    ['SIGINT', 'is stopping|ended'],
    ['SIGQUIT', 'is stopping|ended'],
  ] as const)('restarts on the same address after its server got %s', ([signal, what]) =>
    expectRestart(databases, signal, what),
  )

  it('keeps its connections, and is not restarted, if it is stopped after its portal', async () => {
    const database = await databases.start()
    const client = new pg.Client({ connectionString: database.url })
    client.on('error', () => {})
    await client.connect()
    await database.prepareStop()
    process.kill(databases.postmaster(), 'SIGTERM')
    await until(async () => isStopping(databases.dataFolder()))
    // Four times as long as the portal would take to look at it.
    await sleep(1000)
    expect((await client.query('select 1 as x')).rows).toEqual([{ x: 1 }])
    await client.end()
    expect(databases.messages).toEqual([])
  })

  it('starts although the process of postmaster.pid is another program by now', async () => {
    await (await databases.start()).stop()
    writeFileSync(
      join(databases.dataFolder(), 'postmaster.pid'),
      `${process.pid}\n${databases.dataFolder()}\n1\n5432\n\n127.0.0.1\n\nready\n`,
    )
    const database = await databases.start()
    expect(await queryOnce(database.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it('is looked for while its postmaster.pid appears and vanishes', async () => {
    const path = join(databases.dataDir, 'postmaster.pid')
    const program = `const fs = require('node:fs'), { workerData: path } = require('node:worker_threads')
      for (;;) { fs.writeFileSync(path, '1'); fs.rmSync(path, { force: true }) }`
    const other = new Worker(program, { eval: true, workerData: path })
    await once(other, 'online')
    await until(() => existsSync(path))
    for (let look = 0; look < 20_000; look++) expect(isStopping(databases.dataDir)).toBe(false)
    await other.terminate()
  })

  it('deletes a database that an earlier start did not finish creating', async () => {
    const unfinished = join(databases.dataDir, 'postgres/cluster-unfinished-999999999')
    mkdirSync(unfinished, { recursive: true })
    await databases.start()
    expect(readdirSync(join(databases.dataDir, 'postgres')).sort()).toEqual([
      'cluster',
      'portal.pid',
      'postgres.log',
    ])
  })
})

// Only root can be unable to use its own folder, through the account that it switches to.
const isRoot = process.getuid?.() === 0
describe.for(isRoot ? ['root'] : [])('As %s', () => {
  it('shows other accounts neither the password nor what is in the folders above the data', async () => {
    const database = await databases.start()
    const password = join(database.folder, 'cluster/password')
    expect(statSync(password).uid).toBe(0)
    for (const folder of [databases.dataDir, database.folder, join(database.folder, 'cluster')])
      expect([folder, statSync(folder).mode & 0o777]).toEqual([folder, 0o711])
    await database.stop()
    // As earlier versions left it.
    chownSync(password, statSync(databases.dataFolder()).uid, statSync(databases.dataFolder()).gid)
    expect(await queryOnce((await databases.start()).url, 'select 1 as x')).toEqual([{ x: 1 }])
    expect(statSync(password).uid).toBe(0)
  })
})

describe.for(isRoot ? ['root'] : [])('As %s, below a folder that other accounts cannot enter', () => {
  it('uses another folder, logs it, and finds it at the next start', async () => {
    chmodSync(databases.dataDir, 0o700)
    const first = await databases.start()
    expect(first.folder).toMatch(/^\/var\/(lib|tmp)\/veridict-[0-9a-f]{12}$/)
    expect(databases.messages[0]).toContain(`The database is stored in ${first.folder}`)
    await queryOnce(first.url, 'create table kept as select 1 as x')
    await first.stop()
    const second = await databases.start()
    expect(second.folder).toBe(first.folder)
    expect(await queryOnce(second.url, 'select x from kept')).toEqual([{ x: 1 }])
    expect(readFileSync(join(databases.dataDir, 'postgres/elsewhere.txt'), 'utf8').trim()).toBe(first.folder)
  })

  it('does not create an empty database if the stored folder is missing', async () => {
    chmodSync(databases.dataDir, 0o700)
    const first = await databases.start()
    await first.stop()
    rmSync(first.folder, { recursive: true })
    await expect(databases.start()).rejects.toThrow(`The database is missing`)
  })
})
