import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '#deps.ts'
import type { Workers } from '#platform/jobs/run-job.ts'
import { startSharedWork, type SharedWork } from '#platform/jobs/shared-work.ts'
import { startSubmissionWorkers, type SubmissionJob } from '#submissions/submission-workers.ts'
import { startTimedWork, type TimedWork } from '#platform/jobs/timed-work.ts'

export type Jobs = {
  submissions: readonly SubmissionJob[]
  shared: readonly SharedWork[]
  timed: readonly TimedWork[]
}

/** Running work gets this long to finish before it is interrupted. */
const FINISH_MILLISECONDS = 8_000
const STOP_MILLISECONDS = 15_000

/**
 * Work waits in tables; the bus wakes the workers, which also look by themselves. The returned function
 * begins nothing more, and interrupts what still runs after some seconds. It ends within 15 s.
 */
export function startJobs({ submissions, shared, timed }: Jobs, deps: Deps): () => Promise<void> {
  const shutdown = new AbortController()
  const workers = new Map<string | null, Workers>([
    ...submissions.map((job) => [job.name, startSubmissionWorkers(job, deps, shutdown.signal)] as const),
    ...shared.map((work) => [work.name, startSharedWork(work, deps)] as const),
    [null, startTimedWork(timed, deps, shutdown.signal)],
  ])
  const stopListening = deps.jobs.onWake((name, companyId) => {
    if (name === null) for (const each of workers.values()) each.wake()
    else workers.get(name)?.wake(companyId)
  })
  return async () => {
    stopListening()
    const timer = setTimeout(() => shutdown.abort(), FINISH_MILLISECONDS)
    const stopped = Promise.all([...workers.values()].map((each) => each.stop()))
    await Promise.race([stopped, sleep(STOP_MILLISECONDS, undefined, { ref: false })])
    clearTimeout(timer)
  }
}
