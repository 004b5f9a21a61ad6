import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Deps } from '#deps.ts'
import type { WakeableWork } from '#platform/jobs/job-bus.ts'
import type { Workers } from '#platform/jobs/run-job.ts'

/** Work of which one run does all that waits, such as e-mails. */
export type SharedWork = {
  name: WakeableWork
  /** It also runs after so many seconds without being woken. */
  everySeconds: number
  /** `shutdown` is aborted at the beginning of the stop. */
  run(deps: Deps, shutdown: AbortSignal): Promise<void>
}

/**
 * Runs the work when it is woken and every `everySeconds`, once at a time in this process. What fails is
 * tried again in the next run.
 */
export function startSharedWork(work: SharedWork, deps: Deps): Workers {
  const stopping = new AbortController()
  let isWanted = false
  let running: Promise<void> | null = null

  const wake = () => {
    isWanted = true
    if (running !== null || stopping.signal.aborted) return
    isWanted = false
    running = runOnce(work, deps, stopping.signal).finally(() => {
      running = null
      if (isWanted) wake()
    })
  }

  const timer = setInterval(wake, work.everySeconds * 1000)
  wake()
  return {
    wake,
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await running
    },
  }
}

async function runOnce({ name, run }: SharedWork, deps: Deps, shutdown: AbortSignal): Promise<void> {
  try {
    await run(deps, shutdown)
  } catch (error) {
    if (isDatabaseDown(error)) return deps.log.warn({ err: error, job: name }, 'a job waits for the database')
    deps.metrics.failures.inc({ kind: 'job' })
    deps.log.error({ err: error, job: name }, 'a job failed')
  }
}
