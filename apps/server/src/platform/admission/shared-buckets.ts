import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { tooManyRequests } from '#errors.ts'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db } from '#platform/database/tables.ts'

/** A bucket for each key: it allows bursts and slows a steady stream. */
export type RateLimit = {
  /** Counts an attempt; throws 429 with the seconds to wait if the bucket is full. */
  take(key: string): Promise<void>
  /** Counts an attempt unless the bucket is full; returns the seconds to wait, or 0. */
  tryTake(key: string): Promise<number>
}

/** Why our own: docs/adr/0010-rate-limits-and-file-cache.md. */
export type LeakyBuckets = RateLimit & {
  /** Takes back one attempt, after a success. */
  giveBack(key: string): Promise<void>
  empty(key: string): Promise<void>
}

/**
 * Each bucket holds `capacity` attempts and loses one every `leakSeconds`. `name`: no two limits have the
 * same.
 */
type Settings = { name: string; capacity: number; leakSeconds: number }

/**
 * Buckets that all servers of a database share; each attempt is counted by a statement. Keys with the same
 * `sharedKey` share a bucket.
 */
export function createLeakyBuckets(
  settings: Settings,
  db: Db,
  sharedKey = (key: string) => key,
): LeakyBuckets {
  const bucket = (key: string) => bucketOf(settings, sharedKey(key))
  return {
    ...rateLimitOf(async (key) => {
      const { granted, seconds } = await takeAttempts(db, bucket(key), { needed: 1, ahead: 0 })
      return granted === 1 ? 0 : seconds
    }),
    giveBack: (key) => giveBackAttempts(db, bucket(key), 1),
    async empty(key) {
      await db.deleteFrom('rateLimits').where('key', '=', bucket(key).key).execute()
    },
  }
}

/** Unused attempts of a key are given back after this time without a count in the database. */
const HELD_MILLISECONDS = 2_000
/** At most this part of the capacity is counted ahead, because a server that is killed loses it. */
const MAX_AHEAD_SHARE = 1 / 20

/** What this server has of one bucket. */
type Allowance = {
  unused: number
  /** How many are counted ahead the next time. */
  ahead: number
  /** How many wait for the next count, which begins after the last one. */
  waiting: number
  next: Promise<Counted> | null
  last: Promise<unknown>
  timer?: NodeJS.Timeout
}

/**
 * Buckets of busy keys, whose attempts are counted in batches: the second attempt within two seconds counts
 * one ahead, the next count two, and so on, so that most attempts cost no statement. What is counted ahead is
 * counted in the database first: all servers together never allow more than the bucket holds.
 */
export function createBusyBuckets(settings: Settings, db: Db): RateLimit {
  const maxAhead = Math.floor(settings.capacity * MAX_AHEAD_SHARE)
  const allowances = new Map<string, Allowance>()

  const giveBackUnused = (key: string, { unused }: Allowance) => {
    allowances.delete(key)
    // If that fails, the bucket loses the unused attempts over time, as it does used ones.
    if (unused > 0) giveBackAttempts(db, bucketOf(settings, key), unused).catch(() => {})
  }

  const count = async (key: string, allowance: Allowance): Promise<Counted> => {
    clearTimeout(allowance.timer)
    const { waiting, unused, ahead } = allowance
    const needed = Math.max(0, waiting - unused)
    Object.assign(allowance, { waiting: 0, next: null, unused: Math.max(0, unused - waiting) })
    try {
      if (needed === 0) return { granted: waiting, seconds: 0 }
      const { granted, seconds } = await takeAttempts(db, bucketOf(settings, key), { needed, ahead })
      allowance.unused += Math.max(0, granted - needed)
      allowance.ahead = Math.min(maxAhead, Math.max(1, 2 * ahead))
      return { granted: unused + granted, seconds }
    } finally {
      allowance.timer = setTimeout(giveBackUnused, HELD_MILLISECONDS, key, allowance).unref()
    }
  }

  return rateLimitOf(async (key) => {
    const allowance = allowances.get(key) ?? newAllowance()
    allowances.set(key, allowance)
    if (allowance.unused > 0) {
      allowance.unused--
      return 0
    }
    const place = allowance.waiting++
    if (allowance.next === null) {
      allowance.next = allowance.last.then(() => count(key, allowance))
      allowance.last = allowance.next.catch(() => {})
    }
    const { granted, seconds } = await allowance.next
    return place < granted ? 0 : seconds
  })
}

