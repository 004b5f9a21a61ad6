import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Deps } from '#deps.ts'
import { openDatabase } from '#platform/database/database.ts'
import { startSharedWork } from '#platform/jobs/shared-work.ts'
import { addTimers, claimTimers } from '#platform/jobs/timed-work.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { createPgStatusBus } from '#platform/live/pg-status-bus.ts'
import { jobList } from '#job-list.ts'
import { type Jobs, startJobs } from '#start-jobs.ts'
import { runUnderLease } from '#submissions/run-under-lease.ts'
import {
  claimSubmissions,
  type ClaimedSubmission,
  releaseDeadLeases,
} from '#submissions/submission-claims.ts'
import { withoutLease } from '#submissions/submission-leases.ts'
import { buildCompany, buildSubmission } from '#test/factories.ts'
import { createStallingProxy } from '#test/stalling-proxy.ts'
import { createTestApp, type TestApp } from '#test/test-app.ts'
import { until } from '#test/until.ts'

const { Uploaded, ValidationFailed, ValidationPassed } = SubmissionStatus

/** The real queue, with work that records that it ran. */
let portal: TestApp
let ran: string[] = []
/** Ends of runs that wait for them: those of companies in `busy`. */
const ends: (() => void)[] = []
const busy = new Set<number>()
let failuresLeft = 0
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  portal = await createTestApp()
})
afterAll(() => portal.close())
beforeEach(() => {
  ran = []
})
afterEach(async () => {
  for (const end of ends.splice(0)) end()
  for (const stop of stops.splice(0).reverse()) await stop()
  await sql`truncate submissions, timers cascade`.execute(portal.owner)
})

async function record(name: string, submission: ClaimedSubmission): Promise<void> {
  if (busy.has(submission.companyId)) await new Promise<void>((end) => ends.push(end))
  if (failuresLeft-- > 0) throw new Error('not now')
  ran.push(`${name} ${submission.id}`)
  const settled = portal.deps.db.updateTable('submissions').set({ status: ValidationFailed, ...withoutLease })
  await settled.where('id', '=', submission.id).execute()
}

/** Work that is due during a test by chance, every few seconds, is left out. */
const rareTimers = () => jobList({ validatorProcesses: 1 }).timed.filter((work) => work.everySeconds >= 3600)

const recordingJobs = (): Jobs => {
  const jobs = jobList({ validatorProcesses: 1 })
  return {
    submissions: jobs.submissions.map((job) => ({
      ...job,
      run: (submission, deps, shutdown) =>
        runUnderLease(job.name, submission, deps, shutdown, () => record(job.name, submission)),
    })),
    shared: [],
    timed: rareTimers().map((work) => ({ ...work, run: async () => void ran.push(work.name) })),
  }
}

/** A server that works. Without `listens`, nothing wakes it. */
async function startServer({
  jobs = recordingJobs(),
  url = portal.deps.env.databaseUrl,
  listens = true,
} = {}) {
  const db = openDatabase(url)
  const bus = createPgStatusBus(url, db, portal.deps.log, { isWorker: true })
  const deps: Deps = {
    ...portal.deps,
    db,
    jobs: listens ? bus : { ...bus, onWake: () => () => {} },
    bus,
    leases: bus.leases,
  }
  const stop = startJobs(jobs, deps)
  stops.push(async () => {
    await stop()
    await bus.close()
    await db.destroy()
  })
  return deps
}

const add = (given: Parameters<typeof buildSubmission>[1] = {}) => buildSubmission(portal.deps.db, given)
const upload = async (deps: Deps, given: Parameters<typeof buildSubmission>[1] = {}) => {
  const { id: FileId, status: FilesStatus, companyId } = await add(given)
  await deps.bus.publish({ FileId, FilesStatus, RecordCount: null, companyId, userId: null })
  return FileId
}

