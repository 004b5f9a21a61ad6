import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type RawBuilder } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import { asyncCommit } from '#platform/database/transaction.ts'
import type { SubmissionWork } from '#platform/jobs/job-bus.ts'
import { LEASE_HOLDER_LOCK, type Lease } from '#platform/jobs/leases.ts'
import { leaseEnd, LONGEST_DELAY_SECONDS } from '#submissions/submission-leases.ts'
import { pausedCompanies } from '#platform/access/upload-stop.ts'
import { RESTORED } from '#platform/database/marks.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

const { Uploaded, InProcess, ValidationPassed } = SubmissionStatus

/** `isTakenOver`: an earlier run began. `isFromBackup`: uploaded before a restore, which may forget runs. */
export type ClaimedSubmission = SubmissionRow & {
  leaseId: string
  isTakenOver: boolean
  isFromBackup: boolean
}

/** The conditions of the indexes of waiting submissions: PostgreSQL must find the same constants in both. */
export const isWaiting: Record<SubmissionWork, RawBuilder<boolean>> = {
  validateSubmission: sql`status in (0, 1) and lease_id is null`,
  ingestSubmission: sql`status = 3 and lease_id is null`,
}

/** A delay that is longer than any was set before a clock was set back. */
const isDue = sql`(lease_until is null or lease_until <= now()
  or lease_until > now() + make_interval(secs => ${LONGEST_DELAY_SECONDS}))`

/** Submissions of paused companies wait until the pause ends. */
export const isNotPaused = sql<boolean>`company_id not in (${pausedCompanies})`

type Run = { leaseId: string; holder: number | null }

/**
 * Sets the lease, moves 0 → 1, and records a move to 1; 1 → 1 is a takeover. If the commit is lost, the
 * submissions wait again, and the runs cannot write. Ids are an array: with a join PostgreSQL would read the
 * whole table while its statistics are from when it was small.
 */
export const claiming = ({ leaseId, holder }: Run, choice: RawBuilder<unknown>) =>
  sql<ClaimedSubmission>`
    with found as (
      select id, status from submissions where ${asyncCommit} and ${isNotPaused} and ${choice}
    ),
    moved as (
      update submissions
      set lease_id = ${leaseId}, lease_holder = ${holder}, lease_until = ${leaseEnd},
        updated_at = now(), status = case status when ${Uploaded} then ${InProcess} else status end
      where id = any(array(select id from found))
      returning *
    ),
    recorded as (
      insert into submission_moves (submission_id, from_status, to_status, lease_id, note)
      select id, found.status, moved.status, lease_id,
        case found.status when ${InProcess} then 'taken over' else '' end
      from moved join found using (id)
      where moved.status = ${InProcess}
    )
    select moved.*, found.status = ${InProcess} as is_taken_over,
      coalesce(created_at < (select at from marks where name = ${RESTORED}), false) as is_from_backup
    from moved join found using (id)
    order by turn, id`

/**
 * Takes none of `busy` companies, and at most the largest power of two up to `free`, because connections keep
 * a statement for each number. `isLast`: no more wait.
 */
export async function claimSubmissions(
  db: Db,
  work: SubmissionWork,
  { id: leaseId, holder }: Lease,
  { busy, free }: { busy: readonly number[]; free: number },
): Promise<{ claimed: ClaimedSubmission[]; isLast: boolean }> {
  const most = 2 ** Math.floor(Math.log2(free))
  // The number is part of the statement: for a parameter PostgreSQL would plan for a tenth of all that wait,
  // and read them all. With `company_id <> all (…)` it would expect none where there is one company.
  const choice = sql`${isWaiting[work]} and ${isDue} and not ${busy}::integer[] @> array[company_id]
    order by turn, id limit ${sql.lit(most)} for no key update skip locked`
  const claimed = await runPrepared(db, claiming({ leaseId, holder }, choice))
  return { claimed, isLast: claimed.length < most }
}

/**
 * Those that expired, or whose process died: it holds no advisory lock. A lease that ends hours from now is
 * from before a clock was set back. Returns the reason of each.
 */
export const releaseDeadLeases = (db: Db) =>
  rowsOf<{ id: number; reason: string }>(db)`
    with dead as materialized (
      select id, reason from submissions cross join lateral (
        select case
          when lease_until < now() then 'its worker is frozen, or its machine is gone'
          when lease_until > now() + interval '1 hour' and updated_at > now() + interval '1 hour'
            then 'a clock was set back'
          when lease_holder is not null and not exists (
            select from pg_locks
            where locktype = 'advisory' and classid = ${LEASE_HOLDER_LOCK} and objid = lease_holder::oid
              and database = (select oid from pg_database where datname = current_database())
          ) then 'its worker ended'
        end as reason
      ) as death
      where status in (${Uploaded}, ${InProcess}, ${ValidationPassed})
        and lease_until is not null and lease_id is not null and reason is not null
      for no key update of submissions skip locked
    )
    update submissions set lease_id = null, lease_until = null, lease_holder = null
    where id = any(array(select id from dead))
    returning id, (select reason from dead where dead.id = submissions.id)`

/** By name, with the number of their waiting files. */
export const findPausedCompanies = (db: Db): Promise<PausedCompany[]> =>
  rowsOf<PausedCompany>(db)`
    select id, name, paused_at, (
      select count(*) from submissions where company_id = companies.id
        and ((${isWaiting.validateSubmission}) or (${isWaiting.ingestSubmission}))
    ) as waiting
    from companies where id in (${pausedCompanies}) order by lower(name), id`
type PausedCompany = { id: number; name: string; pausedAt: Date; waiting: number }

/** By what is to be done with them, without those of paused companies. */
export async function countWaiting(db: Db): Promise<Map<SubmissionWork, number>> {
  const count = async (work: SubmissionWork) => {
    const { count } = await rowOf<{ count: number }>(db)`
      select count(*) from submissions where ${isWaiting[work]} and ${isNotPaused}`
    return [work, count] as const
  }
  return new Map(await Promise.all([count('validateSubmission'), count('ingestSubmission')]))
}
