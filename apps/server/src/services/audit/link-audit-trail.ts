import type { Deps } from '#deps.ts'
import {
  auditHash,
  findAuditChain,
  findUnlinkedEntries,
  linkEntries,
  type HashedEntry,
} from '#repositories/audit-chain.ts'

/** Some milliseconds of hashing, between which other work of the process can run. */
const MAX_AT_ONCE = 1000

/**
 * Links all committed entries, each to the one before it, and logs each in one line: with its hash, so that
 * logs stored elsewhere show whether the whole trail was rewritten. Several processes may call it; an
 * entry is linked and logged by one of them. See docs/ARCHITECTURE.md#audit-trail.
 */
export async function linkAuditTrail({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  for (;;) {
    // Before the entries: what another process links in between makes `linkEntries` return false.
    const { lastPlace, lastHash } = await findAuditChain(db)
    const entries = await findUnlinkedEntries(db, MAX_AT_ONCE)
    if (entries.length === 0) return
    let hash = lastHash
    const linked = entries.map((entry) => ({ ...entry, hash: (hash = auditHash(hash, entry)) }))
    if (await linkEntries(db, lastPlace, linked)) for (const entry of linked) log.info(lineOf(entry), 'audit')
  }
}

/** The line of the log. It has no subject, which may be the tried e-mail of a failed login, and no detail. */
const lineOf = ({ id, action, actorId, companyId, address, hash }: HashedEntry & { hash: string }) => ({
  entry: id,
  action,
  actorId,
  companyId,
  address,
  outcome: action === 'login.failed' ? 'failure' : 'success',
  hash,
})
