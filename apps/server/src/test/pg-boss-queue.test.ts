import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Job, Jobs } from '#platform/jobs/job.ts'
import { jobList } from '#job-list.ts'
import { openPgBossQueue, type PgBossQueue, withoutJoin } from '#platform/jobs/pg-boss-queue.ts'
import { startSharedWork } from '#platform/jobs/shared-work.ts'
import { createPgStatusBus, type PgStatusBus } from '#platform/live/pg-status-bus.ts'
import { countJobs } from '#operations/workers.ts'
import { recoverUnsettled, runMaintenance } from '#submissions/run-maintenance.ts'
import { createStallingProxy } from '#test/stalling-proxy.ts'
import { buildSubmission } from '#test/factories.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

/** A real queue, with jobs that record that they ran. */
let portal: TestApp
let bus: PgStatusBus
let queue: PgBossQueue
const ran: string[] = []
/** A company whose jobs run until the test ends them. */
const BUSY = 7
const ends: (() => void)[] = []
let failuresLeft = 0

const job = (submissionId: number, companyId = 1, turn = 0) => ({ submissionId, companyId, turn })

const recording = (name: string, job: Job): Job => ({
  ...job,
  async run(payload) {
    if ('companyId' in payload && payload.companyId === BUSY) await new Promise<void>((end) => ends.push(end))
    if (failuresLeft-- > 0) throw new Error('not now')
    // Each queue also does shared work when it begins to work.
    if (job.sharedEvery === undefined)
      ran.push('submissionId' in payload ? `${name} ${payload.submissionId}` : name)
  },
})

const recordingJobs = () => {
  const jobs = Object.entries(jobList({ validatorProcesses: 1 })).map(([name, job]) => [
    name,
    recording(name, job as Job),
  ])
  return Object.fromEntries(jobs) as Jobs
}

beforeAll(async () => {
  portal = await createTestApp()
  const { env, db, log } = portal.deps
  bus = createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
  queue = await openPgBossQueue(env.databaseUrl, recordingJobs(), bus, log)
  await portal.grantQueueRights()
})
afterAll(async () => {
  await queue.stop()
  await bus.close()
  await portal.close()
})
beforeEach(() => {
  ran.length = 0
})

const add = (submissionId: number) => queue.add('validateSubmission', job(submissionId))

it('The role of the portal can add jobs, and give the queue no SQL to run as the owner', async () => {
  const { rows } = await sql<{ name: string; right: string }>`
    select name, "right" from (
      select oid, relname as name from pg_class
      where relnamespace = 'jobs'::regnamespace and relkind in ('r', 'p')
    ) tables, unnest(array['insert', 'update', 'delete', 'truncate', 'trigger']) "right"
    where has_table_privilege(oid, "right") order by name`.execute(portal.deps.db)
  expect(rows).toEqual([
    { name: 'job', right: 'insert' },
    { name: 'job_common', right: 'insert' },
  ])
})

