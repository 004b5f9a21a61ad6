import { join } from 'node:path'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { readMigrations } from '#platform/database/migrate.ts'
import type { PortalProcess } from '#test/portal-process.ts'
import { planRelease, PREVIOUS_RELEASE, type Release, takeRelease, thisRelease } from '#test/releases.ts'
import { csvOfTwoRows } from '#test/submission-fixture.ts'
import { createEmptyDatabase, createTestDatabase } from '#test/test-database.ts'
import { createTestPortals, type TestPortals } from '#test/test-portals.ts'
import { until } from '#test/until.ts'
import { version } from '#version.ts'

/**
 * The programs of the release before, of this one and of the next one, on the schemas of all three: during an
 * upgrade, after kills, and on the way back (docs/OPERATIONS.md#a-way-back).
 */
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const added = {
  name: '9001-added',
  says: 'additive',
  statement: `alter table submissions add column planted text not null default 'by the database';
    create table planted (submission_id integer not null references submissions (id))`,
}
const finished = { name: '9002-finished', says: 'works since 98.0.0', statement: 'drop table planted' }

let previous: Release
let current: Release
let next: Release
let afterNext: Release
beforeAll(async () => {
  previous = await takeRelease(PREVIOUS_RELEASE)
  current = await thisRelease()
  next = await planRelease('98.0.0', [added])
  afterNext = await planRelease('99.0.0', [added, finished])
})
afterAll(() => [previous, next, afterNext].forEach((release) => release?.remove()))

const newer = (migration: string) =>
  `A newer version of the portal has upgraded this database: this version does not know ${migration}. ` +
  'Start the newer version, or restore the backup from before the upgrade.\n'

/** A rollout on one database: programs of several releases with one storage. */
class Rollout {
  readonly portals: TestPortals
  constructor(portals: TestPortals) {
    this.portals = portals
  }
  /** What the programs have written to their logs. */
  log = ''
  start(release: Release, roles?: string): Promise<PortalProcess> {
    const onLog = (text: string) => (this.log += text)
    return this.portals.start(release.env, roles, { main: release.main, onLog })
  }
  run(release: Release, command: string, ...args: string[]) {
    const { DATABASE_URL, DATA_DIR } = this.portals.settings
    const { status, stdout, stderr } = release.run(command, { DATABASE_URL, DATA_DIR }, ...args)
    return [status, stdout + stderr]
  }
  send = (portal: PortalProcess): Promise<number> =>
    this.portals.uploader.upload(portal, 'claims.csv', csvOfTwoRows)
  /** Sends a file and waits until it is in its company's folder. */
  async upload(portal: PortalProcess): Promise<number> {
    const id = await this.send(portal)
    await this.untilAccepted(id)
    return id
  }
  async untilAccepted(id: number): Promise<void> {
    const read = this.portals.db.selectFrom('submissions').select('status').where('id', '=', id)
    await until(async () => (await read.executeTakeFirst())?.status === SubmissionStatus.IngestionSuccess)
  }
  /** The ids in the history, as the portal presents it. */
  async history({ address }: PortalProcess): Promise<number[]> {
    const { headers } = this.portals.uploader
    const reply = await fetch(`${address}/api/FileSubmission?PageSize=100`, { headers })
    const { value } = (await reply.json()) as { value: { data: { id: number }[] } }
    return value.data.map(({ id }) => id).toSorted((a, b) => a - b)
  }
}

const openRollout = async (databaseUrl: string): Promise<Rollout> =>
  new Rollout(await createTestPortals({ LOG_LEVEL: 'warn', VALIDATOR_PROCESSES: '1' }, databaseUrl))

describe('An upgrade from the release before', () => {
  let rollout: Rollout
  let old: PortalProcess
  let oldWorker: PortalProcess
  const ids: number[] = []
  const firstNew = () => Object.keys(readMigrations()).find((name) => name >= '0029') ?? ''
  beforeAll(async () => {
    const { url } = await createEmptyDatabase()
    previous.run('migrate', { DATABASE_URL: url })
    rollout = await openRollout(url)
    old = await rollout.start(previous, 'web')
    oldWorker = await rollout.start(previous, 'worker')
    ids.push(await rollout.upload(old))
  })
  afterAll(() => rollout.portals.close())

  it('leaves its programs working on the new schema, while new ones start', async () => {
    const web = await rollout.start(current, 'web')
    ids.push(await rollout.upload(web), await rollout.upload(old))
    expect(await rollout.history(old)).toEqual(ids)
    await web.end('SIGTERM')
  })

  it('F33: has one run for each file while workers of both releases take them', async () => {
    const portal = await rollout.start(current)
    const sent: number[] = []
    for (let count = 0; count < 20; count++) sent.push(await rollout.send(count % 2 === 0 ? old : portal))
    for (const id of sent) await rollout.untilAccepted(id)
    const { rows } = await sql<{ moves: string; runs: number }>`
      select string_agg(to_status::text, ' ' order by id) as moves, count(distinct lease_id) as runs
      from submission_moves where submission_id = any (${sent}) group by submission_id
    `.execute(rollout.portals.db)
    expect(rows).toEqual(sent.map(() => ({ moves: '0 1 3 4', runs: 1 })))
    await portal.end('SIGTERM')
    ids.push(...sent)
  })

  it('F33: takes over what killed programs leave, with the jobs that wait in their queue', async () => {
    const left = [await rollout.send(old)]
    await oldWorker.end('SIGKILL')
    for (let count = 0; count < 3; count++) left.push(await rollout.send(old))
    const jobs =
      await sql`select from jobs.job where name = 'validateSubmission' and state = 'created'`.execute(
        rollout.portals.db,
      )
    expect(jobs.rows.length).toBeGreaterThanOrEqual(3)
    await old.end('SIGKILL')
    const portal = await rollout.start(current)
    for (const id of left) await rollout.untilAccepted(id)
    ids.push(...left, await rollout.upload(portal))
    expect(await rollout.history(portal)).toEqual(ids)
  })

  it('has no way back: that release does not start, and says so', async () => {
    expect(rollout.run(previous, 'main')).toEqual([1, newer(firstNew())])
  })
})

