import { openDatabase } from '#platform/database/database.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { portalItself } from '#platform/access/caller.ts'
import { setRetentionDays } from '#audit/audit-chain.ts'
import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'

/**
 * Tells the database after how many days it deletes entries of the audit trail: as its owner, because the
 * role of the portal must not shorten it. A change is in the trail itself.
 */
export async function setAuditRetention(url: string, days: number): Promise<void> {
  const owner = openDatabase(url)
  try {
    await inTransaction(owner, async (trx) => {
      const before = await setRetentionDays(trx, days)
      if (before === null || before === days) return
      const detail = changes({ days: before }, { days })
      await recordAudit({ action: 'retention.changed', subject: 'Audit trail', detail }, trx, {
        caller: portalItself,
      })
    })
  } finally {
    await owner.destroy()
  }
}
