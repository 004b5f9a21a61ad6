import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads } from '#platform/jobs/job-queue.ts'

/** A kind of background work. */
export type Job<N extends JobName = JobName> = {
  /** How many run at once in one process. */
  concurrency: number
  /**
   * How many of them one company may have: fewer than `concurrency`, so that its long files never fill all
   * places. Without it there is no limit.
   */
  perCompany?: number
  /**
   * One run does all the work that waits in a table of its own. Adding such a job only wakes the workers, and
   * it also runs after so many seconds; `concurrency` and `heartbeatSeconds` mean nothing then.
   */
  sharedEvery?: number
  /** Seconds after which a silent job counts as dead and is given to another process. At least 10. */
  heartbeatSeconds: number
  /** The job does not run here while the storage is unavailable. It may be available to another process. */
  needsStorage?: true
  /** Cron expression in UTC for recurring work; it runs once, however many processes there are. */
  schedule?: string
  /** A job is not added while one with the same key waits. Without it every job is added. */
  key?(payload: JobPayloads[N]): string
  /**
   * A job that throws is run again. `shutdown` is aborted when the process must end; of shared work at the
   * beginning of the stop.
   */
  run(payload: JobPayloads[N], deps: Deps, shutdown: AbortSignal): Promise<void>
}

export type Jobs = { [N in JobName]: Job<N> }
