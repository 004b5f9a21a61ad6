import type { Deps } from '#deps.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { withinTime } from '#platform/within-time.ts'

/** What does one kind of work in this process. */
export type Workers = {
  /** Looks for work now: some was added. `companyId`: for which company, where that is known. */
  wake(companyId?: number): void
  /** Begins no more work. Settles when what runs is done. */
  stop(): Promise<void>
}

/** Woken while it runs, it runs once more. `work` must not reject. */
export function onceAtATime(work: () => Promise<unknown>): Workers {
  let isWanted = false
  let isStopped = false
  let running: Promise<unknown> | null = null
  const wake = () => {
    isWanted = true
    if (running !== null || isStopped) return
    isWanted = false
    running = work().finally(() => {
      running = null
      if (isWanted) wake()
    })
  }
  return {
    wake,
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Runs `work` as `onceAtATime` does, now and every so many milliseconds. */
export function repeat(milliseconds: number, work: () => Promise<unknown>): Workers {
  const { wake, stop } = onceAtATime(work)
  const timer = setInterval(wake, milliseconds)
  wake()
  return {
    wake,
    stop() {
      clearInterval(timer)
      return stop()
    },
  }
}

const MINUTE = 60_000
/** A run that takes longer no longer counts as running. */
const JOB_MINUTES = 15

/** Runs a job. Returns whether it ended well and in time; its errors are logged. Never rejects. */
export async function runJob(
  what: { job: string; submissionId?: number },
  run: () => Promise<void>,
  deps: Deps,
  shutdown: AbortSignal,
): Promise<boolean> {
  try {
    await withinTime(run(), JOB_MINUTES * MINUTE, `took more than ${JOB_MINUTES} minutes`)
    return true
  } catch (error) {
    // The storage reports this itself, once, and not for every job.
    if (!shutdown.aborted && !(error instanceof StorageUnavailableError)) {
      deps.metrics.failures.inc({ kind: 'job' })
      deps.log.error({ err: error, ...what }, 'a job failed')
    }
    return false
  }
}
