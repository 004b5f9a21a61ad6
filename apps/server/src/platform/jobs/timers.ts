import { sql } from 'kysely'
import type { Db } from '#platform/database/tables.ts'
import { isFree } from '#platform/jobs/leases.ts'

/** A recurring job, due every `everySeconds`: `atSeconds` after the beginning of the hour or day (UTC). */
export type Timer = { name: string; everySeconds: number; atSeconds: number }

/** A silent run counts as dead after this time, and another process runs the job. */
export const TIMER_LEASE_SECONDS = 60
/** A job that failed runs again after this time. */
const RETRY_SECONDS = 60

/** A new job counts from its first start: it runs when it is due for the first time after that. */
export async function addTimers(db: Db, names: readonly string[]): Promise<void> {
  const timers = db.insertInto('timers').values(names.map((name) => ({ name, ranAt: sql<Date>`now()` })))
  await timers.onConflict((conflict) => conflict.doNothing()).execute()
}

/**
 * Takes the jobs that are due, each for one process. One that became due several times while no process ran
 * is due once. After a clock was set back, a time in the future counts as long ago.
 */
export async function claimTimers(
  db: Db,
  timers: readonly Timer[],
  leaseId: string,
): Promise<{ name: string; startedAt: Date }[]> {
  const { rows } = await sql<{ name: string; startedAt: Date }>`
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
    returning name, now() as started_at
  `.execute(db)
  return rows
}

const leaseEnd = sql<Date>`now() + make_interval(secs => ${TIMER_LEASE_SECONDS})`

export async function renewTimer(db: Db, name: string, leaseId: string): Promise<void> {
  const timer = db.updateTable('timers').set({ leaseUntil: leaseEnd })
  await timer.where('name', '=', name).where('leaseId', '=', leaseId).execute()
}

/** `startedAt`: when the run began; null if it failed. */
export async function endTimer(db: Db, name: string, leaseId: string, startedAt: Date | null): Promise<void> {
  const retryAt = sql<Date>`now() + make_interval(secs => ${RETRY_SECONDS})`
  const timer = db.updateTable('timers').set({
    leaseId: null,
    ...(startedAt === null ? { leaseUntil: retryAt } : { leaseUntil: null, ranAt: startedAt }),
  })
  await timer.where('name', '=', name).where('leaseId', '=', leaseId).execute()
}
