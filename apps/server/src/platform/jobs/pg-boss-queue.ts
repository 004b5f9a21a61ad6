import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery, type Transaction } from 'kysely'
import pg from 'pg'
import { PgBoss, type Db, type QueueOptions } from 'pg-boss'
import { statementName, runDeferred } from '#platform/database/prepared-statements.ts'
import type { Database } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads, JobQueue, RecurringJob, SubmissionJob } from '#platform/jobs/job-queue.ts'
import type { JobBus } from '#platform/jobs/job-bus.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import type { Job, Jobs } from '#platform/jobs/job.ts'
import { JOB_MINUTES, startJobWorkers, type JobWorkers } from '#platform/jobs/job-workers.ts'
import { startSharedWork } from '#platform/jobs/shared-work.ts'

/** The queue with what only the process itself uses. */
export type PgBossQueue = JobQueue & {
  /** Starts running jobs; those that need the storage only while it is available. */
  work(deps: Deps): Promise<void>
  /**
   * Takes no more jobs, gives running ones some seconds to finish, then interrupts them. Ends within 20 s.
   */
  stop(): Promise<void>
}

/**
 * A connection that does not respond a query for longer is dead. Without this limit a worker would wait as
 * long as the operating system, which is for ever behind some firewalls. With polling, work continues within
 * 30 seconds.
 */
const QUERY_MILLISECONDS = 20_000

/** How often to check whether the storage is back, for jobs that need it. */
const STORAGE_MILLISECONDS = 2_000

/** Running jobs get this long to finish before they are interrupted. */
const FINISH_MILLISECONDS = 8_000
const STOP_MILLISECONDS = 15_000

/**
 * The job queue in the portal's own database (pg-boss, schema `jobs`). The bus starts jobs at once; polling
 * is the fallback. The lease, not the queue, ensures that one process at a time works on a submission, so a
 * job delivered twice does nothing.
 */
