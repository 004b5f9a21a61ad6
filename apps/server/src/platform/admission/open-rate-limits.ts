import { unlimitedTables } from '#platform/database/database.ts'
import type { Deps } from '#deps.ts'
import type { BucketStore } from '#platform/admission/bucket-store.ts'
import type { SlotStore } from '#platform/admission/download-slots.ts'
import { createRateLimits, type RateLimits } from '#platform/admission/rate-limits.ts'
import {
  freeDownloadSlot,
  renewDownloadSlots,
  takeDownloadSlot,
} from '#platform/admission/stored-download-slots.ts'
import {
  deleteEmptyBuckets,
  emptyBucket,
  giveBackAttempts,
  takeAttempts,
} from '#platform/admission/stored-rate-limits.ts'

/** Counts after which a server deletes what has leaked: an attacker with many addresses makes many rows. */
const COUNTS_UNTIL_TIDY = 1_000

/** The rate limits, which all servers of this database count together. */
export const openRateLimits = (
  settings: { uploadsPerMinute: number },
  { db }: Pick<Deps, 'db'>,
): RateLimits => createRateLimits(settings, { buckets: bucketsIn(db), slots: slotsIn(db) })

export function bucketsIn(database: Deps['db']): BucketStore {
  const db = unlimitedTables(database)
  let counts = 0
  return {
    take(bucket, attempts) {
      if (++counts % COUNTS_UNTIL_TIDY === 0) deleteEmptyBuckets(db).catch(() => {})
      return takeAttempts(db, bucket, attempts)
    },
    giveBack: (unused) => giveBackAttempts(db, unused),
    empty: (key) => emptyBucket(db, key),
  }
}

export function slotsIn(database: Deps['db']): SlotStore {
  const db = unlimitedTables(database)
  return {
    take: (slot, limits) => takeDownloadSlot(db, slot, limits),
    renew: (ids, seconds) => renewDownloadSlots(db, ids, seconds),
    free: (slot) => freeDownloadSlot(db, slot),
  }
}
