import { storageErrorTimes } from '@veridict/contract/limits'
import { sql } from 'kysely'
import type { Db, Trx } from '#platform/database/tables.ts'
import { hasRow } from '#platform/database/lists.ts'

/** A run is taken over within 30 s (`runMaintenance`: every 5 s). The clock of the database decides. */
export const LEASE_SECONDS = 24

export const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

export const withoutLease = { leaseId: null, leaseUntil: null, leaseHolder: null } as const

/** Changes a submission unless the lease was lost. */
const updateLeased = (db: Db, id: number, leaseId: string) =>
  db.updateTable('submissions').where('id', '=', id).where('leaseId', '=', leaseId)

/** Returns false if the lease was lost. */
export const changeTarget = (db: Db, id: number, leaseId: string, targetPath: string): Promise<boolean> =>
  hasRow(updateLeased(db, id, leaseId).set({ targetPath }).returning('id'))

/** Returns false if the lease was lost. */
export const renewLease = (db: Db, id: number, leaseId: string): Promise<boolean> =>
  hasRow(updateLeased(db, id, leaseId).set({ leaseUntil: leaseEnd }).returning('id'))

/** Whether the run still has its lease. If so, no worker can take it over before the transaction ends. */
export function confirmLease(trx: Trx, id: number, leaseId: string): Promise<boolean> {
  const leased = trx
    .selectFrom('submissions')
    .select('id')
    .where('id', '=', id)
    .where('leaseId', '=', leaseId)
  return hasRow(leased.forShare())
}

const RETRY_SECONDS = 5
/** A submission that waits longer for its next run does so because a clock was set back. */
export const LONGEST_DELAY_SECONDS = 60

/** Lets another worker continue: at once, or `isDelayed` after a failure that would soon happen again. */
export async function releaseLease(
  db: Db,
  id: number,
  leaseId: string,
  { isDelayed }: { isDelayed: boolean },
): Promise<void> {
  const delay = sql<Date>`now() + make_interval(secs => ${RETRY_SECONDS})`
  await updateLeased(db, id, leaseId)
    .set({ ...withoutLease, leaseUntil: isDelayed ? delay : null })
    .execute()
}

const { retryAfterMinutes, maxRetries } = storageErrorTimes

/** When a storage error is tried again by itself, after its `attempts` and one more; null: not any more. */
export const nextStorageRetry = sql<Date | null>`case when attempts < ${maxRetries}
  then now() + interval '1 minute' * (${retryAfterMinutes} * 2 ^ attempts) end`