describe('A way back to this release', () => {
  let rollout: Rollout
  let old: PortalProcess
  let upgraded: PortalProcess
  const ids: number[] = []
  beforeAll(async () => {
    rollout = await openRollout((await createTestDatabase()).url)
    old = await rollout.start(current)
    ids.push(await rollout.upload(old))
    upgraded = await rollout.start(next, 'web')
  })
  afterAll(() => rollout.portals.close())

  it('F33: is there during the upgrade: its programs go on, and start again after a kill', async () => {
    // Only the old program has the role of a worker.
    ids.push(await rollout.upload(upgraded))
    const left = await rollout.send(upgraded)
    await old.end('SIGKILL')
    rollout.log = ''
    old = await rollout.start(current)
    await rollout.untilAccepted(left)
    ids.push(left, await rollout.upload(old))
    const lines = rollout.log.split('\n').filter((line) => line.includes('newer version'))
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        version,
        ahead: [{ name: added.name, version: '98.0.0', at: expect.any(String) as string }],
      }),
    ])
  })

  it('F33: is there after the upgrade, with what the newer version wrote', async () => {
    await old.end('SIGTERM')
    await upgraded.end('SIGTERM')
    upgraded = await rollout.start(next)
    ids.push(await rollout.upload(upgraded))
    await sql`update submissions set planted = 'by the newer version'`.execute(rollout.portals.db)
    await sql`insert into planted select id from submissions`.execute(rollout.portals.db)
    const left = await rollout.send(upgraded)
    await upgraded.end('SIGKILL')
    old = await rollout.start(current)
    await rollout.untilAccepted(left)
    ids.push(left, await rollout.upload(old))
    expect(await rollout.history(old)).toEqual(ids)
  })

  it('has backups and checks; to restore needs the newer version', async () => {
    const copy = join(rollout.portals.folder, 'copy')
    expect(rollout.run(current, 'check')).toEqual([0, expect.stringContaining('nothing is missing')])
    expect(rollout.run(current, 'back-up', copy)).toEqual([0, expect.stringContaining(copy)])
    const empty = await createEmptyDatabase()
    const settings = { DATABASE_URL: empty.url, DATA_DIR: join(rollout.portals.folder, 'restored') }
    expect(current.run('restore', settings, copy)).toMatchObject({
      status: 2,
      stderr: `A newer version of the portal is needed: this one does not know ${added.name}.\n`,
    })
    expect(next.run('restore', settings, copy)).toMatchObject({ status: 0, stderr: '' })
    expect(current.run('check', settings)).toMatchObject({ status: 0, stderr: '' })
    const db = openDatabase(empty.url)
    const { rows } = await sql`select distinct planted from submissions order by planted`.execute(db)
    expect(rows).toEqual([{ planted: 'by the database' }, { planted: 'by the newer version' }])
    await db.destroy()
    await empty.drop()
  })

  it('lets the upgrade go on', async () => {
    upgraded = await rollout.start(next)
    ids.push(await rollout.upload(upgraded))
    expect(await rollout.history(upgraded)).toEqual(ids)
    const { rows } = await sql<{ planted: string }>`
      select planted from submissions order by id desc limit 1`.execute(rollout.portals.db)
    expect(rows).toEqual([{ planted: 'by the database' }])
  })

  it('ends with "migrate --finish", which waits for its programs', async () => {
    const waits = `Once no older version runs, "veridict migrate --finish" runs ${finished.name}.\n`
    expect(rollout.run(afterNext, 'migrate')).toEqual([0, `The database is up to date.\n${waits}`])
    expect(rollout.run(afterNext, 'migrate', '--finish')).toEqual([
      1,
      `A program of version ${version} still runs, which does not work on the finished schema. ` +
        'Replace it, and then run this again.\n',
    ])
    await old.end('SIGTERM')
    expect(rollout.run(afterNext, 'migrate', '--finish')).toEqual([0, 'The database is up to date.\n'])
    expect(rollout.run(current, 'main')).toEqual([1, newer(finished.name)])
    ids.push(await rollout.upload(upgraded))
    await upgraded.end('SIGKILL')
    upgraded = await rollout.start(next)
    ids.push(await rollout.upload(upgraded))
    expect(await rollout.history(upgraded)).toEqual(ids)
  })
})

describe('The next release', () => {
  it('upgrades the schema of the release before this one', async () => {
    const database = await createEmptyDatabase()
    const settings = { DATABASE_URL: database.url }
    expect(previous.run('migrate', settings).status).toBe(0)
    expect(next.run('migrate', settings)).toMatchObject({ status: 0, stderr: '' })
    expect(current.run('migrate', settings)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('98.0.0 has added 9001-added'),
    })
    await database.drop()
  })

  it('finishes an empty database at once', async () => {
    const database = await createEmptyDatabase()
    const settings = { DATABASE_URL: database.url }
    expect(afterNext.run('migrate', settings).stdout).toBe('The database is up to date.\n')
    expect(current.run('migrate', settings).stderr).toBe(newer(finished.name))
    await database.drop()
  })
})
