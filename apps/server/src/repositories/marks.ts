import { sql, type Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'

const BEAT = 'clockBeat'
const JUMP = 'clockJump'

/**
 * Notes that the clock was seen; called every few seconds by every worker. Where the clock moved by more than
 * a day since, or back by more than an hour, it notes a jump: either the clock was set, or nobody was running
 * for a day, which looks alike.
 */
export async function checkClock(db: Kysely<Database>): Promise<void> {
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
export async function hasClockJumped(db: Kysely<Database>): Promise<boolean> {
  await checkClock(db)
  const jump = db.selectFrom('marks').where('name', '=', JUMP)
  // A jump in the future was noted by a clock that has been set back since.
  return (
    (await jump
      .where('at', '>', sql<Date>`now() - interval '24 hours'`)
      .select('at')
      .executeTakeFirst()) !== undefined
  )
}

export async function hasMark(db: Kysely<Database>, name: string): Promise<boolean> {
  return (
    (await db.selectFrom('marks').where('name', '=', name).select('name').executeTakeFirst()) !== undefined
  )
}

/** Whether this is the first time: for what must happen once and no more. */
export async function setMarkOnce(db: Kysely<Database>, name: string): Promise<boolean> {
  const mark = db.insertInto('marks').values({ name, at: sql<Date>`now()` })
  return (
    (await mark
      .onConflict((conflict) => conflict.doNothing())
      .returning('name')
      .executeTakeFirst()) !== undefined
  )
}

/** When a recurring job was added last; null if it never was. */
export type Recurrence = {
  lastTime: Date | null
  /** The database's clock. */
  now: Date
  /** Whether `lastTime` is still to come, because a clock was set back since. */
  wasSetBack: boolean
}

const recurrenceMark = (name: string): string => `recurring ${name}`
/** More than two transactions can begin apart, and less than a clock is set back by. */
const aMinuteAhead = sql<Date>`now() + interval '1 minute'`

export async function findRecurrences<Name extends string>(
  db: Kysely<Database>,
  names: readonly Name[],
): Promise<Record<Name, Recurrence>> {
  const { rows } = await sql<Recurrence & { name: Name }>`
    select jobs.name, marks.at as last_time, now() as now, coalesce(at > ${aMinuteAhead}, false) as was_set_back
    from unnest(${names}::text[]) as jobs (name) left join marks on marks.name = 'recurring ' || jobs.name
  `.execute(db)
  return Object.fromEntries(rows.map(({ name, ...row }) => [name, row])) as Record<Name, Recurrence>
}

export const beginRecurrence = (db: Kysely<Database>, name: string): Promise<boolean> =>
  setMarkOnce(db, recurrenceMark(name))

/**
 * Whether the job is this process's to add: false if another one added it meanwhile. `due` is null after a
 * clock was set back.
 */
export async function claimRecurrence(
  db: Kysely<Database>,
  name: string,
  due: Date | null,
): Promise<boolean> {
  const claim = db
    .updateTable('marks')
    .set({ at: sql<Date>`now()` })
    .where('name', '=', recurrenceMark(name))
    .where((mark) => (due === null ? mark('at', '>', aMinuteAhead) : mark('at', '<', due)))
  return (await claim.returning('name').executeTakeFirst()) !== undefined
}
