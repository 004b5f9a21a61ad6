import type { AuditEntryRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { linkNextEntries } from '#audit/audit-chain.ts'

/** Some milliseconds of work of the database. */
const MAX_AT_ONCE = 1000

/**
 * Links all committed entries, each to the one before it, and logs each in one line: with its hash, so that
 * logs stored elsewhere show whether the whole trail was rewritten. Several processes may call it; an
 * entry is linked and logged by one of them. See docs/ARCHITECTURE.md#audit-trail.
 */
export async function linkAuditTrail({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  let linked: AuditEntryRow[]
  do {
    linked = await linkNextEntries(db, MAX_AT_ONCE)
    for (const entry of linked) log.info(lineOf(entry), 'audit')
  } while (linked.length === MAX_AT_ONCE)
}

/** The line of the log. It has no subject, which may be the tried e-mail of a failed login, and no detail. */
const lineOf = ({ id, action, actorId, companyId, address, hash }: AuditEntryRow) => ({
  entry: id,
  action,
  actorId,
  companyId,
  address,
  outcome: action === 'login.failed' ? 'failure' : 'success',
  hash,
})
