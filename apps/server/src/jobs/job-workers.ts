import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as DeliveredJob, PgBoss } from 'pg-boss'
import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads } from '#drivers/job-queue.ts'
import { StorageUnavailableError } from '#drivers/storage/storage.ts'
import type { Job } from '#jobs/job.ts'

/**
 * Runs the jobs of one name in this process. Those that need the storage are paused at first, because nobody
 * has looked for it yet.
 */
export type JobWorkers = {
  /** Looks for jobs now: one was added. */
  wake(): void
  /** Takes no more jobs, or takes them again. */
  pause(isPaused: boolean): void
  /** Takes no more jobs. Settles when those that run are done. */
  stop(): Promise<void>
}

const MINUTE = 60_000
/** Jobs that one run of shared work takes. */
const SHARED_JOBS = 100
/** A job may have been added while nothing listened. */
const POLL_MILLISECONDS = 5_000
type Delivered = [DeliveredJob<JobPayloads[JobName]>, ...DeliveredJob<JobPayloads[JobName]>[]]
const isDelivered = (jobs: DeliveredJob<JobPayloads[JobName]>[]): jobs is Delivered => jobs.length > 0

/** A job that runs longer no longer counts; the queue gives it to another process. */
export const JOB_MINUTES = 15

/**
 * Our own instead of the workers of pg-boss (12.35): one query takes the next job for all free workers of
 * this process, so that two of them never take jobs of one company at the same moment, and a new job causes
 * one query and not one for each worker. See docs/adr/0013-fair-shares.md.
 */
export function startJobWorkers(
  boss: PgBoss,
  name: JobName,
  job: Job,
  deps: Deps,
  shutdown: AbortSignal,
): JobWorkers {
  /** Each run with its jobs; all but shared work has one. */
  const running = new Map<Delivered, Promise<void>>()
  let isStopped = false
  let isPaused = job.needsStorage ?? false
  let isWanted = false
  let looking: Promise<void> | null = null

  const startJobs = async () => {
    while (!isStopped && !isPaused && running.size < job.concurrency) {
      const { busy, room } = placesOf(job, [...running.keys()])
      const batchSize = job.isShared ? SHARED_JOBS : room
      const next = await boss.fetch<JobPayloads[JobName]>(name, {
        batchSize,
        ...(busy.length === 0 ? {} : { ignoreGroups: busy }),
      })
      for (const delivered of job.isShared && isDelivered(next) ? [next] : next.map(alone)) start(delivered)
      if (next.length < batchSize) return
    }
  }

  const start = (delivered: Delivered) => {
    const done = run(boss, name, job, delivered, deps, shutdown).finally(() => {
      running.delete(delivered)
      wake()
    })
    running.set(delivered, done)
  }

  const wake = () => {
    isWanted = true
    if (looking !== null || isStopped) return
    isWanted = false
    looking = startJobs()
      .catch((error: unknown) => deps.log.warn({ err: error, job: name }, 'jobs could not be fetched'))
      .finally(() => {
        looking = null
        if (isWanted) wake()
      })
  }

  const timer = setInterval(wake, POLL_MILLISECONDS)
  wake()
  return {
    wake,
    pause(isToPause) {
      isPaused = isToPause
      wake()
    },
    async stop() {
      isStopped = true
      clearInterval(timer)
      // Jobs that it is taking now would wait for a heartbeat, and start while everything is being closed.
      await looking
      await Promise.all(running.values())
    },
  }
}

const alone = (job: DeliveredJob<JobPayloads[JobName]>): Delivered => [job]

/**
 * `busy`: companies that have as many runs as they may. `room`: how many jobs may be taken at once, whosever
 * they are, so that no other company gets more than that.
 */
function placesOf(
  { concurrency, perCompany = concurrency }: Job,
  running: readonly Delivered[],
): { busy: string[]; room: number } {
  const counts = new Map<string, number>()
  for (const [{ groupId }] of running) if (groupId) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
  const busy = [...counts].flatMap(([group, count]) => (count >= perCompany ? [group] : []))
  const most = Math.max(0, ...[...counts.values()].filter((count) => count < perCompany))
  return { busy, room: Math.min(concurrency - running.length, perCompany - most) }
}

/** Never rejects: what could not be recorded, the queue finds by the missing heartbeat. */
async function run(
  boss: PgBoss,
  name: JobName,
  job: Job,
  delivered: Delivered,
  deps: Deps,
  shutdown: AbortSignal,
): Promise<void> {
  const touch = () => {
    boss
      .touch(name, delivered)
      .catch((error: unknown) => deps.log.warn({ err: error, job: name }, 'a job gave no heartbeat'))
  }
  const heartbeat = setInterval(touch, (job.heartbeatSeconds * 1000) / 2)
  const settle = (recorded: Promise<unknown>) =>
    recorded.catch((error: unknown) =>
      deps.log.warn({ err: error, job: name }, 'the end of a job was not recorded'),
    )
  const ended = new AbortController()
  const [{ data }] = delivered
  try {
    await Promise.race([job.run(data, deps, shutdown), tooLong(ended.signal)])
    await settle(boss.complete(name, delivered))
  } catch (error) {
    // The storage reports this itself, once, and not for every job.
    if (!shutdown.aborted && !(error instanceof StorageUnavailableError)) {
      deps.metrics.failures.inc({ kind: 'job' })
      deps.log.error({ err: error, job: name, payload: data }, 'a job failed')
    }
    await settle(boss.fail(name, delivered, error as Error))
  } finally {
    clearInterval(heartbeat)
    ended.abort()
  }
}

async function tooLong(ended: AbortSignal): Promise<void> {
  await sleep(JOB_MINUTES * MINUTE, undefined, { ref: false, signal: ended }).catch(() => {})
  if (!ended.aborted) throw new Error(`took more than ${JOB_MINUTES} minutes`)
}
