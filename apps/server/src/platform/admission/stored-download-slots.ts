import { sql, type Kysely } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

/** A running download. Each has a new `id`. */
export type DownloadSlot = { id: string; person: string }

/**
 * Whether a slot is in use. A slot that was taken before a clock was set back is not; one that another server
 * took a moment later than now is.
 */
const isLive = (seconds: number, expiresAt = sql`expires_at`) =>
  sql<boolean>`${expiresAt} between now() and now() + make_interval(secs => ${2 * seconds})`
const expiry = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Takes one of the `perPerson` slots of a person for some seconds. Returns false if none is free. */
export async function takeDownloadSlot(
  db: Kysely<Database>,
  { id, person }: DownloadSlot,
  { perPerson, seconds }: { perPerson: number; seconds: number },
): Promise<boolean> {
  // Another server may take the same free slot at the same time; each of its slots makes this repeat once.
  for (let attempt = 0; attempt <= perPerson; attempt++) {
    const { rows } = await sql<{ free: number; taken: number }>`
      with free as (
        select number from generate_series(1, ${perPerson}::integer) as number
        where not exists (
          select from download_slots where person = ${person} and slot = number and ${isLive(seconds)}
        )
        order by number limit 1
      ),
      taken as (
        insert into download_slots as held (person, slot, id, expires_at)
        select ${person}, number, ${id}::uuid, ${expiry(seconds)} from free
        on conflict (person, slot) do update set id = excluded.id, expires_at = excluded.expires_at
          where not (${isLive(seconds, sql`held.expires_at`)})
        returning slot
      )
      select (select count(*) from free) as free, (select count(*) from taken) as taken
    `.execute(db)
    const { free, taken } = rows[0]!
    if (taken === 1) return true
    if (free === 0) return false
  }
  return false
}

/** Extends slots to some seconds from now. */
export async function renewDownloadSlots(
  db: Kysely<Database>,
  ids: readonly string[],
  seconds: number,
): Promise<void> {
  const expiresAt = expiry(seconds)
  await db.updateTable('downloadSlots').set({ expiresAt }).where('id', 'in', ids).execute()
}

export async function freeDownloadSlot(db: Kysely<Database>, { id, person }: DownloadSlot): Promise<void> {
  await db.deleteFrom('downloadSlots').where('person', '=', person).where('id', '=', id).execute()
}

/** Deletes the slots of servers that were killed, and of those from before a clock was set back. */
export async function deleteExpiredSlots(db: Kysely<Database>, seconds: number): Promise<void> {
  await db
    .deleteFrom('downloadSlots')
    .where(sql<boolean>`not (${isLive(seconds)})`)
    .execute()
}
