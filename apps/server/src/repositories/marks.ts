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
