import { isFinal, mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { isExpression, sql, type UpdateObject } from 'kysely'
import { compileOnce, runPrepared } from '#platform/database/prepared-statements.ts'
import type { Database, Db, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { countRows, deleteOld } from '#platform/database/lists.ts'
import type { StatusEvent } from '#platform/live/status-bus.ts'
import { leaseEnd } from '#submissions/submission-leases.ts'

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
  const { from, to, leaseId = null, note = '', pathInFolder = null } = move
  const change = Object.entries(move.change ?? {}).filter(([, value]) => value !== undefined)
  const changed = change.map(([column, value]) => [parameterOf(column), value] as const)
  const values = { ...Object.fromEntries(changed), id, from, to, leaseId, note, pathInFolder }
  const form = { change, hasLease: leaseId !== null, hasPath: pathInFolder !== null }
  return (await runPrepared(trx, movement(form)(values)))[0]
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

/** In `WHERE`, the same column can have another parameter. */
const parameterOf = (column: string): string => `new ${column}`

type Change = [column: string, value: unknown][]
type Move = {
  id: number
  from: SubmissionStatus
  to: SubmissionStatus
  leaseId: string | null
  note: string
  pathInFolder: string | null
}
type Form = { change: Change; hasLease: boolean; hasPath: boolean }
const movements = new Map<string, ReturnType<typeof movementOf>>()

/** Expressions that are the same in every statement. */
const constants: readonly unknown[] = [now, leaseEnd]

/** The statement for changes of the same columns, compiled once if they have no expressions but constants. */
function movement(form: Form): ReturnType<typeof movementOf> {
  const { change, hasLease, hasPath } = form
  if (change.some(([, value]) => isExpression(value) && !constants.includes(value))) return movementOf(form)
  const columns = change.map(([column, value]) => `${column} ${constants.indexOf(value)}`)
  const key = `${hasLease} ${hasPath} ${columns.join()}`
  const known = movements.get(key) ?? movementOf(form)
  movements.set(key, known)
  return known
}

const movementOf = ({ change, hasLease, hasPath }: Form) =>
  compileOnce((db, values: Move & Record<string, unknown>) => {
    const { id, from, to, leaseId, note, pathInFolder } = values
    const targetPath = sql<string>`(
      select storage_folder from companies where companies.id = submissions.company_id for share
    ) || '/' || ${pathInFolder}::text`
    const changed: SubmissionChange = Object.fromEntries(
      change.map(([column, value]) => [column, isExpression(value) ? value : values[parameterOf(column)]]),
    )
    return db
      .with('moved', (query) =>
        query
          .updateTable('submissions')
          .set({ ...changed, ...(hasPath ? { targetPath } : {}), status: to, updatedAt: now })
          .where('id', '=', id)
          .where('status', '=', from)
          .$if(hasLease, (update) => update.where('leaseId', '=', leaseId))
          .returningAll(),
      )
      .with('recorded', (query) =>
        query
          .insertInto('submissionMoves')
          .columns(['submissionId', 'fromStatus', 'toStatus', 'leaseId', 'note'])
          .expression((row) =>
            row
              .selectFrom('moved')
              .select([
                'moved.id',
                sql`${from}::smallint`.as('fromStatus'),
                'moved.status',
                sql`coalesce(${leaseId}::uuid, moved.lease_id)`.as('moveLeaseId'),
                sql`${note}::text`.as('note'),
              ]),
          ),
      )
      .selectFrom('moved')
      .leftJoin('users as uploader', (join) =>
        join.onRef('uploader.id', '=', 'moved.userId').on('uploader.deletedAt', 'is', null),
      )
      .leftJoin('webhooks as webhook', 'webhook.companyId', 'moved.companyId')
      .selectAll('moved')
      .select([
        'uploader.name as uploaderName',
        'uploader.email as uploaderEmail',
        sql<boolean>`webhook.company_id is not null`.as('hasWebhook'),
      ])
  })

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
