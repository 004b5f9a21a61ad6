import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { Database, SubmissionRow } from '#platform/database/tables.ts'
import { LEASE_HOLDER_LOCK, type Lease } from '#platform/jobs/leases.ts'
import { hasRow } from '#platform/database/lists.ts'
import { RESTORED } from '#platform/database/marks.ts'

/**
 * After this many seconds without a renewal another worker may take a run over. With `runMaintenance` every 5
 * s, that is within 30 s after a machine vanished. The database's clock decides, because clocks of servers
 * differ.
 */
export const LEASE_SECONDS = 24

/** The end of a lease that begins or is renewed now. */
export const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Whether no worker has the submission: no lease, an expired one, or one whose process no longer holds its
 * advisory lock and is dead. A lease that ends hours from now, set hours from now, is from before a clock was
 * set back.
 */
export const isUnleased: RawBuilder<boolean> = sql<boolean>`(
  lease_id is null or lease_until is null or lease_until < now()
  or (lease_until > now() + interval '1 hour' and updated_at > now() + interval '1 hour')
  or (lease_holder is not null and not exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${sql.lit(LEASE_HOLDER_LOCK)} and objid = lease_holder::oid
      and database = (select oid from pg_database where datname = current_database())
  ))
)`

/** Whether the database was restored from a backup after this upload, so that it may have forgotten runs. */
export const isFromBackup: RawBuilder<boolean> = sql<boolean>`
  coalesce(created_at < (select at from marks where name = ${RESTORED}), false)`

/** Locks the submission if it is in one of `statuses` and no worker has it. */
export function lockUnleased(
  trx: Transaction<Database>,
  id: number,
  statuses: readonly SubmissionStatus[],
): Promise<(SubmissionRow & { isFromBackup: boolean }) | undefined> {
  return trx
    .selectFrom('submissions')
    .where('id', '=', id)
    .where('status', 'in', statuses)
    .where(isUnleased)
    .selectAll()
    .select(isFromBackup.as('isFromBackup'))
    .forUpdate()
    .executeTakeFirst()
}

export const newLease = ({ id, holder }: Lease) => ({
  leaseId: id,
  leaseUntil: leaseEnd,
  leaseHolder: holder,
})
/** The columns at the end of a run, when the lease ends. */
export const withoutLease = { leaseId: null, leaseUntil: null, leaseHolder: null } as const

/** Sets a lease without a move, for ingestion, which stays in status 3. The row must be locked. */
export async function setLease(
  trx: Transaction<Database>,
  id: number,
  lease: Lease,
  targetPath: string,
): Promise<void> {
  await trx
    .updateTable('submissions')
    .set({ ...newLease(lease), targetPath, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}

/**
 * Changes the target path of a run, because its first one cannot be used. Returns false if the lease was
 * lost.
 */
export function changeTarget(
  db: Kysely<Database>,
  id: number,
  leaseId: string,
  targetPath: string,
): Promise<boolean> {
  const update = db.updateTable('submissions').set({ targetPath })
  return hasRow(update.where('id', '=', id).where('leaseId', '=', leaseId).returning('id'))
}

/** Extends the lease. Returns false if it was lost. */
export function renewLease(db: Kysely<Database>, id: number, leaseId: string): Promise<boolean> {
  const update = db.updateTable('submissions').set({ leaseUntil: leaseEnd })
  return hasRow(update.where('id', '=', id).where('leaseId', '=', leaseId).returning('id'))
}

/** Whether the run still has its lease. If so, no worker can take it over before the transaction ends. */
export function confirmLease(trx: Transaction<Database>, id: number, leaseId: string): Promise<boolean> {
  const leased = trx
    .selectFrom('submissions')
    .select('id')
    .where('id', '=', id)
    .where('leaseId', '=', leaseId)
  return hasRow(leased.forShare())
}

/** Ends the lease of an unfinished run, so that another worker can continue at once. */
export async function releaseLease(db: Kysely<Database>, id: number, leaseId: string): Promise<void> {
  await db
    .updateTable('submissions')
    .set(withoutLease)
    .where('id', '=', id)
    .where('leaseId', '=', leaseId)
    .execute()
}

/**
 * Whether the last move is in the future. 5 s are allowed, because synchronization corrects clocks by less.
 */
const isAhead: RawBuilder<boolean> = sql<boolean>`(updated_at > now() + interval '5 seconds')`

/**
 * Submissions that wait and that no worker has. Those in status 0 or 3 without an earlier run are included
 * only after 5 s, so that their own job can start first. `isAhead`: the last move is in the future, so a
 * clock was set back since.
 */
export function findUnsettled(
  db: Kysely<Database>,
  limit: number,
): Promise<(Pick<SubmissionRow, 'id' | 'companyId' | 'turn' | 'status'> & { isAhead: boolean })[]> {
  const { Uploaded, InProcess, ValidationPassed } = SubmissionStatus
  return db
    .selectFrom('submissions')
    .where('status', 'in', [Uploaded, InProcess, ValidationPassed])
    .where(isUnleased)
    .where((row) =>
      row.or([
        row('status', '=', InProcess),
        row('leaseId', 'is not', null),
        row('updatedAt', '<', sql<Date>`now() - interval '5 seconds'`),
        isAhead,
      ]),
    )
    .select(['id', 'companyId', 'turn', 'status', isAhead.as('isAhead')])
    .orderBy('id')
    .limit(limit)
    .execute()
}
