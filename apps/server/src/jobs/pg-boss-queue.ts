import { fromKysely, PgBoss, type QueueOptions } from 'pg-boss'
import type { Deps } from '#deps.ts'
import { StorageUnavailableError } from '#drivers/storage/storage.ts'
import type { JobName, JobPayloads, JobQueue, RecurringJob } from '#drivers/job-queue.ts'
import type { Job, Jobs } from '#jobs/job.ts'

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
 * A connection that does not answer a query for longer is dead. Without this limit a worker would wait as
 * long as the operating system, which is for ever behind some firewalls. With polling, work continues within
 * 30 seconds.
 */
const QUERY_MILLISECONDS = 20_000

/** After this long, jobs that need the storage begin to run when it is back. */
const STORAGE_MILLISECONDS = 2_000

/** Running jobs get this long to finish before they are interrupted. */
const FINISH_MILLISECONDS = 8_000
const STOP_MILLISECONDS = 15_000

/**
 * The job queue in the portal's own database (pg-boss, schema `jobs`). NOTIFY starts jobs at once; polling is
 * the fallback. The lease, not the queue, ensures that one process at a time works on a submission, so a job
 * delivered twice does nothing.
 */
export async function openPgBossQueue(
  url: string,
  jobs: Jobs,
  log: Deps['log'],
  queryMilliseconds = QUERY_MILLISECONDS,
): Promise<PgBossQueue> {
  // An option of pg; pg-boss passes it on, but its types do not have it.
  const timeout = { query_timeout: queryMilliseconds }
  const boss = new PgBoss({
    ...timeout,
    connectionString: url,
    schema: 'jobs',
    application_name: 'veridict jobs',
    max: 4,
    connectionTimeoutMillis: 4_000,
    useListenNotify: true,
    // After a clock was set back, pg-boss (12.35) adds no recurring jobs until the old time is reached again,
    // so `add-recurring-jobs` adds them.
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'error in the job queue'))
  boss.on('warning', (warning) => log.warn({ warning }, 'warning from the job queue'))
  await boss.start()
  const named = Object.entries(jobs) as [JobName, Job][]
  for (const [name, job] of named) await openQueue(boss, name, job)

  const shutdown = new AbortController()
  let stopStorageWatch = async () => {}
  const dueAfter = (schedule: string) => (time: Date) =>
    boss.previewSchedule(schedule, { tz: 'UTC', from: time, count: 1 })[0] as Date
  return {
    async add(name, payload, transaction) {
      const key = jobs[name].key?.(payload)
      await boss.send(name, payload, {
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(transaction === undefined ? {} : { db: fromKysely(transaction) }),
      })
    },
    async expedite(name, payload) {
      const key = jobs[name].key?.(payload)
      if (key !== undefined)
        await boss.update(name, undefined, { singletonKey: key, startAfter: 0, match: 'all' })
    },
    recurring: named.flatMap(([name, { schedule }]) =>
      schedule === undefined ? [] : [{ name: name as RecurringJob['name'], dueAfter: dueAfter(schedule) }],
    ),
    async work(deps) {
      const start = async (jobs: readonly [JobName, Job][]) => {
        for (const [name, job] of jobs) {
          for (let started = 0; started < job.concurrency; started++)
            await startWorker(boss, name, job, deps, shutdown.signal)
        }
      }
      const withStorage = named.filter(([, { needsStorage }]) => needsStorage)
      await start(named.filter(([, { needsStorage }]) => !needsStorage))
      stopStorageWatch = await watchStorage(deps, (isAvailable) =>
        isAvailable ? start(withStorage) : stopWorkers(boss, withStorage),
      )
    },
    async stop() {
      await stopStorageWatch()
      const timer = setTimeout(() => shutdown.abort(), FINISH_MILLISECONDS)
      await boss.stop({ graceful: true, timeout: STOP_MILLISECONDS })
      clearTimeout(timer)
    },
  }
}

/**
 * 'short': at most one job of a key waits, so recovery may add jobs repeatedly. Running ones do not count.
 */
const policyOf = (job: Job): string => (job.key ? 'short' : 'standard')

async function openQueue(boss: PgBoss, name: JobName, job: Job): Promise<void> {
  const options: QueueOptions & { notify: boolean } = {
    notify: true,
    heartbeatSeconds: job.heartbeatSeconds,
    expireInSeconds: 15 * 60,
    retryLimit: 5,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    deleteAfterSeconds: 24 * 60 * 60,
  }
  await boss.createQueue(name, { ...options, policy: policyOf(job) })
  await boss.updateQueue(name, options)
}

/**
 * Starts one worker for a kind of job. After a job it asks for the next at once; otherwise it would wait for
 * the next poll, and a hundred waiting files would cost minutes of idle time.
 */
async function startWorker(
  boss: PgBoss,
  name: JobName,
  job: Job,
  deps: Deps,
  shutdown: AbortSignal,
): Promise<void> {
  const options = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 }
  const workerId = await boss.work<JobPayloads[JobName]>(name, options, async ([delivered]) => {
    if (!delivered) return
    try {
      await job.run(delivered.data, deps, shutdown)
    } catch (error) {
      // The storage reports this itself, once, and not for every job.
      if (!shutdown.aborted && !(error instanceof StorageUnavailableError))
        deps.log.error({ err: error, job: name, payload: delivered.data }, 'a job failed')
      throw error
    } finally {
      boss.notifyWorker(workerId)
    }
  })
}

async function stopWorkers(boss: PgBoss, jobs: readonly [JobName, Job][]): Promise<void> {
  for (const [name] of jobs) await boss.offWork(name, { wait: false })
}

/** Calls `onChange` when the storage becomes available, and when it no longer is. Returns how to stop. */
async function watchStorage(
  { storage, log }: Deps,
  onChange: (isAvailable: boolean) => Promise<void>,
): Promise<() => Promise<void>> {
  let wasAvailable = false
  const check = async () => {
    const isAvailable = await storage.confirm().then(
      () => true,
      (error: unknown) => wasAvailable && !(error instanceof StorageUnavailableError),
    )
    if (isAvailable !== wasAvailable) await onChange(isAvailable)
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
