import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import { LEASE_HOLDER_LOCK, type Lease } from '#drivers/leases.ts'

/**
 * How long a run may stay silent before others take it over, in seconds. With the look-out of
 * `recover-unsettled` every 5 s, a run on a machine that vanished is taken up in less than 30 s (reliability,
 * F5). Time is the database's: clocks of servers differ.
 */
export const LEASE_SECONDS = 24

const leaseEnd = sql<Date>`now() + make_interval(secs => ${LEASE_SECONDS})`

/**
 * Whether nobody works on the submission: no lease, an expired one, or one whose process is gone and so no
 * longer holds its advisory lock. A lease that would last for hours, of a run that began hours from now, was
 * given before a clock was set back.
 */
const isFree: RawBuilder<boolean> = sql<boolean>`(
  lease_id is null or lease_until is null or lease_until < now()
  or (lease_until > now() + interval '1 hour' and updated_at > now() + interval '1 hour')
  or (lease_holder is not null and not exists (
    select from pg_locks
    where locktype = 'advisory' and classid = ${sql.lit(LEASE_HOLDER_LOCK)} and objid = lease_holder::oid
      and database = (select oid from pg_database where datname = current_database())
  ))
)`

/**
 * Locks the submission if it stands in one of `statuses` and nobody works on it. Transactions on a submission
 * are short.
 */
export function lockUnleased(
  trx: Transaction<Database>,
  id: number,
  statuses: readonly SubmissionStatus[],
): Promise<SubmissionRow | undefined> {
  return trx
    .selectFrom('submissions')
    .where('id', '=', id)
    .where('status', 'in', statuses)
    .where(isFree)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** What a new lease sets. */
export const newLease = ({ id, holder }: Lease) => ({
  leaseId: id,
  leaseUntil: leaseEnd,
  leaseHolder: holder,
})
/** What the end of a run sets. */
export const withoutLease = { leaseId: null, leaseUntil: null, leaseHolder: null } as const

/** Gives a lease without a move, for ingestion, which works in status 3. The row must be locked. */
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

/** false when the lease was lost meanwhile. */
export async function renewLease(db: Kysely<Database>, id: number, leaseId: string): Promise<boolean> {
  const update = db.updateTable('submissions').set({ leaseUntil: leaseEnd })
  return (
    (await update.where('id', '=', id).where('leaseId', '=', leaseId).returning('id').executeTakeFirst()) !==
    undefined
  )
}

/** Whether the lease still holds; nobody can take the submission over before the transaction ends. */
export async function confirmLease(
  trx: Transaction<Database>,
  id: number,
  leaseId: string,
): Promise<boolean> {
  const held = trx.selectFrom('submissions').select('id').where('id', '=', id).where('leaseId', '=', leaseId)
  return (await held.forShare().executeTakeFirst()) !== undefined
}

/** Gives a run back unfinished, so that it can be taken up at once. */
export async function releaseLease(db: Kysely<Database>, id: number, leaseId: string): Promise<void> {
  await db
    .updateTable('submissions')
    .set(withoutLease)
    .where('id', '=', id)
    .where('leaseId', '=', leaseId)
    .execute()
}

/** Clocks that are kept right step by less. */
const isAhead: RawBuilder<boolean> = sql<boolean>`(updated_at > now() + interval '5 seconds')`

/**
 * Submissions that should be worked on and are not. Those that nobody began yet, in status 0 or 3, are left
 * some seconds for their own job to begin. `isAhead`: it last moved at a time that is still to come, so a
 * clock was set back since.
 */
export function findUnsettled(
  db: Kysely<Database>,
  limit: number,
): Promise<(Pick<SubmissionRow, 'id' | 'status'> & { isAhead: boolean })[]> {
  const { Uploaded, InProcess, ValidationPassed } = SubmissionStatus
  return db
    .selectFrom('submissions')
    .where('status', 'in', [Uploaded, InProcess, ValidationPassed])
    .where(isFree)
    .where((row) =>
      row.or([
        row('status', '=', InProcess),
        row('leaseId', 'is not', null),
        row('updatedAt', '<', sql<Date>`now() - interval '5 seconds'`),
        isAhead,
      ]),
    )
    .select(['id', 'status', isAhead.as('isAhead')])
    .orderBy('id')
    .limit(limit)
    .execute()
}
