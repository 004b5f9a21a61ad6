import type { Deps } from '#deps.ts'
import { expireEntries } from '#audit/audit-chain.ts'
import { inParts } from '#platform/database/lists.ts'
import { hasClockJumped } from '#platform/database/marks.ts'

/** Deleted in one statement, well within its time limit. */
const MAX_AT_ONCE = 5000

/**
 * Deletes entries after their retention, oldest first, and returns how many. Deletes nothing after a jump of
 * the clock.
 */
export async function expireAuditTrail({ db }: Pick<Deps, 'db'>): Promise<number> {
  if (await hasClockJumped(db)) return 0
  return inParts(MAX_AT_ONCE, () => expireEntries(db, MAX_AT_ONCE))
}
