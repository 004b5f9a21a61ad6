import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Deps } from '#deps.ts'
import type { JobName } from '#platform/jobs/job-queue.ts'
import type { Job } from '#platform/jobs/job.ts'
import type { JobWorkers } from '#platform/jobs/job-workers.ts'

/**
 * Does work whose table is its queue, such as e-mails: one run does all that waits, so it has no jobs. It
 * runs when it is woken, and else every `seconds`, once at a time in this process. What fails is tried
 * again in the next run.
 */
export function startSharedWork(name: JobName, job: Job, deps: Deps, seconds: number): JobWorkers {
  const stopping = new AbortController()
  let isWanted = false
  let running: Promise<void> | null = null

  const wake = () => {
    isWanted = true
    if (running !== null || stopping.signal.aborted) return
    isWanted = false
    running = runOnce(name, job, deps, stopping.signal).finally(() => {
      running = null
      if (isWanted) wake()
    })
  }

  const timer = setInterval(wake, seconds * 1000)
  wake()
  return {
    wake,
    pause() {},
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}

async function runOnce(name: JobName, job: Job, deps: Deps, shutdown: AbortSignal): Promise<void> {
  try {
    await job.run({}, deps, shutdown)
  } catch (error) {
    if (isDatabaseDown(error)) return deps.log.warn({ err: error, job: name }, 'a job waits for the database')
    deps.metrics.failures.inc({ kind: 'job' })
    deps.log.error({ err: error, job: name }, 'a job failed')
  }
}
