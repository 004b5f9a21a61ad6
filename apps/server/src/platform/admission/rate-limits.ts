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
 * The addresses of an untrusted proxy fall into a few groups: a client without a proxy can invent another for
 * each request; behind a real one, one person's failures seldom count for others.
 */
function limitedAddress(address: string): string {
  const [sender = '', reported] = address.split(' ')
  if (reported === undefined) return address
  return `${sender} ${(bucketKey('reported address', reported)[0] ?? 0) % REPORTED_GROUPS}`
}

const firstWord = (key: string): string => key.split(' ')[0] ?? ''

/** Servers share all buckets, but not what runs at once. See docs/BEHAVIOUR.md#sessions-and-passwords. */
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
     * is free every 90 s. `session/count-guess.ts` limits those from all addresses.
     */
    loginsOfAccountFromAddress: limit('login of account', 9, 90),
    /** Failed logins. Many: an office may share an address. Then only accounts without any are checked. */
    loginsFromAddress: ofAddress('login', 200, 1),
    /** Failed logins of e-mails without an account that the audit trail records, of all callers together. */
    failedLoginEntries: limit('entry of a failed login', failuresAtOnce, secondsPerFailure),
    /** Right logins of one person, by password or single sign-on: others cannot use them up. */
    logins: limit('right login', sessionLimits.loginsAtOnce, sessionLimits.secondsPerLogin),
    /** Forgotten passwords and wrong links. The database limits e-mails per person. */
    resetsFromAddress: ofAddress('reset', 100, 2),
    /** Resets of one person that each server makes at once: more would be beyond those of an hour. */
    resets: new Gate({ perKey: passwordLimits.resetsPerHour }),
    /** Links of resets, one of an account at a time. None is refused: that would show the account exists. */
    links: new Gate({ concurrency: 3, perKey: 1 }),
    /** Links and single sign-ons without an account, so that other calls have connections to the database. */
    visitors: new Gate({ concurrency: 4, perGroup: 2, groupOf: addressOwner, maxWaiting: 200 }),
    /** Refreshes of each session, and of all, that each server works on: they wait for the session's row. */
    refreshesOfSession: new Gate({ perKey: 1, maxWaitingOfKey: 50, retrySeconds: 1 }),
    refreshes: new Gate({ concurrency: 3, maxWaitingOfKey: 10_000, retrySeconds: 1 }),
    /** 10 a second for ever, and a minute's worth at once. */
    tokenCalls: limit('call', 600, 0.1),
    /** Right or wrong, three for each login. High, because a whole office can share one address. */
    signOnsFromAddress: ofAddress('sign-on', 300, 0.2),
    /** Uploads of one person or token. */
    uploads: limit('upload', 2 * uploadsPerMinute, 60 / uploadsPerMinute),
    /** On each server: unfinished ones count for no quota, and a slow client may take minutes for each. */
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
    /** Each up to 25 MB in memory. */
    samples: new Gate({ perKey: dictionaryLimits.samplesAtOnce, retrySeconds: 5 }),
    /** Downloads of one person that each server makes and sends at once. */
    downloads: new Gate({ perKey: downloadLimits.perPerson }),
    /** A client that takes no byte of a reply for this long is cut. */
    stalledMilliseconds: downloadLimits.stalled,
    /** Downloads that one person or token begins. */
    newDownloads: limit('download', downloadLimits.perMinute, 60 / downloadLimits.perMinute),
    /** Searches, far pages, batches of long pages and exports, so that other calls have connections. */
    longReads: new Gate({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
    /** Receipts, by company and person, for the same reason: each is some reads. */
    receipts: new Gate({ concurrency: 3, perGroup: 2, groupOf: firstWord, maxWaiting: 200 }),
  }
}

export type RateLimits = ReturnType<typeof createRateLimits>
