import type { Deps } from '#deps.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { runJob, type Workers } from '#platform/jobs/run-job.ts'
import {
  addTimers,
  claimTimers,
  endTimer,
  renewTimer,
  type Timer,
  TIMER_LEASE_SECONDS,
} from '#platform/jobs/timers.ts'

/**
 * Recurring work: each run is done by one of all processes. One that failed, or whose process died, is
 * repeated after a minute.
 */
export type TimedWork = Timer & {
  /** It does not run here while the storage is unavailable. It may be available to another process. */
  needsStorage?: true
  run(deps: Deps): Promise<void>
}

const LOOK_MILLISECONDS = 5_000
/** A third of the lease: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = (TIMER_LEASE_SECONDS * 1000) / 3

export function startTimedWork(works: readonly TimedWork[], deps: Deps, shutdown: AbortSignal): Workers {
  const running = new Set<Promise<void>>()
  let isAdded = false
  let looking: Promise<void> | null = null

  const runDue = async () => {
    if (!isAdded)
      await addTimers(
        deps.db,
        works.map(({ name }) => name),
      )
    isAdded = true
    const isAvailable = await isStorageAvailable(deps)
    const possible = works.filter(({ needsStorage }) => isAvailable || !needsStorage)
    const { id: leaseId } = deps.leases.next()
    for (const { name, startedAt } of await claimTimers(deps.db, possible, leaseId)) {
      const work = works.find((timer) => timer.name === name) as TimedWork
      const run = runTimed(work, { leaseId, startedAt }, deps, shutdown).finally(() => running.delete(run))
      running.add(run)
    }
  }

  const wake = () => {
    looking ??= runDue()
      .catch((error: unknown) => deps.log.warn({ err: error }, 'recurring jobs could not be claimed'))
      .finally(() => (looking = null))
  }

  const timer = setInterval(wake, LOOK_MILLISECONDS)
  wake()
  return {
    wake,
    async stop() {
      clearInterval(timer)
      await looking
      await Promise.all(running)
    },
  }
}

/** Never rejects. */
async function runTimed(
  { name, run }: TimedWork,
  { leaseId, startedAt }: { leaseId: string; startedAt: Date },
  deps: Deps,
  shutdown: AbortSignal,
): Promise<void> {
  const warn = (error: unknown) => deps.log.warn({ err: error, job: name }, 'a timer was not changed')
  const renewal = setInterval(() => void renewTimer(deps.db, name, leaseId).catch(warn), RENEWAL_MILLISECONDS)
  const isDone = await runJob({ job: name }, () => run(deps), deps, shutdown)
  clearInterval(renewal)
  // If this fails, the job runs again when the lease ends.
  await endTimer(deps.db, name, leaseId, isDone ? startedAt : null).catch(warn)
}

async function isStorageAvailable({ storage }: Deps): Promise<boolean> {
  try {
    await storage.confirm()
    return true
  } catch (error) {
    if (error instanceof StorageUnavailableError) return false
    throw error
  }
}
