import type { Job as DeliveredJob, PgBoss } from 'pg-boss'
import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads } from '#platform/jobs/job-queue.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import type { Job } from '#platform/jobs/job.ts'

/**
 * Runs the jobs of one name in this process. Those that need the storage are paused until the storage was
 * checked for the first time.
 */
export type JobWorkers = {
  /** Looks for jobs now: one was added. `group`: its company, where that is known. */
  wake(group?: string): void
  /** Takes no more jobs, or takes them again. */
  pause(isPaused: boolean): void
  /** Takes no more jobs. Settles when those that run are done. */
  stop(): Promise<void>
}

const MINUTE = 60_000
/** A job may have been added while nothing listened. */
const POLL_MILLISECONDS = 5_000
/**
 * While others run, the ends of jobs are recorded together: after GATHERED_ENDS of them, or
 * GATHER_MILLISECONDS after the first. One statement then takes jobs for all free places.
 */
const GATHERED_ENDS = 8
const GATHER_MILLISECONDS = 20
type Delivered = DeliveredJob<JobPayloads[JobName]>

/** A job that runs longer no longer counts; the queue gives it to another process. */
export const JOB_MINUTES = 15

/**
 * Our own instead of the workers of pg-boss (12.35): one query takes the next jobs for all free workers of
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
  const running = new Map<Delivered, Promise<void>>()
  /** Jobs whose ends are not recorded yet. */
  let ended: Delivered[] = []
  let recording: Promise<void> = Promise.resolve()
  let gathering: NodeJS.Timeout | null = null
  /** Companies whose jobs may wait; null: those of any company. */
  let mayWait: Set<string> | null = null
  let isStopped = false
  let isPaused = job.needsStorage ?? false
  let isWanted = false
  let looking: Promise<void> | null = null

  const startJobs = async () => {
    while (!isStopped && !isPaused && running.size < job.concurrency) {
      const { busy, free } = placesOf(job, [...running.keys()])
      const before: ReadonlySet<string> | null = mayWait
      if (before !== null && [...before].every((group) => busy.includes(group))) return
      mayWait = new Set()
      const next = await boss.fetch<JobPayloads[JobName]>(name, {
        batchSize: free,
        ...(busy.length === 0 ? {} : { ignoreGroups: busy }),
      })
      next.forEach(start)
      const isLast = next.length < free
      const left = isLast ? busy : before
      // What was added meanwhile may wait, too.
      mayWait = left === null || mayWait === null ? null : new Set([...left, ...mayWait])
      if (isLast) return
    }
  }

  const start = (delivered: Delivered) => {
    const done = run(boss, name, job, delivered, deps, shutdown).then((isDone) => {
      running.delete(delivered)
      if (isDone) ended.push(delivered)
      if (running.size === 0 || isStopped || ended.length >= GATHERED_ENDS) settle()
      else gathering ??= setTimeout(settle, GATHER_MILLISECONDS)
    })
    running.set(delivered, done)
  }

  const settle = () => {
    if (gathering !== null) clearTimeout(gathering)
    gathering = null
    const done = ended.splice(0)
    if (done.length > 0) {
      const ends = recorded(boss.complete(name, done), name, deps)
      // Without the results, which would be kept as long as this process runs.
      recording = Promise.all([recording, ends]).then(() => {})
    }
    look()
  }

  const look = () => {
    isWanted = true
    if (looking !== null || isStopped) return
    isWanted = false
    looking = startJobs()
      .catch((error: unknown) => {
        mayWait = null
        deps.log.warn({ err: error, job: name }, 'jobs could not be fetched')
      })
      .finally(() => {
        looking = null
        if (isWanted) look()
      })
  }

  const wake = (group?: string) => {
    if (group === undefined) mayWait = null
    else mayWait?.add(group)
    if (gathering === null) look()
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
      settle()
      await recording
    },
  }
}

/**
 * `busy`: companies that have as many runs as they may. `free`: how many jobs of all companies may be taken
 * at once, so that no other company gets more than that; at least 1.
 */
function placesOf(
  { concurrency, perCompany = concurrency }: Job,
  running: readonly Delivered[],
): { busy: string[]; free: number } {
  const counts = new Map<string, number>()
  for (const { groupId } of running) if (groupId) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
  const busy = [...counts].flatMap(([group, count]) => (count >= perCompany ? [group] : []))
  const most = Math.max(0, ...[...counts.values()].filter((count) => count < perCompany))
  // A power of two, because pg-boss writes the number into the statement, and connections keep each text.
  return { busy, free: 2 ** Math.floor(Math.log2(Math.min(concurrency - running.length, perCompany - most))) }
}

/** Whether the job is done; its end is not recorded then. Never rejects. */
async function run(
  boss: PgBoss,
  name: JobName,
  job: Job,
  delivered: Delivered,
  deps: Deps,
  shutdown: AbortSignal,
): Promise<boolean> {
  const touch = () => {
    boss
      .touch(name, delivered)
      .catch((error: unknown) => deps.log.warn({ err: error, job: name }, 'a job gave no heartbeat'))
  }
  const heartbeat = setInterval(touch, (job.heartbeatSeconds * 1000) / 2)
  try {
    await inTime(job.run(delivered.data, deps, shutdown))
    return true
  } catch (error) {
    // The storage reports this itself, once, and not for every job.
    if (!shutdown.aborted && !(error instanceof StorageUnavailableError)) {
      deps.metrics.failures.inc({ kind: 'job' })
      deps.log.error({ err: error, job: name, payload: delivered.data }, 'a job failed')
    }
    await recorded(boss.fail(name, delivered, error as Error), name, deps)
    return false
  } finally {
    clearInterval(heartbeat)
  }
}

/** Never rejects: what could not be recorded, the queue finds by the missing heartbeat. */
const recorded = (end: Promise<unknown>, name: JobName, { log }: Deps): Promise<unknown> =>
  end.catch((error: unknown) => log.warn({ err: error, job: name }, 'the end of a job was not recorded'))

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<void>((_, reject) => {
    const fail = () => reject(new Error(`took more than ${JOB_MINUTES} minutes`))
    timer = setTimeout(fail, JOB_MINUTES * MINUTE).unref()
  })
  try {
    await Promise.race([work, tooLong])
  } finally {
    clearTimeout(timer)
  }
}