export async function openPgBossQueue(
  url: string,
  jobs: Jobs,
  bus: JobBus,
  log: Deps['log'],
  queryMilliseconds = QUERY_MILLISECONDS,
): Promise<PgBossQueue> {
  // Options of pg; pg-boss passes them on, but its types do not have them.
  const connection = { query_timeout: queryMilliseconds, Client: QueueClient }
  // Taking a job, its heartbeat and its end need not survive a crash of the database: the job runs again
  // then, and its submission's status decides what is left to do. Jobs are added by the transactions of
  // services.
  const unsynced = { options: '-c synchronous_commit=off' }
  const boss = new PgBoss({
    ...connection,
    ...unsynced,
    connectionString: url,
    schema: 'jobs',
    application_name: 'veridict jobs',
    max: 4,
    connectionTimeoutMillis: 4_000,
    // After a clock was set back, pg-boss (12.35) adds no recurring jobs until the old time is reached again,
    // so `add-recurring-jobs` adds them.
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'error in the job queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'warning from the job queue'))
  await boss.start()
  const named = Object.entries(jobs) as [JobName, Job][]
  for (const [name, job] of named) {
    await openQueue(boss, name, job)
    // Versions before this one added jobs for shared work.
    if (job.sharedEvery !== undefined) await boss.deleteQueuedJobs(name)
  }

  const shutdown = new AbortController()
  const workers = new Map<JobName, JobWorkers>()
  let stopListening = () => {}
  let stopStorageWatch = async () => {}
  const dueAfter = (schedule: string) => (time: Date) =>
    boss.previewSchedule(schedule, { tz: 'UTC', from: time, count: 1 })[0] as Date
  return {
    async add(name, payload, transaction) {
      if (jobs[name].sharedEvery === undefined)
        await boss.send(name, payload, {
          ...optionsOf(jobs[name] as Job, payload),
          ...(transaction === undefined ? {} : { db: inTransactionOf(transaction) }),
        })
      // The transaction that adds the job of a submission also publishes its status, which wakes the workers.
      if (!('turn' in payload) || transaction === undefined) await bus.publishJob(name, transaction)
    },
    async addAll(name, payloads) {
      const added = payloads.map((data) => ({ data, ...optionsOf(jobs[name] as Job, data) }))
      await boss.insert(name, added)
      await bus.publishJob(name)
    },
    async expedite(name, payload) {
      const key = jobs[name].key?.(payload)
      if (key !== undefined)
        await boss.update(name, undefined, { singletonKey: key, startAfter: 0, match: 'all' })
      await bus.publishJob(name)
    },
    recurring: named.flatMap(([name, { schedule }]) =>
      schedule === undefined ? [] : [{ name: name as RecurringJob['name'], dueAfter: dueAfter(schedule) }],
    ),
    async work(deps) {
      for (const [name, job] of named)
        workers.set(
          name,
          job.sharedEvery === undefined
            ? startJobWorkers(boss, name, job, deps, shutdown.signal)
            : startSharedWork(name, job, deps, job.sharedEvery),
        )
      stopListening = bus.onJob((name, companyId) => {
        const group = companyId === undefined ? undefined : groupOf(companyId)
        const woken = name === null ? [...workers.values()] : [workers.get(name as JobName)]
        for (const worker of woken) worker?.wake(group)
      })
      stopStorageWatch = await watchStorage(deps, (isAvailable) => {
        for (const [name, { needsStorage }] of named) if (needsStorage) workers.get(name)?.pause(!isAvailable)
      })
    },
    async stop() {
      stopListening()
      await stopStorageWatch()
      const timer = setTimeout(() => shutdown.abort(), FINISH_MILLISECONDS)
      const stopped = Promise.all([...workers.values()].map((worker) => worker.stop()))
      await Promise.race([stopped, sleep(STOP_MILLISECONDS, undefined, { ref: false })])
      clearTimeout(timer)
      await boss.stop({ graceful: false })
    },
  }
}

/** Whether pg-boss runs the statement for each job, when it takes or completes it; such ones are prepared. */
const isOfEachJob = (text: string): boolean => /^\s*with\s+(next|results) as/i.test(text)

/**
 * Replaces the join of the taken jobs in a statement of pg-boss (12.35). As long as the statistics of the
 * table are from when it was small, PostgreSQL would join by reading all jobs of the queue, also ended ones.
 */
export const withoutJoin = (text: string): string =>
  text.replace(
    /\bFROM next\s+WHERE name = ('\w+') AND j\.id = next\.id/,
    'WHERE name = $1 AND j.id = any(array(select id from next))',
  )

/** Prepares the statements that pg-boss runs for each job. pg-boss passes text, values and a callback. */
class QueueClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- `query` has a dozen overloads
  override query(...parameters: any[]): any {
    const [given, values, ...rest] = parameters
    const query = super.query.bind(this) as (...all: unknown[]) => unknown
    if (typeof given !== 'string' || !isOfEachJob(given)) return query(...parameters)
    const text = withoutJoin(given)
    return query({ name: statementName(text), text, values }, ...rest)
  }
}

/** Runs deferred statements, because the id of the new job is not needed. */
const inTransactionOf = (transaction: Transaction<Database>): Db => ({
  async executeSql(text, values = []) {
    await runDeferred(transaction, { compile: () => CompiledQuery.raw(text, values) })
    return { rows: [] }
  },
})

const groupOf = (companyId: number): string => String(companyId)

/** The queue starts the waiting job with the highest priority, so a later turn gets a lower one. */
const placeOf = ({ companyId, turn }: SubmissionJob) => ({
  group: { id: groupOf(companyId) },
  priority: -turn,
})

function optionsOf(job: Job, payload: JobPayloads[JobName]) {
  const key = job.key?.(payload)
  return {
    ...(key === undefined ? {} : { singletonKey: key }),
    ...('turn' in payload ? placeOf(payload) : {}),
  }
}

/**
 * 'short': at most one job of a key waits, so recovery may add jobs repeatedly. Running ones do not count.
 */
const policyOf = (job: Job): string => (job.key ? 'short' : 'standard')

async function openQueue(boss: PgBoss, name: JobName, job: Job): Promise<void> {
  const options: QueueOptions & { notify: boolean } = {
    // The bus does it.
    notify: false,
    heartbeatSeconds: job.heartbeatSeconds,
    expireInSeconds: JOB_MINUTES * 60,
    retryLimit: 5,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    deleteAfterSeconds: 24 * 60 * 60,
  }
  await boss.createQueue(name, { ...options, policy: policyOf(job) })
  await boss.updateQueue(name, options)
}

/** Calls `onChange` when the storage becomes available, and when it no longer is. Returns how to stop. */
async function watchStorage(
  { storage, log }: Deps,
  onChange: (isAvailable: boolean) => void,
): Promise<() => Promise<void>> {
  let wasAvailable = false
  const check = async () => {
    const isAvailable = await storage.confirm().then(
      () => true,
      (error: unknown) => wasAvailable && !(error instanceof StorageUnavailableError),
    )
    if (isAvailable !== wasAvailable) onChange(isAvailable)
    wasAvailable = isAvailable
  }
  const safely = () => check().catch((error: unknown) => log.warn({ err: error }, 'error in the job queue'))
  await check()
  let running: Promise<void> | null = null
  const timer = setInterval(() => {
    running ??= safely().finally(() => (running = null))
  }, STORAGE_MILLISECONDS)
  return async () => {
    clearInterval(timer)
    await running
  }
}
