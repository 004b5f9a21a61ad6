import { tooManyRequests } from '#errors.ts'
import type { Clock } from '#drivers/clock.ts'

const SECOND = 1000

/**
 * A bucket that holds `capacity` attempts and loses one every `leakSeconds`: bursts are free, a steady stream
 * is slowed.
 */
export type LeakyBuckets = {
  /** Counts an attempt; throws 429 with the seconds to wait when the bucket of `key` is full. */
  take(key: string): void
  /** Counts an attempt where there is room for it. Answers the seconds to wait, 0 where there was room. */
  tryTake(key: string): number
  /** Takes back one attempt, for those that turned out well. */
  giveBack(key: string): void
  /** Forgets all attempts of `key`. */
  empty(key: string): void
}

/**
 * Buckets forgotten at once when this many are held: bounds the memory that an attacker with many addresses
 * can take.
 */
const MAX_BUCKETS = 100_000

/** In memory, so each server counts for itself: n servers allow n times as much. */
export function createLeakyBuckets(
  settings: { capacity: number; leakSeconds: number },
  clock: Clock,
): LeakyBuckets {
  const { capacity, leakSeconds } = settings
  const buckets = new Map<string, { level: number; at: number }>()

  /** The bucket of `key` after what leaked until now. */
  const current = (key: string) => {
    const now = clock.now().getTime() / SECOND
    const bucket = buckets.get(key)
    const leaked = bucket === undefined ? 0 : Math.max(0, now - bucket.at) / leakSeconds
    return { level: Math.max(0, (bucket?.level ?? 0) - leaked), at: now }
  }

  const dropEmptied = () => {
    for (const key of buckets.keys()) if (current(key).level === 0) buckets.delete(key)
    if (buckets.size >= MAX_BUCKETS) buckets.clear()
  }

  const tryTake = (key: string) => {
    const bucket = current(key)
    const surplus = bucket.level + 1 - capacity
    if (surplus > 0) return Math.ceil(surplus * leakSeconds)
    if (buckets.size >= MAX_BUCKETS) dropEmptied()
    buckets.set(key, { ...bucket, level: bucket.level + 1 })
    return 0
  }

  return {
    tryTake,
    take(key) {
      const seconds = tryTake(key)
      if (seconds > 0) throw tooManyRequests(seconds)
    },
    giveBack(key) {
      const bucket = current(key)
      buckets.set(key, { ...bucket, level: Math.max(0, bucket.level - 1) })
    },
    empty(key) {
      buckets.delete(key)
    },
  }
}

/** All rate limits of the portal. Decisions, "People and rights"; reliability, probes 11, 12 and 65. */
export type RateLimits = {
  /**
   * Failed logins on one account from one address: from the tenth on whoever fails is told to wait, and one
   * more try comes back every 90 s. The right password still gets in, so that somebody else's failures from
   * the same office shut nobody out; what bounds the guesses that are looked at is the next limit.
   */
  loginsOfAccountFromAddress: LeakyBuckets
  /** Failed logins on one account from anywhere, against a guess spread over many addresses. */
  loginsOfAccount: LeakyBuckets
  /**
   * Failed logins from one address on any accounts. High, and quick to recover: a whole office can share one
   * address.
   */
  loginsFromAddress: LeakyBuckets
  /**
   * Forgotten passwords and set-password links from one address. How often mail goes to one person is counted
   * in the database.
   */
  resetsFromAddress: LeakyBuckets
  /** Uploads of one person. */
  uploads: LeakyBuckets
}

export function createRateLimits(settings: { uploadsPerMinute: number }, clock: Clock): RateLimits {
  const { uploadsPerMinute } = settings
  return {
    loginsOfAccountFromAddress: createLeakyBuckets({ capacity: 9, leakSeconds: 90 }, clock),
    loginsOfAccount: createLeakyBuckets({ capacity: 60, leakSeconds: 30 }, clock),
    loginsFromAddress: createLeakyBuckets({ capacity: 200, leakSeconds: 1 }, clock),
    resetsFromAddress: createLeakyBuckets({ capacity: 100, leakSeconds: 2 }, clock),
    uploads: createLeakyBuckets(
      { capacity: 2 * uploadsPerMinute, leakSeconds: 60 / uploadsPerMinute },
      clock,
    ),
  }
}