describe('The queue', () => {
  it('runs all submissions that wait, each once, however many servers take them', async () => {
    const ids: number[] = []
    for (let count = 0; count < 20; count++) ids.push((await add()).id)
    for (let server = 0; server < 3; server++) await startServer()
    await until(() => ran.length >= ids.length)
    await sleep(100)
    expect(ran.toSorted()).toEqual(ids.map((id) => `validateSubmission ${id}`).toSorted())
  })

  it('begins at once with what is uploaded, and with what passed', async () => {
    // Its servers never look by themselves.
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const server = await startServer()
    while (server.leases.next().holder === null) await sleep(20)
    const [first, second] = [await upload(server), await upload(server, { status: ValidationPassed })]
    while (ran.length < 2) await sleep(20)
    expect(ran.toSorted()).toEqual([`ingestSubmission ${second}`, `validateSubmission ${first}`])
  })

  it('finds what waits without being woken', async () => {
    await startServer({ listens: false })
    await sleep(100)
    const { id } = await add()
    await until(() => ran.length > 0)
    expect(ran).toEqual([`validateSubmission ${id}`])
  })

  it('runs what failed again, and the others meanwhile', async () => {
    failuresLeft = 1
    const failed = (await add()).id
    await startServer({ listens: false })
    await until(() => failuresLeft <= 0)
    const other = (await add()).id
    await until(() => ran.length === 2)
    expect(ran).toEqual([`validateSubmission ${other}`, `validateSubmission ${failed}`])
  })

  it('runs at once what waits for a later time because the clock was set back', async () => {
    const { id } = await add({ leaseUntil: new Date(Date.now() + 86_400_000) })
    await startServer()
    await until(() => ran.length > 0)
    expect(ran).toEqual([`validateSubmission ${id}`])
  })

  it('takes nothing while the storage is unavailable, and goes on when it is back', async () => {
    const { id } = await add()
    const { storage } = portal.deps
    let isAvailable = false
    const confirm = async () => {
      if (!isAvailable) throw new StorageUnavailableError('away')
    }
    portal.deps.storage = { ...storage, confirm }
    onTestFinished(() => void (portal.deps.storage = storage))
    const server = await startServer()
    await until(() => server.leases.next().holder !== null)
    await server.jobs.wake('validateSubmission')
    await sleep(200)
    expect(await portal.deps.db.selectFrom('submissions').select('status').executeTakeFirst()).toEqual({
      status: Uploaded,
    })
    isAvailable = true
    await until(() => ran.length > 0)
    expect(ran).toEqual([`validateSubmission ${id}`])
  })

  it('runs what it was taking when it stopped before it has stopped', async () => {
    const { id } = await add()
    await startServer()
    for (const stop of stops.splice(0)) await stop()
    expect(ran).toEqual([`validateSubmission ${id}`])
  })

  it('goes on with new connections when its own are dead without an error', async () => {
    const proxy = await createStallingProxy(portal.deps.env.databaseUrl)
    await startServer({ url: proxy.url })
    await until(async () => (await sql`select from timers`.execute(portal.owner)).rows.length > 0)
    proxy.stall()
    const { id } = await add()
    await until(async () => {
      // As the maintenance of a portal does: a claim whose reply was lost has a lease that only time ends.
      await releaseDeadLeases(portal.owner)
      return ran.includes(`validateSubmission ${id}`)
    })
    for (const stop of stops.splice(0)) await stop()
    await proxy.close()
  })
})

