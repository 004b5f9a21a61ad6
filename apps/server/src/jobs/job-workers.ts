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
/** A job may have been added while nothing listened. */
const POLL_MILLISECONDS = 5_000
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
  const running = new Map<DeliveredJob<JobPayloads[JobName]>, Promise<void>>()
  let isStopped = false
  let isPaused = job.needsStorage ?? false
  let isLooking = false
  let isWanted = false

  /** Companies that have as many jobs here as they may have at once. */
  const companiesAtLimit = () => {
    const groups = [...running.keys()].flatMap(({ groupId }) => groupId ?? [])
    const counted = [...new Set(groups)]
    return counted.filter(
      (group) => groups.filter((other) => other === group).length >= (job.perCompany ?? job.concurrency),
    )
  }

  const startJobs = async () => {
    while (!isStopped && !isPaused && running.size < job.concurrency) {
      const busy = companiesAtLimit()
      const [next] = await boss.fetch<JobPayloads[JobName]>(
        name,
        busy.length === 0 ? {} : { ignoreGroups: busy },
      )
      if (next === undefined) return
      const done = run(boss, name, job, next, deps, shutdown).finally(() => {
        running.delete(next)
        wake()
      })
      running.set(next, done)
    }
  }

  const wake = () => {
    isWanted = true
    if (isLooking || isStopped) return
    isLooking = true
    isWanted = false
    startJobs()
      .catch((error: unknown) => deps.log.warn({ err: error, job: name }, 'jobs could not be fetched'))
      .finally(() => {
        isLooking = false
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
      await Promise.all(running.values())
    },
  }
}

/** Never rejects: what could not be recorded, the queue finds by the missing heartbeat. */
async function run(
  boss: PgBoss,
  name: JobName,
  job: Job,
  delivered: DeliveredJob<JobPayloads[JobName]>,
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
  try {
    await Promise.race([job.run(delivered.data, deps, shutdown), tooLong(ended.signal)])
    await settle(boss.complete(name, delivered))
  } catch (error) {
    // The storage reports this itself, once, and not for every job.
    if (!shutdown.aborted && !(error instanceof StorageUnavailableError)) {
      deps.metrics.failures.inc({ kind: 'job' })
      deps.log.error({ err: error, job: name, payload: delivered.data }, 'a job failed')
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
