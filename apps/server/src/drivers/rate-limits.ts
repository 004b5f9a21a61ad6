import { downloadLimits } from '@veridict/contract/limits'
import { tooManyRequests } from '#errors.ts'
import type { Clock } from '#drivers/clock.ts'
import { createQuotaGate, type QuotaGate } from '#drivers/quota-gate.ts'
import { createDownloadSlots, type DownloadSlots } from '#drivers/download-slots.ts'

const SECOND = 1000

/**
 * A bucket for each key holds `capacity` attempts and loses one every `leakSeconds`: it allows bursts and
 * slows a steady stream. Why our own: docs/adr/0010-rate-limits-and-file-cache.md.
 */
export type LeakyBuckets = {
  /** Counts an attempt; throws 429 with the seconds to wait if the bucket is full. */
  take(key: string): void
  /** Counts an attempt unless the bucket is full; returns the seconds to wait, or 0. */
  tryTake(key: string): number
  /** Takes back one attempt, after a success. */
  giveBack(key: string): void
  /** Forgets all attempts of `key`. */
  empty(key: string): void
}

/** With this many buckets all are deleted: limits the memory that an attacker with many addresses can use. */
const MAX_BUCKETS = 100_000

/** In memory: each server counts for itself, so n servers allow n times as much. */
export function createLeakyBuckets(
  settings: { capacity: number; leakSeconds: number },
  clock: Clock,
): LeakyBuckets {
  const { capacity, leakSeconds } = settings
  const buckets = new Map<string, { level: number; at: number }>()

  /** The bucket of `key` at this moment. */
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

/** All rate limits of the portal. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export type RateLimits = {
  /**
   * Failed logins on one account from one address: the tenth is not checked, and one more attempt is
   * free every 90 s. The database limits those of one account from all addresses
   * (`services/session/count-guess.ts`).
   */
  loginsOfAccountFromAddress: LeakyBuckets
  /**
   * Failed logins from one address on any account. High, because a whole office can share one address.
   * Beyond it only accounts without failures of their own are checked.
   */
  loginsFromAddress: LeakyBuckets
  /** Forgotten passwords and set-password links from one address. The database limits e-mails per person. */
  resetsFromAddress: LeakyBuckets
  /**
   * Requests of single sign-ons from one address, right or wrong: three for each login. High, because a whole
   * office can share one address.
   */
  signOnsFromAddress: LeakyBuckets
  /** Uploads of one person or token. */
  uploads: LeakyBuckets
  /** All calls with one token: 10 a second for ever, and a minute's worth at once. */
  tokenCalls: LeakyBuckets
  /** Uploads by the bytes that their company keeps. */
  keptBytes: QuotaGate
  /** Downloads of one person at the same time. */
  downloads: DownloadSlots
}

export function createRateLimits(settings: { uploadsPerMinute: number }, clock: Clock): RateLimits {
  const { uploadsPerMinute } = settings
  return {
    loginsOfAccountFromAddress: createLeakyBuckets({ capacity: 9, leakSeconds: 90 }, clock),
    loginsFromAddress: createLeakyBuckets({ capacity: 200, leakSeconds: 1 }, clock),
    resetsFromAddress: createLeakyBuckets({ capacity: 100, leakSeconds: 2 }, clock),
    tokenCalls: createLeakyBuckets({ capacity: 600, leakSeconds: 0.1 }, clock),
    signOnsFromAddress: createLeakyBuckets({ capacity: 300, leakSeconds: 0.2 }, clock),
    uploads: createLeakyBuckets(
      { capacity: 2 * uploadsPerMinute, leakSeconds: 60 / uploadsPerMinute },
      clock,
    ),
    keptBytes: createQuotaGate(),
    downloads: createDownloadSlots({
      perPerson: downloadLimits.perPerson,
      stalledMilliseconds: downloadLimits.stalled,
    }),
  }
}
