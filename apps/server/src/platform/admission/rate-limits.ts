import {
  auditLimits,
  bodyLimits,
  callLimits,
  dictionaryLimits,
  downloadLimits,
  passwordLimits,
  sessionLimits,
} from '@veridict/contract/limits'
import { addressOwner } from '#platform/admission/address-owner.ts'
import { Gate } from '#platform/admission/gate.ts'
import { QuotaGate } from '#platform/admission/quota-gate.ts'
import { bucketKey, createBuckets } from '#platform/admission/shared-buckets.ts'
import { unlimitedTables } from '#platform/database/database.ts'
import type { Db } from '#platform/database/tables.ts'

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

const firstWord = (key: string): string => key.split(' ')[0] ?? ''

/**
 * All rate limits of a server. Buckets are counted together by all servers of the database; what runs at
 * once, each server counts for itself. See docs/BEHAVIOUR.md#sessions-and-passwords.
 */
export function createRateLimits({ uploadsPerMinute }: { uploadsPerMinute: number }, database: Db) {
  const db = unlimitedTables(database)
  const limit = (name: string, capacity: number, leakSeconds: number) =>
    createBuckets({ name, capacity, leakSeconds }, db)
  const ofAddress = (name: string, capacity: number, leakSeconds: number) =>
    createBuckets({ name, capacity, leakSeconds, sharedKey: limitedAddress }, db)
  const { failuresAtOnce, secondsPerFailure } = auditLimits
  return {
    /**
     * Failed logins on one account from one address or known browser: the tenth is not checked, and one more
     * attempt is free every 90 s. The database limits those of one account from all addresses
     * (`session/count-guess.ts`).
     */
    loginsOfAccountFromAddress: limit('login of account', 9, 90),
    /**
     * Failed logins from one address on any account. High, because a whole office can share one address.
     * Beyond it only accounts without failures of their own are checked.
     */
    loginsFromAddress: ofAddress('login', 200, 1),
    /** Failed logins of e-mails without an account that the audit trail records, of all callers together. */
    failedLoginEntries: limit('entry of a failed login', failuresAtOnce, secondsPerFailure),
    /** Right logins of one person, by password or single sign-on: others cannot use them up. */
    logins: limit('right login', sessionLimits.loginsAtOnce, sessionLimits.secondsPerLogin),
    /**
     * Forgotten passwords, and links that do not work, from one address. The database limits e-mails per
     * person.
     */
    resetsFromAddress: ofAddress('reset', 100, 2),
    /** Resets of one person that each server makes at once: more would be beyond those of an hour. */
    resets: new Gate({ perKey: passwordLimits.resetsPerHour }),
    /**
     * Links of such resets, one of an account at a time, so that other calls have connections. None is
     * refused, which would show that the account exists; `resets` limits how many wait.
     */
    links: new Gate({ concurrency: 3, perKey: 1 }),
    /**
     * Requests of callers without an account for links, and links and single sign-ons of theirs that are
     * counted, by address: each server for itself, so that other calls have connections.
     */
    visitors: new Gate({ concurrency: 4, perGroup: 2, groupOf: addressOwner, maxWaiting: 200 }),
    /** Refreshes of each session, and of all, that each server works on: they wait for the session's row. */
    refreshesOfSession: new Gate({ perKey: 1, maxWaitingOfKey: 50, retrySeconds: 1 }),
    refreshes: new Gate({ concurrency: 3, maxWaitingOfKey: 10_000, retrySeconds: 1 }),
    /** All calls with one token: 10 a second for ever, and a minute's worth at once. */
    tokenCalls: limit('call', 600, 0.1),
    /**
     * Requests of single sign-ons from one address, right or wrong: three for each login. High, because a
     * whole office can share one address.
     */
    signOnsFromAddress: ofAddress('sign-on', 300, 0.2),
    /** Uploads of one person or token. */
    uploads: limit('upload', 2 * uploadsPerMinute, 60 / uploadsPerMinute),
    /**
     * Those that each server receives at once: unfinished ones count for no quota, and a slow client may take
     * minutes for each.
     */
    unfinishedUploads: new Gate({ perKey: 2 * uploadsPerMinute, retrySeconds: 5 }),
    /** Uploads by the bytes of their company's sources. Each server counts its own. */
    sourceBytes: new QuotaGate(),
    /** Calls of one person or token that each server works on, except uploads. */
    calls: new Gate({
      perKey: callLimits.atOnce,
      maxWaitingOfKey: callLimits.waiting,
      maxWaitingBytesOfKey: callLimits.waitingBytes,
      retrySeconds: 1,
    }),
    /** Large bodies of callers without an account that each server reads at once, by `addressOwner`. */
    largeBodies: new Gate({
      concurrency: bodyLimits.largeAtOnce,
      perKey: bodyLimits.largeOfAddress,
      retrySeconds: 5,
    }),
    /** Samples of one person, each up to 25 MB in memory. */
    samples: new Gate({ perKey: dictionaryLimits.samplesAtOnce, retrySeconds: 5 }),
    /** Downloads of one person that each server makes and sends at once. */
    downloads: new Gate({ perKey: downloadLimits.perPerson }),
    /** A client that takes no byte of a reply for this long is cut. */
    stalledMilliseconds: downloadLimits.stalled,
    /** Downloads that one person or token begins. */
    newDownloads: limit('download', downloadLimits.perMinute, 60 / downloadLimits.perMinute),
    /**
     * Searches of the history, its pages far back, and batches of its long pages and exports, by company and
     * person: each server for itself, so that other calls have connections and processor time.
     */
    longReads: new Gate({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
    /** Receipts, by company and person, for the same reason: each is some reads. */
    receipts: new Gate({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
