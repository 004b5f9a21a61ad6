import type { Deps } from '#deps.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { onceAtATime, runJob, type Workers } from '#platform/jobs/run-job.ts'
import { claimSubmissions, type ClaimedSubmission } from '#submissions/submission-claims.ts'

export type SubmissionJob = {
  name: SubmissionWork
  /** How many run at once in one process. */
  concurrency: number
  /** Fewer than `concurrency`, so that the long files of one company never fill all places. */
  perCompany: number
  /** If it throws, the submission waits again. `shutdown` is aborted when the process must end. */
  run(submission: ClaimedSubmission, deps: Deps, shutdown: AbortSignal): Promise<void>
}

/** A submission may wait whose event was lost, or whose delay is over. */
const POLL_MILLISECONDS = 5_000

/**
 * One statement for all free places, so that two never get one company at once. Takes none while the storage
 * is unavailable; other processes may have it. See docs/adr/0013-fair-shares.md.
 */
export function startSubmissionWorkers(job: SubmissionJob, deps: Deps, shutdown: AbortSignal): Workers {
  const running = new Map<ClaimedSubmission, Promise<void>>()
  /** Companies of which some may wait; null: of any company. */
  let mayWait: Set<number> | null = null
  let isStopped = false

  const claimForFreePlaces = async () => {
    while (!isStopped && running.size < job.concurrency) {
      const { busy, free } = placesOf(job, [...running.keys()])
      if (mayWait !== null && [...mayWait].every((company) => busy.includes(company))) return
      await deps.storage.confirm()
      const before: ReadonlySet<number> | null = mayWait
      mayWait = new Set()
      const places = { busy, free }
      const { claimed, isLast } = await claimSubmissions(deps.db, job.name, deps.leases.next(), places)
      claimed.forEach(start)
      const left = isLast ? busy : before
      // What was added meanwhile may wait, too.
      mayWait = left === null || mayWait === null ? null : new Set([...left, ...mayWait])
      if (isLast) return
    }
  }

  const start = (submission: ClaimedSubmission) => {
    const what = { job: job.name, submissionId: submission.id }
    const done = runJob(what, () => job.run(submission, deps, shutdown), deps, shutdown).then(() => {
      running.delete(submission)
      looks.wake()
    })
    running.set(submission, done)
  }

  const looks = onceAtATime(() =>
    claimForFreePlaces().catch((error: unknown) => {
      mayWait = null
      // The storage reports this itself.
      if (!(error instanceof StorageUnavailableError))
        deps.log.warn({ err: error, job: job.name }, 'submissions could not be claimed')
    }),
  )

  const wake = (companyId?: number) => {
    if (companyId === undefined) mayWait = null
    else mayWait?.add(companyId)
    looks.wake()
  }

  const timer = setInterval(wake, POLL_MILLISECONDS)
  wake()
  return {
    wake,
    async stop() {
      isStopped = true
      clearInterval(timer)
      // What it is claiming now would start while everything is being closed.
      await looks.stop()
      await Promise.all(running.values())
    },
  }
}

/** `busy`: companies with as many runs as they may have. `free`: at least 1, for all companies together. */
function placesOf({ concurrency, perCompany }: SubmissionJob, running: readonly ClaimedSubmission[]) {
  const counts = new Map<number, number>()
  for (const { companyId } of running) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
  const busy = [...counts].flatMap(([company, count]) => (count >= perCompany ? [company] : []))
  const most = Math.max(0, ...[...counts.values()].filter((count) => count < perCompany))
  return { busy, free: Math.min(concurrency - running.length, perCompany - most) }
}