describe('Submissions that wait', () => {
  it('run in the order of their turns, and those of one turn in the order of arrival', async () => {
    const { id: companyId } = await buildCompany(portal.deps.db)
    const ids: number[] = []
    for (const turn of [0, 1, 2]) ids.push((await add({ companyId, turn })).id)
    for (const turn of [0, 1]) ids.push((await add({ turn })).id)
    const jobs = recordingJobs()
    await startServer({
      jobs: { ...jobs, submissions: jobs.submissions.map((job) => ({ ...job, concurrency: 1 })) },
    })
    await until(() => ran.length === 5)
    expect(ran).toEqual([0, 3, 1, 4, 2].map((index) => `validateSubmission ${ids[index]}`))
  })

  it.for([
    { name: 'validateSubmission', status: Uploaded },
    { name: 'ingestSubmission', status: ValidationPassed },
  ] as const)(
    'run on two servers by $name for another company while all of one never end',
    async ({ name, status }) => {
      const { id: companyId } = await buildCompany(portal.deps.db)
      busy.add(companyId)
      onTestFinished(() => busy.clear())
      const perServer = jobList({ validatorProcesses: 1 }).submissions.find((job) => job.name === name)
      const places = 2 * (perServer?.perCompany ?? 0)
      const added = places + 2
      for (let turn = 0; turn < added; turn++) await add({ companyId, turn, status })
      const server = await startServer()
      await startServer()
      await until(() => ends.length >= places)
      const others: number[] = []
      for (let count = 0; count < 3; count++) others.push(await upload(server, { status, turn: 9 }))
      await until(() => ran.length >= 3)
      expect(ran.toSorted()).toEqual(others.map((id) => `${name} ${id}`))
      expect(ends).toHaveLength(places)
      while (ran.length < 3 + added) {
        for (const end of ends.splice(0)) end()
        await sleep(10)
      }
    },
  )

  it('are claimed without reading the others, however many wait', async () => {
    const { owner, deps } = portal
    const { id } = await add()
    const columns = await sql<{ name: string }>`
      select column_name as name from information_schema.columns
      where table_name = 'submissions' and column_name not in ('id', 'storage_key', 'turn')
    `.execute(owner)
    const same = sql.join(columns.rows.map(({ name }) => sql.ref(name)))
    // In parts, because a statement has a time limit.
    for (let first = 1; first <= 20_000; first += 2000)
      await sql`
        insert into submissions (storage_key, turn, ${same}) select gen_random_uuid(), number, ${same}
        from submissions, generate_series(${first}::integer, ${first + 1999}::integer) as number
        where id = ${id}
      `.execute(owner)
    for (const statistics of ['of the empty table', 'of the full table']) {
      if (statistics === 'of the full table') await sql`analyze submissions`.execute(owner)
      for (const plans of ['force_custom_plan', 'force_generic_plan'])
        await deps.db.transaction().execute(async (trx) => {
          await sql`set local plan_cache_mode = ${sql.raw(plans)}`.execute(trx)
          const { claimed } = await claimSubmissions(trx, 'validateSubmission', deps.leases.next(), {
            busy: [],
            free: 8,
          })
          expect(claimed).toHaveLength(8)
          const { rows } = await sql<{ reads: number }>`
            select sum(pg_stat_get_xact_tuples_returned(oid))::integer as reads from pg_class
            where oid = 'submissions'::regclass
              or oid in (select indexrelid from pg_index where indrelid = 'submissions'::regclass)
          `.execute(trx)
          expect(rows[0]?.reads, `${plans}, statistics ${statistics}`).toBeLessThan(500)
        })
    }
  })
})

