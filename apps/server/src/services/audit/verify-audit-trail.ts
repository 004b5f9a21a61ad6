import type { Kysely } from 'kysely'
import type { Database } from '#db/tables.ts'
import {
  auditHash,
  findAuditChain,
  findLinkedEntries,
  findUnlinkedEntries,
  type LinkedEntry,
} from '#repositories/audit-chain.ts'

const MAX_AT_ONCE = 5000

/** `fault` names the first entry that differs; null if the chain holds. */
export type AuditProof = { entries: number; unlinked: number; fault: string | null }

/**
 * Calculates every hash again, from the oldest entry that is kept to the last one. Finds entries that were
 * changed, deleted, added or moved without the portal, also at the end. Does not find it if a superuser of
 * the database rewrote all hashes: only logs stored elsewhere show that. All reads see one state.
 */
export function verifyAuditTrail(db: Kysely<Database>): Promise<AuditProof> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const chain = await findAuditChain(trx)
      const [strayed] = await findLinkedEntries(trx, 0, 1)
      const unlinked = (await findUnlinkedEntries(trx, MAX_AT_ONCE)).length
      let [place, hash, entries] = [chain.removedPlace, chain.removedHash, 0]
      const proof = (fault: string | null): AuditProof => ({ entries, unlinked, fault })
      if (strayed !== undefined && strayed.place <= place)
        return proof(`Entry ${strayed.id} is there although it was deleted after its retention.`)
      for (;;) {
        const batch = await findLinkedEntries(trx, place, MAX_AT_ONCE)
        for (const entry of batch) {
          const fault = faultOf(entry, { place, hash })
          if (fault !== null) return proof(fault)
          ;[place, hash] = [entry.place, entry.hash]
          entries++
        }
        if (batch.length < MAX_AT_ONCE) break
      }
      if (place === chain.lastPlace && hash === chain.lastHash) return proof(null)
      return proof(
        place < chain.lastPlace
          ? `The last ${chain.lastPlace - place} entries are missing, after place ${place}.`
          : `The entry at place ${place} is not the one that was linked last.`,
      )
    })
}

function faultOf(entry: LinkedEntry, before: { place: number; hash: string }): string | null {
  const found = `entry ${entry.id} of ${entry.at.toISOString()} (${entry.action})`
  if (entry.place !== before.place + 1)
    return `An entry is missing at place ${before.place + 1}, before ${found}.`
  if (entry.hash !== auditHash(before.hash, entry))
    return `It breaks at ${found}, which is not as it was written, or not where.`
  return null
}
