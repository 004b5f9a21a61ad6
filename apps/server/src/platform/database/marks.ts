import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/tables.ts'
import { hasRow } from '#platform/database/lists.ts'
import { rowsOf } from '#platform/database/rows.ts'

const BEAT = 'clockBeat'
const JUMP = 'clockJump'

/**
 * Every worker calls it every few seconds. It records a jump of the clock by more than a day, or back by more
 * than an hour. A day without any worker looks like one.
 */
export async function checkClock(db: Db): Promise<void> {
  await sql`
    with beat as (select at from marks where name = ${BEAT}),
    jump as (
      insert into marks (name, at)
      select ${JUMP}, now() from beat where now() > at + interval '24 hours' or now() < at - interval '1 hour'
      on conflict (name) do update set at = excluded.at
    )
    insert into marks (name, at) values (${BEAT}, now()) on conflict (name) do update set at = excluded.at
  `.execute(db)
}

/** Whether the clock jumped within the last day, or is jumping now. */
export async function hasClockJumped(db: Db): Promise<boolean> {
  await checkClock(db)
  const jump = db.selectFrom('marks').where('name', '=', JUMP)
  // Also true for a jump in the future, recorded before a clock was set back.
  return hasRow(jump.where('at', '>', sql<Date>`now() - interval '24 hours'`).select('at'))
}

/** The mark that is set when the database was restored from a backup. */
export const RESTORED = 'restored'
/** For so many days, operators can look at files that are newer than the backup. */
const RESTORED_DAYS = 7

/** Whether operators may still look for files that are newer than the backup of this database. */
export function isNewlyRestored(db: Db): Promise<boolean> {
  const restored = db.selectFrom('marks').where('name', '=', RESTORED)
  return hasRow(
    restored.where('at', '>', sql<Date>`now() - make_interval(days => ${RESTORED_DAYS})`).select('at'),
  )
}

/** Returns false if it was set before: for actions that must happen only once. */
export function setMarkOnce(db: Db, name: string): Promise<boolean> {
  const mark = db.insertInto('marks').values({ name, at: sql<Date>`now()` })
  return hasRow(mark.onConflict((conflict) => conflict.doNothing()).returning('name'))
}

/** When the audit trail last left out a failed login of an e-mail without an account. */
export const FAILURES_LEFT_OUT = 'failed logins left out'

export async function setMark(db: Db, name: string): Promise<void> {
  const mark = db.insertInto('marks').values({ name, at: sql<Date>`now()` })
  await mark.onConflict((conflict) => conflict.column('name').doUpdateSet({ at: sql<Date>`now()` })).execute()
}

/** While it has a note, nobody uploads; that is the sentence for everybody. */
export const MAINTENANCE = 'maintenance'

/** A sentence, or null for off; returns the former one. Its row stays, so that other callers wait. */
export async function changeMaintenance(trx: Trx, note: string | null): Promise<string | null> {
  const at = sql<Date>`now()`
  const insert = trx.insertInto('marks').values({ name: MAINTENANCE, at })
  await insert.onConflict((conflict) => conflict.column('name').doNothing()).execute()
  const mark = trx.selectFrom('marks').where('name', '=', MAINTENANCE).select('note').forUpdate()
  const before = await mark.executeTakeFirstOrThrow()
  await trx.updateTable('marks').set({ note, at }).where('name', '=', MAINTENANCE).execute()
  return before.note
}

const runMark = (job: string): string => `ran ${job}`

/** Records that recurring work ended well now. */
export const recordRun = (db: Db, job: 'purge' | 'sweep' | 'backup'): Promise<void> =>
  setMark(db, runMark(job))

/** Sets the time of the first start as the last run of work that never ran. */
export async function beginRuns(db: Db): Promise<void> {
  for (const job of ['purge', 'sweep']) await setMarkOnce(db, runMark(job))
}

/**
 * By the clock of the database. None of `purge`, `sweep`, `backup` before the first; `tick` looks for work
 * every few seconds.
 */
export const findLastRuns = (db: Db) =>
  rowsOf<{ job: string; at: Date; ageSeconds: number }>(db)`
    select job, at, extract(epoch from now() - at)::float8 as age_seconds
    from (values ('purge', ${runMark('purge')}), ('sweep', ${runMark('sweep')}),
      ('backup', ${runMark('backup')}), ('tick', ${BEAT})) as jobs (job, mark)
    join marks on marks.name = jobs.mark`
