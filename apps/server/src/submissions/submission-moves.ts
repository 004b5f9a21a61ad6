import { isFinal, mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type UpdateObject } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Database, Db, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { countRows, deleteOld } from '#platform/database/lists.ts'
import type { StatusEvent } from '#platform/live/status-bus.ts'

export type SubmissionChange = Omit<UpdateObject<Database, 'submissions'>, 'status' | 'updatedAt'>

/** `uploader…`: null for deleted users and for tokens, which get no e-mail. */
export type MovedSubmission = SubmissionRow & {
  uploaderName: string | null
  uploaderEmail: string | null
  hasWebhook: boolean
}

/**
 * undefined unless the status is still `from` and, with `leaseId`, the run has that lease. Records the move.
 * Throws for a move that is not in `statusMoves`. See docs/BEHAVIOUR.md#life-of-a-submission.
 */
export async function moveSubmission(
  trx: Trx,
  id: number,
  move: {
    from: SubmissionStatus
    to: SubmissionStatus
    leaseId?: string
    change?: SubmissionChange
    /** Records a target path: this path below the present storage folder of the company, which is locked. */
    pathInFolder?: string
    note?: string
  },
): Promise<MovedSubmission | undefined> {
  if (!mayMove(move.from, move.to))
    throw new Error(`A submission never moves from ${move.from} to ${move.to}`)
  const { from, to, leaseId = null, note = '', pathInFolder } = move
  const changes = Object.entries(move.change ?? {})
    .filter(([, value]) => value !== undefined)
    .map(([column, value]) => sql`${sql.ref(column)} = ${value},`)
  if (pathInFolder !== undefined)
    changes.push(sql`target_path = (
      select storage_folder from companies where companies.id = submissions.company_id for share
    ) || '/' || ${pathInFolder}::text,`)
  const [moved] = await runPrepared(
    trx,
    sql<MovedSubmission>`
      with moved as (
        update submissions set ${sql.join(changes, sql` `)} status = ${to}, updated_at = now()
        where id = ${id} and status = ${from} ${leaseId === null ? sql`` : sql`and lease_id = ${leaseId}`}
        returning *
      ),
      recorded as (
        insert into submission_moves (submission_id, from_status, to_status, lease_id, note)
        select id, ${from}::smallint, status, coalesce(${leaseId}::uuid, lease_id), ${note}::text from moved
      )
      select moved.*, uploader.name as uploader_name, uploader.email as uploader_email,
        webhooks.company_id is not null as has_webhook
      from moved left join users as uploader on uploader.id = moved.user_id and uploader.deleted_at is null
      left join webhooks on webhooks.company_id = moved.company_id`,
  )
  return moved
}

export const toStatusEvent = ({
  id,
  status,
  recordsCount,
  companyId,
  userId,
}: SubmissionRow): StatusEvent => ({
  FileId: id,
  FilesStatus: status,
  RecordCount: recordsCount,
  companyId,
  userId,
})

/** The time of the transaction, in a change. */
export const now = sql<Date>`now()`

export async function findValidatedAt(db: Db, id: number): Promise<Date | undefined> {
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('toStatus', '=', SubmissionStatus.ValidationPassed)
  return (await moves.select('at').orderBy('id').executeTakeFirst())?.at
}

/** Deletes the moves older than `days` of submissions that move no more; returns how many. */
export const deleteOldMoves = (db: Db, days: number): Promise<number> =>
  deleteOld(
    db,
    { table: 'submission_moves', madeAt: 'at', days },
    sql`exists (select from submissions where id = old.submission_id
      and status = any (${Object.values(SubmissionStatus).filter(isFinal)}::smallint[]))`,
  )

const STORAGE_FAILURE = 'the storage failed'

/** Records that the run with this lease ended because of the storage, not because of its file. */
export async function noteStorageFailure(db: Db, id: number, leaseId: string): Promise<void> {
  const moves = db.updateTable('submissionMoves').set({ note: STORAGE_FAILURE })
  await moves.where('submissionId', '=', id).where('leaseId', '=', leaseId).execute()
}

/** How often a run of this submission was taken over, without runs that a storage failure ended. */
export function countTakeovers(db: Db, id: number): Promise<number> {
  const { InProcess } = SubmissionStatus
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('fromStatus', '=', InProcess)
    .where('note', '<>', STORAGE_FAILURE)
  return countRows(moves.where('toStatus', '=', InProcess))
}

/** Counts a failed attempt of the run with this lease; undefined if the run has lost the lease. */
export async function countAttempt(db: Db, id: number, leaseId: string): Promise<number | undefined> {
  const update = db.updateTable('submissions').set({ attempts: sql<number>`attempts + 1` })
  return (
    await update.where('id', '=', id).where('leaseId', '=', leaseId).returning('attempts').executeTakeFirst()
  )?.attempts
}
