import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { tooManyRequests } from '#errors.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db } from '#platform/database/tables.ts'

/** Allows bursts and slows a steady stream. Why our own: docs/adr/0010-rate-limits-and-file-cache.md. */
export type RateLimit = {
  /** Counts an attempt; throws 429 with the seconds to wait if the bucket is full. */
  take(key: string): Promise<void>
  /** Counts an attempt unless the bucket is full; returns the seconds to wait, or 0. */
  tryTake(key: string): Promise<number>
  /** Takes back one attempt, after a success. */
  giveBack(key: string): Promise<void>
  empty(key: string): Promise<void>
}

/** Holds `capacity` attempts, loses one per `leakSeconds`. `name` is unique. One bucket per `sharedKey`. */
type Settings = { name: string; capacity: number; leakSeconds: number; sharedKey?: (key: string) => string }

/** The attempts of a key that wait for the next count, which begins after the last one. */
type Line = { waiting: number; next: Promise<Counted> | null; last: Promise<unknown> }

/** Buckets that all servers of a database share. What comes while a key is counted is counted together. */
export function createBuckets(
  { name, capacity, leakSeconds, sharedKey = (key) => key }: Settings,
  db: Db,
): RateLimit {
  const lines = new Map<string, Line>()
  const bucketOf = (key: string) => ({ key: bucketKey(name, sharedKey(key)), capacity, leakSeconds })

  const countNext = (key: string, line: Line): Promise<Counted> => {
    const counted = line.last.then(() => {
      const { waiting } = line
      Object.assign(line, { waiting: 0, next: null })
      return takeAttempts(db, bucketOf(key), waiting)
    })
    const forget = () => void (line.next === null && lines.delete(key))
    line.last = counted.then(forget, forget)
    return counted
  }
  const tryTake = async (key: string): Promise<number> => {
    const line = lines.get(key) ?? { waiting: 0, next: null, last: Promise.resolve() }
    lines.set(key, line)
    const place = line.waiting++
    line.next ??= countNext(key, line)
    const { granted, seconds } = await line.next
    return place < granted ? 0 : seconds
  }

  return {
    tryTake,
    async take(key) {
      const seconds = await tryTake(key)
      if (seconds > 0) throw tooManyRequests(seconds)
    },
    async giveBack(key) {
      await sql`
        update rate_limits set empties_at = empties_at - make_interval(secs => ${leakSeconds})
        where key = ${bucketOf(key).key}
      `.execute(db)
    },
    async empty(key) {
      await db.deleteFrom('rateLimits').where('key', '=', bucketOf(key).key).execute()
    },
  }
}

/** Hashes a key, which may be an input of any length. */
export const bucketKey = (name: string, key: string): Buffer =>
  createHash('sha256').update(`${name} ${key}`).digest()

export type Bucket = { key: Buffer; capacity: number; leakSeconds: number }
type Counted = { granted: number; seconds: number }

/** Counts after which a server deletes what has leaked: an attacker with many addresses makes many rows. */
const COUNTS_UNTIL_TIDY = 1_000
let counts = 0

/**
 * Counts `wanted` attempts, or as many as fit. Returns how many, and the seconds until one fits again. The
 * row stores when its bucket will be empty; a clock that was set back cannot keep it full for longer.
 */
export async function takeAttempts(
  db: Db,
  { key, capacity, leakSeconds }: Bucket,
  wanted: number,
): Promise<Counted> {
  if (++counts % COUNTS_UNTIL_TIDY === 0) deleteEmptyBuckets(db).catch(() => {})
  const taking = sql<{ granted: number; left: number }>`
    insert into rate_limits as bucket (key, empties_at, granted)
    select ${key}, now() + make_interval(secs => attempts * ${leakSeconds}::float8), attempts
    from (select least(${capacity}::float8, ${wanted}::float8)::integer as attempts) as first
    on conflict (key) do update set (empties_at, granted) = (
      select now() + make_interval(secs => left_seconds + attempts * ${leakSeconds}::float8), attempts
      from (
        select greatest(0, least(extract(epoch from bucket.empties_at - now())::float8,
          ${capacity * leakSeconds}::float8)) as left_seconds
      ) as found
      cross join lateral (
        select greatest(0,
          least(floor(${capacity} - left_seconds / ${leakSeconds}::float8), ${wanted}))::integer as attempts
      ) as fitting
    )
    returning granted, extract(epoch from empties_at - now())::float8 as left
  `
  const [taken] = await runPrepared(db, taking)
  const { granted, left } = taken!
  return { granted, seconds: Math.max(1, Math.ceil(left - (capacity - 1) * leakSeconds)) }
}

/** Deletes the rows of empty buckets, and of buckets from before a clock was set back. */
export async function deleteEmptyBuckets(db: Db): Promise<void> {
  await sql`
    delete from rate_limits where empties_at < now() or empties_at > now() + interval '1 day'
  `.execute(db)
}
