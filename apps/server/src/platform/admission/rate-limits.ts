import { createHash } from 'node:crypto'
import {
  auditLimits,
  bodyLimits,
  callLimits,
  downloadLimits,
  passwordLimits,
  sessionLimits,
} from '@veridict/contract/limits'
import { tooManyRequests } from '#errors.ts'
import { addressOwner } from '#platform/admission/address-owner.ts'
import { type AtOnceLimit, createAtOnceLimit } from '#platform/admission/at-once-limit.ts'
import { createAttemptsAhead } from '#platform/admission/attempts-ahead.ts'
import type { Bucket, BucketStore } from '#platform/admission/bucket-store.ts'
import { createQuotaGate, type QuotaGate } from '#platform/admission/quota-gate.ts'
import { createFairQueue, type FairQueue } from '#platform/admission/fair-queue.ts'
import { createWaitingLines, type WaitingLines } from '#platform/admission/waiting-lines.ts'
import {
  createDownloadSlots,
  type DownloadSlots,
  type SlotStore,
} from '#platform/admission/download-slots.ts'

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
  /** Forgets all attempts of `key`. */
  empty(key: string): Promise<void>
}

/** `name`: no two limits have the same. */
export type LimitSettings = { name: string; capacity: number; leakSeconds: number }

/** Each attempt is counted by a statement. Keys with the same `sharedKey` share a bucket. */
export function createLeakyBuckets(
  settings: LimitSettings,
  store: BucketStore,
  sharedKey = (key: string) => key,
): LeakyBuckets {
  const bucket = (key: string) => bucketOf(settings, sharedKey(key))
  const tryTake = async (key: string) => {
    const { granted, seconds } = await store.take(bucket(key), { needed: 1, ahead: 0 })
    return granted === 1 ? 0 : seconds
  }
  return {
    ...rateLimitOf(tryTake),
    giveBack: (key) => store.giveBack([{ key: bucket(key).key, seconds: settings.leakSeconds }]),
    empty: (key) => store.empty(bucket(key).key),
  }
}

const REPORTED_GROUPS = 16

/**
 * An address (`caller-address.ts`) as the limits of addresses count it: of a proxy that is not trusted,
 * one of a few groups of the addresses that it reports. A client without a proxy can invent another one for
 * each request; behind a real proxy, one person's failures seldom count for others.
 */
function limitedAddress(address: string): string {
  const [sender = '', reported] = address.split(' ')
  if (reported === undefined) return address
  return `${sender} ${(bucketKey('reported address', reported)[0] ?? 0) % REPORTED_GROUPS}`
}

/** Attempts that are too many for a statement each. */
const createBusyLimit = (settings: LimitSettings, store: BucketStore): RateLimit =>
  rateLimitOf(createAttemptsAhead((key) => bucketOf(settings, key), store))

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

const bucketOf = ({ name, capacity, leakSeconds }: LimitSettings, key: string): Bucket => ({
  key: bucketKey(name, key),
  capacity,
  leakSeconds,
})

const firstWord = (key: string): string => key.split(' ')[0] ?? ''

