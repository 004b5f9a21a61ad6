import { isDatabaseDown } from '#platform/database/database-down.ts'
import type { Deps } from '#deps.ts'
import type { WakeableWork } from '#platform/jobs/job-bus.ts'
import { repeat, type Workers } from '#platform/jobs/run-job.ts'

/** Work of which one run does all that waits, such as e-mails. */
export type SharedWork = {
  name: WakeableWork
  /** It also runs after so many seconds without being woken. */
  everySeconds: number
  /** `shutdown` is aborted at the beginning of the stop. */
  run(deps: Deps, shutdown: AbortSignal): Promise<void>
}

/** When woken and every `everySeconds`, once at a time in this process. A failure waits for the next run. */
export function startSharedWork(work: SharedWork, deps: Deps): Workers {
  const stopping = new AbortController()
  const { wake, stop } = repeat(work.everySeconds * 1000, () => runOnce(work, deps, stopping.signal))
  return {
    wake,
    stop() {
      stopping.abort()
      return stop()
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
