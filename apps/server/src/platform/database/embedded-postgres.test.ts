import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { isAlive } from '#platform/database/embedded/processes.ts'
import { embeddedDatabases, expectRestart, queryOnce } from '#test/embedded-database.ts'

/** Odd starts and other signals: `embedded-postgres.long.test.ts`. */
const databases = embeddedDatabases({ areCopied: true })

describe('The embedded database', () => {
  it('keeps its data from one start to the next', async () => {
    const first = await databases.start()
    await queryOnce(first.url, 'create table kept as select 1 as x')
    await first.stop()
    const second = await databases.start()
    expect(await queryOnce(second.url, 'select x from kept')).toEqual([{ x: 1 }])
  })

  it('is in the data folder and only its owner can open it', async () => {
    const database = await databases.start()
    expect(database.folder).toBe(join(databases.dataDir, 'postgres'))
    expect(statSync(databases.dataFolder()).mode & 0o777).toBe(0o700)
    expect(statSync(join(database.folder, 'cluster/password')).mode & 0o777).toBe(0o600)
    const { uid } = statSync(databases.dataFolder())
    expect(statSync(join(database.folder, 'portal.pid'))).toMatchObject({ uid })
    await expect(queryOnce(database.url.replace(/:[0-9a-f]+@/, ':guess@'), 'select 1')).rejects.toThrow(
      'password authentication failed',
    )
  })

  it('refuses a second start on the same folder and names the first process', async () => {
    const first = await databases.start()
    await expect(databases.start()).rejects.toThrow(
      `Another Veridict already runs with this data folder (process ${process.pid})`,
    )
    expect(await queryOnce(first.url, 'select 1 as x')).toEqual([{ x: 1 }])
  })

  it('starts after portals that died, also where other programs have their process ids', async () => {
    const { folder, stop } = await databases.start()
    await stop()
    for (const owner of [
      `${process.ppid} of another program`,
      `${process.pid} a predecessor`,
      '999999999 x',
    ]) {
      writeFileSync(join(folder, 'portal.pid'), owner)
      const database = await databases.start()
      await expect(databases.start()).rejects.toThrow('Another Veridict already runs')
      await database.stop()
    }
    expect(readdirSync(folder).filter((name) => name.startsWith('portal'))).toEqual([])
  })

  it('is locked by the portal whose server runs, where another began to start, too', async () => {
    const starting = databases.start()
    const lock = join(databases.dataDir, 'postgres/portal.pid')
    writeFileSync(lock, 'the other one')
    const database = await starting
    expect(readFileSync(lock, 'utf8')).toMatch(`${process.pid} `)
    writeFileSync(lock, 'the other one')
    await database.stop()
    expect(readFileSync(lock, 'utf8')).toBe('the other one')
  })

  it('refuses to start beside a portal of 0.1, which locks it in another way', async () => {
    const { url, folder } = await databases.start()
    rmSync(join(folder, 'portal.pid'))
    const client = new pg.Client({
      connectionString: url.replace(/[^/]+$/, 'postgres'),
      application_name: 'veridict portal, process 4711',
    })
    await client.connect()
    await client.query('select pg_advisory_lock(7301986)')
    await expect(databases.start()).rejects.toThrow(
      'Another Veridict already runs with this data folder (process 4711)',
    )
    await client.end()
  })

  it('restarts on the same address after its server was killed', () =>
    expectRestart(databases, 'SIGKILL', 'ended'))

  it('stops for good', async () => {
    const database = await databases.start()
    const pid = databases.postmaster()
    await database.stop()
    expect(isAlive(pid)).toBe(false)
    expect(existsSync(join(databases.dataFolder(), 'postmaster.pid'))).toBe(false)
  })
})
