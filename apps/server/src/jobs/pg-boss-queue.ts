import { fromKysely, PgBoss, type QueueOptions } from 'pg-boss'
import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads, JobQueue, RecurringJob } from '#drivers/job-queue.ts'
import type { Job } from '#jobs/job.ts'

/** The queue with the sides that only the process itself uses. */
export type PgBossQueue = JobQueue & {
  /** Begins to do jobs. */
  work(deps: Deps): Promise<void>
  /**
   * Takes no more jobs, lets running ones finish for some seconds, then interrupts them. Settles within 20 s.
   */
  stop(): Promise<void>
}

type Jobs = { [N in JobName]: Job<N> }

/**
 * A connection that was asked and is silent for longer is dead: without this a worker would wait at it for as
 * long as the system does, which is for ever behind some firewalls. With the poll, work goes on in less than
 * 30 s (reliability, F17).
 */
const ANSWER_MILLISECONDS = 20_000

/**
 * Running jobs get this long to finish before they are interrupted; what they did is kept or given back
 * either way.
 */
const FINISH_MILLISECONDS = 8_000
const STOP_MILLISECONDS = 15_000

/**
 * The job queue in the portal's own database (pg-boss, schema `jobs`). NOTIFY starts jobs at once; the poll
 * is the floor below it. That a submission is worked on by one process at a time is not the queue's business
 * but its lease's, so a job delivered twice does nothing.
 */
export async function openPgBossQueue(
  url: string,
  jobs: Jobs,
  log: Deps['log'],
  answerMilliseconds = ANSWER_MILLISECONDS,
): Promise<PgBossQueue> {
  // pg's own, which pg-boss hands on without naming it.
  const timeout = { query_timeout: answerMilliseconds }
  const boss = new PgBoss({
    ...timeout,
    connectionString: url,
    schema: 'jobs',
    application_name: 'veridict jobs',
    max: 4,
    connectionTimeoutMillis: 4_000,
    useListenNotify: true,
    // Its own schedules stop for as long as a clock was set back (12.35 keeps the time of the last look in a
    // private table), so recurring jobs are added by \`add-recurring-jobs\`.
    schedule: false,
  })
  boss.on('error', (error) => log.warn({ err: error }, 'the job queue met an error'))
  boss.on('warning', (warning) => log.warn({ warning }, 'the job queue warns'))
  await boss.start()
  for (const job of Object.values(jobs) as Job[]) await openQueue(boss, job)

  const shutdown = new AbortController()
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
    recurring: (Object.values(jobs) as Job[]).flatMap(({ name, schedule }) =>
      schedule === undefined ? [] : [{ name: name as RecurringJob['name'], dueAfter: dueAfter(schedule) }],
    ),
    async work(deps) {
      for (const job of Object.values(jobs) as Job[]) {
        for (let started = 0; started < job.concurrency; started++)
          await startWorker(boss, job, deps, shutdown.signal)
      }
    },
    async stop() {
      const timer = setTimeout(() => shutdown.abort(), FINISH_MILLISECONDS)
      await boss.stop({ graceful: true, timeout: STOP_MILLISECONDS })
      clearTimeout(timer)
    },
  }
}

/**
 * 'short': one job of a key waits at most, so recovery can add jobs again and again; running ones are not
 * counted.
 */
const policyOf = (job: Job): string => (job.key ? 'short' : 'standard')

async function openQueue(boss: PgBoss, job: Job): Promise<void> {
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
  await boss.createQueue(job.name, { ...options, policy: policyOf(job) })
  await boss.updateQueue(job.name, options)
}

/**
 * One worker of a kind of job. After a job it asks for the next at once: left alone it would wait for the
 * next poll, and a row of a hundred files would take minutes of idling.
 */
async function startWorker(boss: PgBoss, job: Job, deps: Deps, shutdown: AbortSignal): Promise<void> {
  const options = { pollingIntervalSeconds: 2, notifyPollingIntervalSeconds: 5 }
  const workerId = await boss.work<JobPayloads[JobName]>(job.name, options, async ([delivered]) => {
    if (!delivered) return
    try {
      await job.run(delivered.data, deps, shutdown)
    } catch (error) {
      if (!shutdown.aborted)
        deps.log.error({ err: error, job: job.name, payload: delivered.data }, 'a job failed')
      throw error
    } finally {
      boss.notifyWorker(workerId)
    }
  })
}
