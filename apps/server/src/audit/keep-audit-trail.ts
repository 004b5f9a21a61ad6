import { expireEntries, linkNextEntries, setRetentionDays } from '#audit/audit-chain.ts'
import { changes, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { portalItself } from '#platform/access/viewer.ts'
import { openDatabase } from '#platform/database/database.ts'
import { hasClockJumped } from '#platform/database/marks.ts'
import type { AuditEntryRow, Db } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { rowsOf } from '#platform/database/rows.ts'

/** Some milliseconds of work of the database. */
const MAX_LINKED = 1000

/**
 * Links all committed entries, and logs each in one line with its hash, so that logs stored elsewhere show a
 * rewritten trail. One process at a time does it. See docs/ARCHITECTURE.md#audit-trail.
 */
export async function linkAuditTrail({ db, log }: Pick<Deps, 'db' | 'log'>): Promise<void> {
  let linked: AuditEntryRow[]
  do {
    linked = await linkNextEntries(db, MAX_LINKED)
    for (const entry of linked) log.info(lineOf(entry), 'audit')
  } while (linked.length === MAX_LINKED)
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

/** The age of the oldest entry that is not linked yet; 0 without one. */
export async function findAuditLag(db: Db): Promise<number> {
  const rows = await rowsOf<{ seconds: number }>(db)`
    select extract(epoch from clock_timestamp() - at)::float8 as seconds
    from audit_entries where place is null order by id limit 1`
  return Math.max(0, rows[0]?.seconds ?? 0)
}

/** Deleted in one statement, well within its time limit. */
const MAX_DELETED = 5000

/** Deletes entries after their retention, oldest first; returns how many. None after a jump of the clock. */
export async function expireAuditTrail({ db }: Pick<Deps, 'db'>): Promise<number> {
  if (await hasClockJumped(db)) return 0
  for (let sum = 0; ;) {
    const deleted = await expireEntries(db, MAX_DELETED)
    sum += deleted
    if (deleted < MAX_DELETED) return sum
  }
}

/** Acts as the database's owner: the portal's role must not shorten it. The trail records a change. */
export async function setAuditRetention(url: string, days: number): Promise<void> {
  await using owner = openDatabase(url)
  await inTransaction(owner, async (trx) => {
    const before = await setRetentionDays(trx, days)
    if (before === null) return
    const detail = changes({ days: before }, { days })
    await recordAudit({ action: 'retention.changed', subject: 'Audit trail', detail }, trx, {
      caller: portalItself,
    })
  })
}