describe('Recurring jobs', () => {
  const setLastTime = (interval: string) =>
    sql`update timers set ran_at = now() + ${interval}::interval`.execute(portal.owner)
  const areAdded = async () => (await sql`select from timers`.execute(portal.owner)).rows.length > 0
  const all = ['expireStorageErrors', 'sweepStorage', 'tidyDatabase', 'warnOfEndingTokens']

  it('do not run at the first start, which only records the time', async () => {
    await startServer()
    await until(areAdded)
    await startServer()
    await sleep(300)
    expect(ran).toEqual([])
  })

  it.for([
    { interval: '-2 days', why: 'their time has come, and passed while no server ran' },
    { interval: '1 year', why: 'the clock was a year ahead and was set back' },
  ])('run once on three servers when $why', async ({ interval }) => {
    await startServer()
    await until(areAdded)
    for (const stop of stops.splice(0)) await stop()
    await setLastTime(interval)
    for (let server = 0; server < 3; server++) await startServer()
    await until(() => ran.length >= 4)
    await sleep(300)
    expect(ran.toSorted()).toEqual(all)
    const settled = sql`select from timers where lease_id is null and lease_until is null
      and ran_at between now() - interval '1 minute' and now()`
    await until(async () => (await settled.execute(portal.owner)).rows.length === 4)
  })

  it('that failed wait a minute, and run again; and so do those of a server that died', async () => {
    const jobs = recordingJobs()
    const failing = {
      ...jobs,
      timed: jobs.timed.map((work) => ({ ...work, run: () => Promise.reject(work) })),
    }
    await startServer({ jobs: failing })
    await until(areAdded)
    for (const stop of stops.splice(0)) await stop()
    await setLastTime('-2 days')
    await startServer({ jobs: failing })
    const waiting = sql<{ seconds: number }>`
      select extract(epoch from lease_until - now())::float8 as seconds from timers where lease_id is null`
    await until(async () => (await waiting.execute(portal.owner)).rows.every(({ seconds }) => seconds > 30))
    for (const stop of stops.splice(0)) await stop()
    await sql`update timers set lease_id = gen_random_uuid() where name = 'sweepStorage'`.execute(
      portal.owner,
    )
    await sql`update timers set lease_until = now() - interval '1 second'`.execute(portal.owner)
    await startServer()
    await until(() => ran.length >= 4)
    expect(ran.toSorted()).toEqual(all)
  })

  it('are due at their times in UTC', async () => {
    const timed = rareTimers()
    await addTimers(
      portal.owner,
      timed.map(({ name }) => name),
    )
    // A function before that of PostgreSQL in the search path replaces its clock.
    await sql`create schema test_clock`.execute(portal.owner)
    await sql`create function test_clock.now() returns timestamptz language sql
      as $$ select current_setting('test_clock.now')::timestamptz $$`.execute(portal.owner)
    const dueAt = (now: string, lastTime: string) =>
      portal.owner.transaction().execute(async (trx) => {
        await sql`update timers set ran_at = ${lastTime}, lease_id = null, lease_until = null`.execute(trx)
        await sql`set local search_path = test_clock, public, pg_catalog`.execute(trx)
        await sql`select set_config('test_clock.now', ${now}, true)`.execute(trx)
        return (await claimTimers(trx, timed, randomUUID())).map(({ name }) => name).toSorted()
      })
    const day = '2026-03-29T'
    expect(await dueAt(`${day}00:40Z`, `${day}00:39Z`)).toEqual(['sweepStorage'])
    expect(await dueAt(`${day}03:20Z`, `${day}03:19Z`)).toEqual(['expireStorageErrors'])
    expect(await dueAt(`${day}03:40Z`, `${day}03:39Z`)).toEqual(['sweepStorage', 'tidyDatabase'])
    expect(await dueAt(`${day}07:00Z`, `${day}06:59Z`)).toEqual(['warnOfEndingTokens'])
    expect(await dueAt(`${day}06:59Z`, `${day}03:40Z`)).toEqual(['sweepStorage'])
    expect(await dueAt(`${day}03:59Z`, `${day}03:40Z`)).toEqual([])
  })
})

describe('Shared work', () => {
  it('is done once more for what was added while it was done', async () => {
    const runs: (() => void)[] = []
    const work = {
      name: 'sendMails',
      everySeconds: 60,
      run: () => new Promise<void>((end) => runs.push(end)),
    } as const
    const { wake, stop } = startSharedWork(work, portal.deps)
    for (let added = 0; added < 3; added++) wake()
    expect(runs).toHaveLength(1)
    runs[0]?.()
    await until(() => runs.length === 2)
    runs[1]?.()
    await stop()
    expect(runs).toHaveLength(2)
  })

  it('runs again after its seconds without being woken', async () => {
    vi.useFakeTimers()
    let runs = 0
    const run = async () => void runs++
    const work = startSharedWork({ name: 'sendMails', everySeconds: 60, run }, portal.deps)
    await vi.advanceTimersByTimeAsync(120_000)
    await work.stop()
    vi.useRealTimers()
    expect(runs).toBe(3)
  })
})
