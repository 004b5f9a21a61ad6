import { auditLimits } from '@veridict/contract/limits'
import { writeCount } from '@veridict/contract/notation/count'
import type { AuditChainRow, Db } from '#platform/database/tables.ts'
import {
  auditHash,
  countUnlinkedEntries,
  findAuditChain,
  findLinkedEntries,
  type LinkedEntry,
} from '#audit/audit-chain.ts'
import { foreignHead, type AuditHead } from '#audit/audit-head.ts'
import type { Signed } from '#platform/signing/receipt-keys.ts'

const DAY = 24 * 60 * 60 * 1000
const MAX_AT_ONCE = 5000

/** `fault`: the first entry that differs, or null. `removed`: what was deleted after its retention. */
export type AuditProof = {
  entries: number
  unlinked: number
  first: Date | null
  last: Date | null
  removed: { entries: number; from: Date | null; to: Date | null }
  fault: string | null
}

type Link = { place: number; hash: string }

/**
 * Calculates every hash again. Finds entries that were changed, deleted, added or moved past the portal, also
 * at the end. If the owner of the database rewrote all hashes or went back to an older state, only a `head`
 * or a log stored elsewhere shows it. All reads see one state.
 */
export function verifyAuditTrail(db: Db, head: Signed<AuditHead> | null = null): Promise<AuditProof> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const chain = await findAuditChain(trx)
      const removed = {
        entries: chain.removedPlace,
        from: chain.removedFrom ?? null,
        to: chain.removedTo ?? null,
      }
      const proof: AuditProof = { ...noEntries, unlinked: await countUnlinkedEntries(trx), removed }
      proof.fault =
        (head && ((await foreignHead(trx, head)) ?? faultOfEnds(head, chain))) ??
        faultOfRemoval(chain) ??
        (await walk(trx, chain, head, proof))
      return proof
    })
}

const noEntries = { entries: 0, first: null, last: null, fault: null }

/** Checks all entries, and counts them in `proof` up to a fault. */
async function walk(
  trx: Db,
  chain: AuditChainRow,
  head: AuditHead | null,
  proof: AuditProof,
): Promise<string | null> {
  const [strayed] = await findLinkedEntries(trx, 0, 1)
  if (strayed !== undefined && strayed.place <= chain.removedPlace)
    return `Entry ${strayed.id} is there although it was deleted after its retention.`
  let before: Link = { place: chain.removedPlace, hash: chain.removedHash }
  for (;;) {
    const batch = await findLinkedEntries(trx, before.place, MAX_AT_ONCE)
    for (const entry of batch) {
      const fault = faultOf(entry, before) ?? (head && faultOfHead(head, entry))
      if (fault !== null) return fault
      before = entry
      proof.entries++
      proof.first ??= entry.at
      proof.last = entry.at
    }
    if (batch.length < MAX_AT_ONCE) break
  }
  if (before.place === chain.lastPlace && before.hash === chain.lastHash) return null
  return before.place < chain.lastPlace
    ? `The last ${chain.lastPlace - before.place} entries are missing, after place ${before.place}.`
    : `The entry at place ${before.place} is not the one that was linked last.`
}

function faultOf(entry: LinkedEntry, before: Link): string | null {
  const found = `entry ${entry.id} of ${entry.at.toISOString()} (${entry.action})`
  if (entry.place !== before.place + 1)
    return `An entry is missing at place ${before.place + 1}, before ${found}.`
  if (entry.hash !== auditHash(before.hash, entry))
    return `It breaks at ${found}, which is not as it was written, or not where.`
  return null
}

const isTooYoung = (removed: Date, now: Date): boolean =>
  now.getTime() - removed.getTime() < auditLimits.minRetentionDays * DAY

/** Retention never deletes what is younger than its shortest time. A database of before 0029 has no time. */
const faultOfRemoval = ({ removedTo, now }: AuditChainRow & { now: Date }): string | null =>
  removedTo && isTooYoung(removedTo, now)
    ? `Entries up to ${removedTo.toISOString()} were deleted before their retention ended.`
    : null

function faultOfEnds(head: AuditHead, chain: AuditChainRow & { now: Date }): string | null {
  if (head.place > chain.lastPlace)
    return (
      `The trail was set back: it has ${writeCount(chain.lastPlace)} entries, and had ` +
      `${writeCount(head.place)} at ${head.at}.`
    )
  if (head.place < chain.removedPlace && isTooYoung(new Date(head.at), chain.now))
    return `The entries up to the head of ${head.at} were deleted before their retention ended.`
  return faultOfHead(head, { place: chain.removedPlace, hash: chain.removedHash })
}

const faultOfHead = (head: AuditHead, { place, hash }: Link): string | null =>
  place === head.place && hash !== head.hash
    ? `The trail was written anew: its entry at place ${place} is not the one of the head of ${head.at}.`
    : null
