import { sql, type Kysely } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Database } from '#platform/database/tables.ts'

/** A leaky bucket that all servers share: it holds `capacity` attempts and loses one every `leakSeconds`. */
export type Bucket = { key: Buffer; capacity: number; leakSeconds: number }

/**
 * Counts `needed` attempts, or as many as fit, in one statement, and up to `ahead` more in advance, which
 * leave most of the free attempts to other servers. Returns how many were counted, and the seconds until one
 * fits again. The row stores the moment when its bucket will be empty; a clock that was set back cannot keep
 * the bucket full for longer.
 */
export async function takeAttempts(
  db: Kysely<Database>,
  { key, capacity, leakSeconds }: Bucket,
  { needed, ahead }: { needed: number; ahead: number },
): Promise<{ granted: number; seconds: number }> {
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

/** Removes counted attempts from their buckets. */
export async function giveBackAttempts(
  db: Kysely<Database>,
  unused: readonly { key: Buffer; seconds: number }[],
): Promise<void> {
  // All servers lock rows in the same order, to prevent deadlocks.
  await sql`
    with unused as (
      select unnest(${unused.map(({ key }) => key)}::bytea[]) as key,
        unnest(${unused.map(({ seconds }) => seconds)}::float8[]) as seconds
    ),
    locked as (
      select rate_limits.key, seconds from rate_limits join unused using (key)
      order by rate_limits.key for update of rate_limits
    )
    update rate_limits set empties_at = empties_at - make_interval(secs => seconds)
    from locked where rate_limits.key = locked.key
  `.execute(db)
}

/** Forgets all attempts of a bucket. */
export async function emptyBucket(db: Kysely<Database>, key: Buffer): Promise<void> {
  await db.deleteFrom('rateLimits').where('key', '=', key).execute()
}

/** Deletes the rows of empty buckets, and of buckets from before a clock was set back. */
export async function deleteEmptyBuckets(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from rate_limits where empties_at < now() or empties_at > now() + interval '1 day'
  `.execute(db)
}
