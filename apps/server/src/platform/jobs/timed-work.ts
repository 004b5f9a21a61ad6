import { sql } from 'kysely'
import type { Deps } from '#deps.ts'
import { StorageUnavailableError } from '#platform/storage/storage.ts'
import { repeat, runJob, type Workers } from '#platform/jobs/run-job.ts'
import type { Db } from '#platform/database/tables.ts'
import { isFree } from '#platform/jobs/leases.ts'
import { rowsOf } from '#platform/database/rows.ts'

/** One process does each run. One that failed, or whose process died, is repeated after a minute. */
export type TimedWork = Timer & {
  /** It does not run here while the storage is unavailable. It may be available to another process. */
  needsStorage?: true
  run(deps: Deps): Promise<void>
}

const LOOK_MILLISECONDS = 5_000
/** A silent run counts as dead after this time, and another process runs the job. */
const TIMER_LEASE_SECONDS = 60
/** A third of the lease: two renewals may fail before it is lost. */
const RENEWAL_MILLISECONDS = (TIMER_LEASE_SECONDS * 1000) / 3

export function startTimedWork(works: readonly TimedWork[], deps: Deps, shutdown: AbortSignal): Workers {
  const running = new Set<Promise<void>>()
  let isAdded = false

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

  const { wake, stop } = repeat(LOOK_MILLISECONDS, () =>
    runDue().catch((error: unknown) => deps.log.warn({ err: error }, 'recurring jobs could not be claimed')),
  )
  return {
    wake,
    async stop() {
      await stop()
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

/** A recurring job, due every `everySeconds`: `atSeconds` after the beginning of the hour or day (UTC). */
type Timer = { name: string; everySeconds: number; atSeconds: number }

/** A job that failed runs again after this time. */
const RETRY_SECONDS = 60

/** A new job counts from its first start: it runs when it is due for the first time after that. */
export async function addTimers(db: Db, names: readonly string[]): Promise<void> {
  const timers = db.insertInto('timers').values(names.map((name) => ({ name, ranAt: sql<Date>`now()` })))
  await timers.onConflict((conflict) => conflict.doNothing()).execute()
}

/** Gives each to one process, once if due several times. A time in the future is from a clock set back. */
export const claimTimers = (db: Db, timers: readonly Timer[], leaseId: string) =>
  rowsOf<{ name: string; startedAt: Date }>(db)`
    with due as (
      select name
      from timers
      join unnest(
        ${timers.map(({ name }) => name)}::text[],
        ${timers.map(({ everySeconds }) => everySeconds)}::integer[],
        ${timers.map(({ atSeconds }) => atSeconds)}::integer[]
      ) as given (name, every, at) using (name)
      where ${isFree}
        and (
          ran_at > now() + interval '1 minute'
          or ran_at < date_bin(
            make_interval(secs => every), now(), timestamptz '2000-01-01T00:00Z' + make_interval(secs => at)
          )
        )
      for update of timers skip locked
    )
    update timers set lease_id = ${leaseId}, lease_until = ${leaseEnd}
    where name in (select name from due)
    returning name, now() as started_at`

const leaseEnd = sql<Date>`now() + make_interval(secs => ${TIMER_LEASE_SECONDS})`

async function renewTimer(db: Db, name: string, leaseId: string): Promise<void> {
  const timer = db.updateTable('timers').set({ leaseUntil: leaseEnd })
  await timer.where('name', '=', name).where('leaseId', '=', leaseId).execute()
}

/** `startedAt`: when the run began; null if it failed. */
async function endTimer(db: Db, name: string, leaseId: string, startedAt: Date | null): Promise<void> {
  const retryAt = sql<Date>`now() + make_interval(secs => ${RETRY_SECONDS})`
  const timer = db
    .updateTable('timers')
    .set({
      leaseId: null,
      ...(startedAt === null ? { leaseUntil: retryAt } : { leaseUntil: null, ranAt: startedAt }),
    })
  await timer.where('name', '=', name).where('leaseId', '=', leaseId).execute()
}
