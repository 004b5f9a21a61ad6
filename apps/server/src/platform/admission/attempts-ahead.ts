import type { Bucket, BucketStore } from '#platform/admission/bucket-store.ts'

type Waiting = { resolve(secondsToWait: number): void; reject(error: unknown): void }
/** What this server has of one bucket. */
type Allowance = {
  bucket: Bucket
  /** Counted in the store and not used yet. */
  unused: number
  /** How many are counted ahead the next time. */
  ahead: number
  countedAt: number
  waiting: Waiting[]
  isCounting: boolean
}

/** Unused attempts of a key are given back after this time without a count in the database. */
const HELD_MILLISECONDS = 2_000
/** At most this part of the capacity is counted ahead, because a server that is killed loses it. */
const MAX_AHEAD_SHARE = 1 / 20

/**
 * Counts attempts of busy keys in batches: the second attempt within two seconds counts one ahead, the next
 * count two, and so on, so that most attempts cost no statement. What is counted ahead is counted in the
 * store first: all servers together never allow more than the bucket holds. Returns the function that counts
 * an attempt and settles with the seconds to wait, or 0.
 */
export function createAttemptsAhead(
  bucketOf: (key: string) => Bucket,
  store: BucketStore,
): (key: string) => Promise<number> {
  const allowances = new Map<string, Allowance>()
  let timer: NodeJS.Timeout | null = null

  const giveBackUnused = () => {
    const unused = []
    for (const [key, allowance] of allowances) {
      if (allowance.isCounting || performance.now() - allowance.countedAt < HELD_MILLISECONDS) continue
      allowances.delete(key)
      const { bucket } = allowance
      if (allowance.unused > 0)
        unused.push({ key: bucket.key, seconds: allowance.unused * bucket.leakSeconds })
    }
    // If that fails, the bucket loses the unused attempts over time, as it does used ones.
    if (unused.length > 0) store.giveBack(unused).catch(() => {})
    if (allowances.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  const allowanceOf = (key: string): Allowance => {
    const known = allowances.get(key)
    if (known !== undefined) return known
    const allowance = {
      bucket: bucketOf(key),
      unused: 0,
      ahead: 0,
      countedAt: 0,
      waiting: [],
      isCounting: false,
    }
    allowances.set(key, allowance)
    timer ??= setInterval(giveBackUnused, HELD_MILLISECONDS / 2).unref()
    return allowance
  }

  const countWaiting = async (allowance: Allowance) => {
    allowance.isCounting = true
    while (allowance.waiting.length > 0) {
      const waiting = allowance.waiting.splice(0)
      try {
        const { granted, seconds } = await store.take(allowance.bucket, {
          needed: waiting.length,
          ahead: allowance.ahead,
        })
        for (const [index, { resolve }] of waiting.entries()) resolve(index < granted ? 0 : seconds)
        allowance.unused = Math.max(0, granted - waiting.length)
        const maxAhead = Math.floor(allowance.bucket.capacity * MAX_AHEAD_SHARE)
        allowance.ahead = Math.min(maxAhead, Math.max(1, 2 * allowance.ahead))
        allowance.countedAt = performance.now()
      } catch (error) {
        for (const { reject } of waiting) reject(error)
      }
      serveWaiting(allowance)
    }
    allowance.isCounting = false
  }

  /** Attempts that came while the store counted. */
  const serveWaiting = (allowance: Allowance) => {
    const served = allowance.waiting.splice(0, allowance.unused)
    allowance.unused -= served.length
    for (const { resolve } of served) resolve(0)
  }

  return (key) => {
    const allowance = allowanceOf(key)
    if (allowance.unused > 0) {
      allowance.unused--
      return Promise.resolve(0)
    }
    return new Promise((resolve, reject) => {
      allowance.waiting.push({ resolve, reject })
      if (!allowance.isCounting) void countWaiting(allowance)
    })
  }
}
