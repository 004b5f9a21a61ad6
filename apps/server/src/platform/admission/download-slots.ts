import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { noticeMessages } from '@veridict/contract/messages/notices'
import { sql } from 'kysely'
import { tooManyRequests } from '#errors.ts'
import type { Db } from '#platform/database/tables.ts'

/** A running download. It is taken for some seconds and renewed while its server runs. */
type Slot = { id: string; person: string }

/** Large files take minutes, small ones less than a second. */
const RETRY_SECONDS = 5
/** The slots of a killed server end after this time. */
export const SLOT_SECONDS = 30
const RENEWAL_MILLISECONDS = 10_000
/** A client that just finished a download on another server may be faster than that server's statement. */
const SECOND_TRY_MILLISECONDS = 100

/** Downloads in flight, counted by person over all servers. */
export function createDownloadSlots(
  settings: { perPerson: number; stalledMilliseconds: number; slotSeconds?: number },
  db: Db,
) {
  const { perPerson, stalledMilliseconds, slotSeconds: seconds = SLOT_SECONDS } = settings
  const taken = new Set<string>()
  /** For each person, the end of the last release of a slot. */
  const freeing = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | null = null

  /** Without a database slots may end early; then a person has more downloads for a while. */
  const renew = () => void renewDownloadSlots(db, [...taken], seconds).catch(() => {})

  const giveBack = (slot: Slot) => {
    taken.delete(slot.id)
    if (taken.size === 0 && timer !== null) {
      clearInterval(timer)
      timer = null
    }
    const { person } = slot
    const before = freeing.get(person)
    // A slot that cannot be given back is not renewed.
    const freed = Promise.all([before, freeDownloadSlot(db, slot).catch(() => {})]).then(() => {
      if (freeing.get(person) === freed) freeing.delete(person)
    })
    freeing.set(person, freed)
  }

  const tryTake = async (slot: Slot): Promise<boolean> => {
    await freeing.get(slot.person)
    return takeDownloadSlot(db, slot, { perPerson, seconds })
  }

  return {
    /** A client that takes no byte of a reply for this long is cut. */
    stalledMilliseconds,
    /** Takes a slot of the person; settles with what gives it back. Throws 429 when all are taken. */
    async take(person: string): Promise<() => void> {
      const slot = { id: randomUUID(), person }
      if (!(await tryTake(slot))) {
        await sleep(SECOND_TRY_MILLISECONDS)
        if (!(await tryTake(slot)))
          throw tooManyRequests(RETRY_SECONDS, noticeMessages.tooManyDownloads(perPerson))
      }
      taken.add(slot.id)
      timer ??= setInterval(renew, RENEWAL_MILLISECONDS).unref()
      return () => giveBack(slot)
    },
  }
}

/**
 * Whether a slot is in use. A slot that was taken before a clock was set back is not; one that another server
 * took a moment later than now is.
 */
const isLive = (seconds: number, expiresAt = sql`expires_at`) =>
  sql<boolean>`${expiresAt} between now() and now() + make_interval(secs => ${2 * seconds})`
const expiry = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

/** Takes one of the `perPerson` slots of a person for some seconds. Returns false if none is free. */
export async function takeDownloadSlot(
  db: Db,
  { id, person }: Slot,
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

async function renewDownloadSlots(db: Db, ids: readonly string[], seconds: number): Promise<void> {
  const expiresAt = expiry(seconds)
  await db.updateTable('downloadSlots').set({ expiresAt }).where('id', 'in', ids).execute()
}

async function freeDownloadSlot(db: Db, { id, person }: Slot): Promise<void> {
  await db.deleteFrom('downloadSlots').where('person', '=', person).where('id', '=', id).execute()
}

/** Deletes the slots of servers that were killed, and of those from before a clock was set back. */
export async function deleteExpiredSlots(db: Db, seconds: number): Promise<void> {
  await db
    .deleteFrom('downloadSlots')
    .where(sql<boolean>`not (${isLive(seconds)})`)
    .execute()
}
