import { changes } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { changeMaintenance } from '#platform/database/marks.ts'
import { inTransaction } from '#platform/database/transaction.ts'

/** Refuses all uploads, with a sentence for everybody; null: accepts them again. */
export function setMaintenance(message: string | null, deps: Pick<Deps, 'db' | 'caller'>): Promise<void> {
  return inTransaction(deps.db, async (trx) => {
    const before = await changeMaintenance(trx, message)
    const detail = changes({ message: before }, { message })
    await recordAudit({ action: 'operation.maintenance', subject: 'Maintenance mode', detail }, trx, deps)
  })
}