describe('The job queue', () => {
  it('keeps one waiting job for each key, and runs them all', async () => {
    for (let round = 0; round < 3; round++) for (let id = 1; id <= 30; id++) await add(id)
    await queue.work(portal.deps)
    await until(() => ran.length >= 30)
    await queue.add('ingestSubmission', job(99))
    await until(() => ran.includes('ingestSubmission 99'))
    expect(ran.filter((job) => job.startsWith('validate')).toSorted()).toEqual(
      Array.from({ length: 30 }, (_, index) => `validateSubmission ${index + 1}`).toSorted(),
    )
  })

  it('runs what it was taking when it stopped before it has stopped', async () => {
    const other = await createTestApp()
    const { env, db, log } = other.deps
    const otherBus = createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
    const stopped = await openPgBossQueue(env.databaseUrl, recordingJobs(), otherBus, log)
    await other.grantQueueRights()
    await stopped.add('tidyDatabase', {})
    const working = stopped.work(other.deps)
    await stopped.stop()
    expect(ran).toEqual(['tidyDatabase'])
    await working
    await otherBus.close()
    await other.close()
  })

  it('takes jobs by their ids, which it finds in the statement of pg-boss', async () => {
    const client = new pg.Client({ connectionString: portal.deps.env.databaseUrl })
    await client.connect()
    const texts: string[] = []
    const db = {
      async executeSql(text: string, values?: unknown[]) {
        texts.push(text)
        return client.query(text, values)
      },
    }
    await new PgBoss({ db, schema: 'jobs' }).fetch('validateSubmission')
    await client.end()
    const [taking = ''] = texts.filter((text) => text.includes('next AS'))
    expect(withoutJoin(taking)).toContain(
      `WHERE name = 'validateSubmission' AND j.id = any(array(select id from next))`,
    )
  })

  it('adds many jobs at once, and of each key one that waits', async () => {
    await queue.addAll('validateSubmission', [job(51), job(52), job(51)])
    await until(() => ran.length >= 2)
    expect(ran.toSorted()).toEqual(['validateSubmission 51', 'validateSubmission 52'])
  })

  it('does shared work once more for what was added while it was done', async () => {
    const own = recordingJobs()
    const ends: (() => void)[] = []
    own.sendMails = { ...own.sendMails, run: () => new Promise<void>((end) => ends.push(end)) }
    const other = await openPgBossQueue(portal.deps.env.databaseUrl, own, bus, portal.deps.log)
    await other.work(portal.deps)
    let heard = 0
    const stopHearing = bus.onJob(() => heard++)
    for (let added = 0; added < 3; added++) await other.add('sendMails', {})
    // One that came during the second run would cause a third.
    await until(() => heard === 3)
    stopHearing()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await until(() => ends.length === 2)
    ends[1]?.()
    await other.stop()
    expect(ends).toHaveLength(2)
  })

  it('accepts a job again after the first is done', async () => {
    await add(1)
    await until(() => ran.length === 1)
    await add(1)
    await until(() => ran.length === 2)
  })

  it('has a job if and only if its transaction commits', async () => {
    const undone = portal.deps.db.transaction().execute(async (trx) => {
      await queue.add('validateSubmission', job(41), trx)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await portal.deps.db.transaction().execute((trx) => queue.add('validateSubmission', job(42), trx))
    await until(() => ran.length > 0)
    expect(ran).toEqual(['validateSubmission 42'])
  })

  it('runs a job that waits for a later time because the clock was set back', async () => {
    const { id } = await buildSubmission(portal.deps.db, { updatedAt: new Date(Date.now() + 86_400_000) })
    await portal.owner.transaction().execute(async (trx) => {
      await queue.add('validateSubmission', job(id), trx)
      await sql`
        update jobs.job set start_after = now() + interval '1 day' where singleton_key = ${String(id)}
      `.execute(trx)
    })
    await recoverUnsettled({ db: portal.deps.db, jobs: queue })
    await until(() => ran.includes(`validateSubmission ${id}`))
    // Otherwise maintenance would add its job in the other tests.
    await portal.deps.db
      .updateTable('submissions')
      .set({ status: SubmissionStatus.ValidationFailed })
      .execute()
  })

  it('runs recurring jobs, also after the clock was a year ahead', async () => {
    await runMaintenance({ ...portal.deps, jobs: queue })
    await sql`update marks set at = now() + interval '1 year' where name like 'recurring %'`.execute(
      portal.deps.db,
    )
    await runMaintenance({ ...portal.deps, jobs: queue })
    const recurring = () => ran.filter((job) => !job.includes(' '))
    await until(() => recurring().length >= 4)
    expect(recurring().toSorted()).toEqual([
      'expireStorageErrors',
      'sweepStorage',
      'tidyDatabase',
      'warnOfEndingTokens',
    ])
  })

  it('knows when recurring jobs are due, in UTC', () => {
    const time = new Date('2026-03-29T00:30:00Z')
    const due = queue.recurring.map(({ name, dueAfter }) => [name, dueAfter(time).toISOString()])
    expect(Object.fromEntries(due)).toEqual({
      sweepStorage: '2026-03-29T00:40:00.000Z',
      expireStorageErrors: '2026-03-29T03:20:00.000Z',
      tidyDatabase: '2026-03-29T03:40:00.000Z',
      warnOfEndingTokens: '2026-03-29T07:00:00.000Z',
    })
  })

  it('retries a failed job', async () => {
    failuresLeft = 1
    await add(43)
    await until(() => ran.length > 0)
    expect(ran).toEqual(['validateSubmission 43'])
  })
})

describe('Two servers with one queue', () => {
  it.for(['validateSubmission', 'ingestSubmission'] as const)(
    'run the %s of another company while all jobs of one never end',
    async (name) => {
      const { env, log } = portal.deps
      const other = await openPgBossQueue(env.databaseUrl, recordingJobs(), bus, log)
      await other.work(portal.deps)
      const places = 2 * (recordingJobs()[name].perCompany ?? 0)
      const added = places + 2
      for (let turn = 0; turn < added; turn++) await queue.add(name, job(100 + turn, BUSY, turn))
      await until(() => ends.length >= places)
      for (const id of [200, 201, 202]) await queue.add(name, job(id, 8))
      await until(() => ran.length >= 3)
      expect(ran.toSorted()).toEqual([200, 201, 202].map((id) => `${name} ${id}`))
      expect(ends).toHaveLength(places)
      while (ran.length < 3 + added) {
        for (const end of ends.splice(0)) end()
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await other.stop()
    },
  )
})

describe('Waiting jobs', () => {
  it('run in the order of their turns, and those of one turn in the order of arrival', async () => {
    const own = await createTestApp()
    const ownBus = createPgStatusBus(own.deps.env.databaseUrl, own.deps.db, own.deps.log, { isWorker: false })
    const jobs = { ...recordingJobs() }
    jobs.validateSubmission = { ...jobs.validateSubmission, concurrency: 1 }
    const ownQueue = await openPgBossQueue(own.deps.env.databaseUrl, jobs, ownBus, own.deps.log)
    for (const [id, company, turn] of [
      [1, 1, 0],
      [2, 1, 1],
      [3, 1, 2],
      [4, 2, 0],
      [5, 3, 1],
    ] as const)
      await ownQueue.add('validateSubmission', job(id, company, turn))
    await ownQueue.work(own.deps)
    await until(() => ran.length === 5)
    expect(ran).toEqual([1, 4, 2, 5, 3].map((id) => `validateSubmission ${id}`))
    await ownQueue.stop()
    await ownBus.close()
    await own.close()
  })
})

describe('A job queue whose connections are dead without an error', () => {
  it('goes on with new ones', async () => {
    const own = await createTestApp()
    const proxy = await createStallingProxy(own.deps.env.databaseUrl)
    const ownBus = createPgStatusBus(proxy.url, own.deps.db, own.deps.log, { isWorker: false })
    const ownQueue = await openPgBossQueue(proxy.url, recordingJobs(), ownBus, own.deps.log, 500)
    await ownQueue.work(own.deps)
    proxy.stall()
    await own.owner.transaction().execute((trx) => ownQueue.add('validateSubmission', job(44), trx))
    await until(() => ran.includes('validateSubmission 44'))
    await ownQueue.stop()
    await ownBus.close()
    await proxy.close()
    await own.close()
  })
})

describe('Shared work', () => {
  it('leaves no job that the version before added, which would count as waiting', async () => {
    const { env, db, log } = portal.deps
    const boss = new PgBoss({ connectionString: env.databaseUrl, schema: 'jobs', max: 1 })
    await boss.start()
    await boss.send('sendMails', {})
    await boss.stop({ graceful: false })
    expect((await countJobs(db)).get('sendMails')).toBe(1)
    const ownBus = createPgStatusBus(env.databaseUrl, db, log, { isWorker: false })
    const own = await openPgBossQueue(env.databaseUrl, recordingJobs(), ownBus, log)
    await own.work(portal.deps)
    expect((await countJobs(db)).get('sendMails')).toBe(0)
    await own.stop()
    await ownBus.close()
  })

  it('runs again after its seconds without being woken', async () => {
    vi.useFakeTimers()
    let runs = 0
    const job = {
      concurrency: 1,
      heartbeatSeconds: 60,
      run: async () => void runs++,
    } as const
    const work = startSharedWork('sendMails', job, portal.deps, 60)
    await vi.advanceTimersByTimeAsync(120_000)
    await work.stop()
    vi.useRealTimers()
    expect(runs).toBe(3)
  })
})