const newAllowance = (): Allowance => ({
  unused: 0,
  ahead: 0,
  waiting: 0,
  next: null,
  last: Promise.resolve(),
})

const rateLimitOf = (tryTake: (key: string) => Promise<number>): RateLimit => ({
  tryTake,
  async take(key) {
    const seconds = await tryTake(key)
    if (seconds > 0) throw tooManyRequests(seconds)
  },
})

/** Hashes a key, which may be an input of any length. */
export const bucketKey = (name: string, key: string): Buffer =>
  createHash('sha256').update(`${name} ${key}`).digest()

export type Bucket = { key: Buffer; capacity: number; leakSeconds: number }
type Counted = { granted: number; seconds: number }

const bucketOf = ({ name, capacity, leakSeconds }: Settings, key: string): Bucket => ({
  key: bucketKey(name, key),
  capacity,
  leakSeconds,
})

/** Counts after which a server deletes what has leaked: an attacker with many addresses makes many rows. */
const COUNTS_UNTIL_TIDY = 1_000
let counts = 0

/**
 * Counts `needed` attempts, or as many as fit, in one statement, and up to `ahead` more in advance, which
 * leave most of the free attempts to other servers. Returns how many were counted, and the seconds until one
 * fits again. The row stores the moment when its bucket will be empty; a clock that was set back cannot keep
 * the bucket full for longer.
 */
export async function takeAttempts(
  db: Db,
  { key, capacity, leakSeconds }: Bucket,
  { needed, ahead }: { needed: number; ahead: number },
): Promise<Counted> {
  if (++counts % COUNTS_UNTIL_TIDY === 0) deleteEmptyBuckets(db).catch(() => {})
  const taking = sql<{ granted: number; left: number }>`
    insert into rate_limits as bucket (key, empties_at, granted)
    select ${key}, now() + make_interval(secs => attempts * ${leakSeconds}::float8), attempts
    from (select ${grantOf(sql`${capacity}::float8`, needed, ahead)} as attempts) as first
    on conflict (key) do update set (empties_at, granted) = (
      select now() + make_interval(secs => left_seconds + attempts * ${leakSeconds}::float8), attempts
      from (
        select greatest(0, least(extract(epoch from bucket.empties_at - now())::float8,
          ${capacity * leakSeconds}::float8)) as left_seconds
      ) as found
      cross join lateral (
        select ${grantOf(sql`${capacity} - left_seconds / ${leakSeconds}::float8`, needed, ahead)} as attempts
      ) as fitting
    )
    returning granted, extract(epoch from empties_at - now())::float8 as left
  `
  const [taken] = await runPrepared(db, taking)
  const { granted, left } = taken!
  return { granted, seconds: Math.max(1, Math.ceil(left - (capacity - 1) * leakSeconds)) }
}

/**
 * In advance it grants at most a quarter of the free attempts. By rounding, a full bucket can hold slightly
 * more than its capacity.
 */
const grantOf = (free: ReturnType<typeof sql>, needed: number, ahead: number) =>
  sql`greatest(0, least(floor(${free}), ${needed} + least(${ahead}, floor((${free}) / 4))))::integer`

async function giveBackAttempts(db: Db, { key, leakSeconds }: Bucket, attempts: number): Promise<void> {
  await sql`
    update rate_limits set empties_at = empties_at - make_interval(secs => ${attempts * leakSeconds})
    where key = ${key}
  `.execute(db)
}

/** Deletes the rows of empty buckets, and of buckets from before a clock was set back. */
export async function deleteEmptyBuckets(db: Db): Promise<void> {
  await sql`
    delete from rate_limits where empties_at < now() or empties_at > now() + interval '1 day'
  `.execute(db)
}
