import type { Deps } from '#deps.ts'
import { removeOldestEntries } from '#repositories/audit-chain.ts'
import { inParts } from '#repositories/lists.ts'
import { hasClockJumped } from '#repositories/marks.ts'

/** Deleted in one statement, well within its time limit. */
const MAX_AT_ONCE = 5000

/**
 * Deletes entries after their retention, oldest first, and returns how many. Deletes nothing after a jump of
 * the clock.
 */
export async function expireAuditTrail({ db, env }: Pick<Deps, 'db' | 'env'>): Promise<number> {
  if (await hasClockJumped(db)) return 0
  return inParts(MAX_AT_ONCE, () => removeOldestEntries(db, env.auditRetentionDays, MAX_AT_ONCE))
}