/** All rate limits of the portal. See docs/BEHAVIOUR.md#sessions-and-passwords. */
export type RateLimits = {
  /**
   * Failed logins on one account from one address or known browser: the tenth is not checked, and one more
   * attempt is free every 90 s. The database limits those of one account from all addresses
   * (`session/count-guess.ts`).
   */
  loginsOfAccountFromAddress: LeakyBuckets
  /**
   * Failed logins from one address on any account. High, because a whole office can share one address.
   * Beyond it only accounts without failures of their own are checked.
   */
  loginsFromAddress: LeakyBuckets
  /** Failed logins of e-mails without an account that the audit trail records, of all callers together. */
  failedLoginEntries: RateLimit
  /** Right logins of one person, by password or single sign-on: others cannot use them up. */
  logins: RateLimit
  /**
   * Forgotten passwords, and links that do not work, from one address. The database limits e-mails per
   * person.
   */
  resetsFromAddress: LeakyBuckets
  /** Resets of one person that each server makes at once: more would be beyond those of an hour. */
  resets: AtOnceLimit
  /**
   * Links of such resets, one of an account at a time, so that other calls have connections. None is refused,
   * which would show that the account exists; `resets` limits how many wait.
   */
  links: FairQueue
  /**
   * Requests of callers without an account for links, and links and single sign-ons of theirs that are
   * counted, by address: each server for itself, so that other calls have connections.
   */
  visitors: FairQueue
  /** Refreshes of each session, and of all, that each server works on: they wait for the session's row. */
  refreshesOfSession: WaitingLines
  refreshes: WaitingLines
  /**
   * Requests of single sign-ons from one address, right or wrong: three for each login. High, because a whole
   * office can share one address.
   */
  signOnsFromAddress: LeakyBuckets
  /** Uploads of one person or token. */
  uploads: RateLimit
  /**
   * Those that each server receives at once: unfinished ones count for no quota, and a slow client may take
   * minutes for each.
   */
  unfinishedUploads: AtOnceLimit
  /** All calls with one token: 10 a second for ever, and a minute's worth at once. */
  tokenCalls: RateLimit
  /** Uploads by the bytes of their company's sources. Each server counts its own. */
  sourceBytes: QuotaGate
  /** Calls of one person or token that each server works on, except uploads. */
  calls: WaitingLines
  /** Large bodies of callers without an account that each server reads at once, by `addressOwner`. */
  largeBodies: AtOnceLimit
  /** Downloads of one person at the same time. */
  downloads: DownloadSlots
  /** Downloads that one person or token begins. */
  newDownloads: RateLimit
  /**
   * Searches of the history, its pages far back, and batches of its long pages and exports, by company and
   * person: each server for itself, so that other calls have connections and processor time.
   */
  longReads: FairQueue
  /** Receipts, by company and person, for the same reason: each is some reads. */
  receipts: FairQueue
}

export function createRateLimits(
  settings: { uploadsPerMinute: number },
  stores: { buckets: BucketStore; slots: SlotStore },
): RateLimits {
  const { uploadsPerMinute } = settings
  const { buckets, slots } = stores
  const limit = (name: string, capacity: number, leakSeconds: number) =>
    createLeakyBuckets({ name, capacity, leakSeconds }, buckets)
  const ofAddress = (name: string, capacity: number, leakSeconds: number) =>
    createLeakyBuckets({ name, capacity, leakSeconds }, buckets, limitedAddress)
  const busy = (name: string, capacity: number, leakSeconds: number) =>
    createBusyLimit({ name, capacity, leakSeconds }, buckets)
  return {
    loginsOfAccountFromAddress: limit('login of account', 9, 90),
    loginsFromAddress: ofAddress('login', 200, 1),
    failedLoginEntries: busy(
      'entry of a failed login',
      auditLimits.failuresAtOnce,
      auditLimits.secondsPerFailure,
    ),
    logins: limit('right login', sessionLimits.loginsAtOnce, sessionLimits.secondsPerLogin),
    resetsFromAddress: ofAddress('reset', 100, 2),
    resets: createAtOnceLimit(passwordLimits.resetsPerHour),
    links: createFairQueue({ concurrency: 3, perKey: 1, maxWaiting: Infinity }),
    visitors: createFairQueue({ concurrency: 4, perGroup: 2, groupOf: addressOwner, maxWaiting: 200 }),
    refreshesOfSession: createWaitingLines({ atOnce: 1, maxWaiting: 50, maxWaitingBytes: 0 }),
    refreshes: createWaitingLines({ atOnce: 3, maxWaiting: 10_000, maxWaitingBytes: 0 }),
    tokenCalls: busy('call', 600, 0.1),
    signOnsFromAddress: ofAddress('sign-on', 300, 0.2),
    uploads: busy('upload', 2 * uploadsPerMinute, 60 / uploadsPerMinute),
    unfinishedUploads: createAtOnceLimit(2 * uploadsPerMinute),
    sourceBytes: createQuotaGate(),
    calls: createWaitingLines({
      atOnce: callLimits.atOnce,
      maxWaiting: callLimits.waiting,
      maxWaitingBytes: callLimits.waitingBytes,
    }),
    largeBodies: createAtOnceLimit(bodyLimits.largeOfAddress, { ofAll: bodyLimits.largeAtOnce }),
    downloads: createDownloadSlots(
      { perPerson: downloadLimits.perPerson, stalledMilliseconds: downloadLimits.stalled },
      slots,
    ),
    newDownloads: busy('download', downloadLimits.perMinute, 60 / downloadLimits.perMinute),
    longReads: createFairQueue({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
    receipts: createFairQueue({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
  }
}
