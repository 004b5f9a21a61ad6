import type { Deps } from '#deps.ts'
import type { JobName, JobPayloads } from '#drivers/job-queue.ts'

/** A kind of background work. */
export type Job<N extends JobName = JobName> = {
  name: N
  /** How many run at once in one process. */
  concurrency: number
  /** A job silent for longer belongs to a process that died, and is given to another. At least 10. */
  heartbeatSeconds: number
  /** Cron expression in UTC for recurring work; it runs once, however many processes there are. */
  schedule?: string
  /** What keeps equal jobs from piling up while one waits; omitted where each job counts. */
  key?(payload: JobPayloads[N]): string
  /** Throwing gives the job back, to be tried again. `shutdown` is aborted when the process has to end. */
  run(payload: JobPayloads[N], deps: Deps, shutdown: AbortSignal): Promise<void>
}

/** Keeps a job's name and payload together. */
export const defineJob = <N extends JobName>(job: Job<N>): Job<N> => job
