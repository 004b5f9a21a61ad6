import type { Paging } from '@veridict/contract/api/paging'
import { mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql, type Insertable, type Kysely, type Transaction, type UpdateObject } from 'kysely'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Scope } from '#policies/scope.ts'
import { containsPattern, countRows } from '#repositories/lists.ts'

/** A row of the history. */
export type SubmissionSummary = Pick<
  SubmissionRow,
  'id' | 'fileName' | 'dictionaryName' | 'recordsCount' | 'createdAt' | 'status'
>
export type NewSubmission = Insertable<Database['submissions']>
export type SubmissionChange = Omit<UpdateObject<Database, 'submissions'>, 'status' | 'updatedAt'>

const inScope = (db: Kysely<Database>, scope: Scope) =>
  db
    .selectFrom('submissions')
    .where('companyId', '=', scope.companyId)
    .$if(scope.userId !== null, (query) => query.where('userId', '=', scope.userId as number))

/** Without a search there is no condition. */
const matching = (db: Kysely<Database>, scope: Scope, searchText: string) =>
  inScope(db, scope).$if(searchText !== '', (query) =>
    query.where('fileName', 'ilike', containsPattern(searchText)),
  )

export const countSubmissions = (db: Kysely<Database>, scope: Scope, searchText: string): Promise<number> =>
  countRows(matching(db, scope, searchText))

export async function countSubmissionsByStatus(
  db: Kysely<Database>,
): Promise<{ status: SubmissionStatus; count: number }[]> {
  return db
    .selectFrom('submissions')
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}

/** A page of the history, newest first. */
export function findSubmissions(
  db: Kysely<Database>,
  scope: Scope,
  paging: Paging,
): Promise<SubmissionSummary[]> {
  return matching(db, scope, paging.SearchText)
    .select(['id', 'fileName', 'dictionaryName', 'recordsCount', 'createdAt', 'status'])
    .orderBy('id', 'desc')
    .limit(paging.PageSize)
    .offset((paging.PageNumber - 1) * paging.PageSize)
    .execute()
}

/**
 * What a new live connection may have missed: submissions in motion, and those that came to rest in the last
 * minute.
 */
export function findRecentSubmissions(db: Kysely<Database>, scope: Scope): Promise<SubmissionSummary[]> {
  return inScope(db, scope)
    .where('updatedAt', '>', sql<Date>`now() - interval '1 minute'`)
    .select(['id', 'fileName', 'dictionaryName', 'recordsCount', 'createdAt', 'status'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** A submission that the viewer may see; what belongs to others looks as if it did not exist. */
export function findSubmission(
  db: Kysely<Database>,
  scope: Scope,
  id: number,
): Promise<SubmissionRow | undefined> {
  return inScope(db, scope).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Like `findSubmission`, and nobody else can move it until the transaction ends. */
export function lockSubmissionInScope(
  trx: Transaction<Database>,
  scope: Scope,
  id: number,
): Promise<SubmissionRow | undefined> {
  return inScope(trx, scope).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/** For jobs, which act for no viewer. Nobody else can move the submission until the transaction ends. */
export function lockSubmission(trx: Transaction<Database>, id: number): Promise<SubmissionRow | undefined> {
  return trx.selectFrom('submissions').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/** Adds a submission in status 0 with the first line of its history. */
export async function insertSubmission(
  trx: Transaction<Database>,
  submission: NewSubmission,
): Promise<SubmissionRow> {
  const row = await trx.insertInto('submissions').values(submission).returningAll().executeTakeFirstOrThrow()
  await recordMove(trx, row.id, null, row.status, null, '')
  return row
}

/**
 * Moves a submission if it still is where the caller thinks, and, where `leaseId` is given, if that lease
 * still holds it: a run that lost its lease cannot write. Every move is recorded. Answers the row after the
 * move, or undefined when it was refused. Throws on moves that `statusMoves` does not know. Decisions, "Life
 * of a submission".
 */
export async function moveSubmission(
  trx: Transaction<Database>,
  id: number,
  move: {
    from: SubmissionStatus
    to: SubmissionStatus
    leaseId?: string
    change?: SubmissionChange
    note?: string
  },
): Promise<SubmissionRow | undefined> {
  if (!mayMove(move.from, move.to))
    throw new Error(`A submission never moves from ${move.from} to ${move.to}`)
  const row = await trx
    .updateTable('submissions')
    .set({ ...move.change, status: move.to, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('status', '=', move.from)
    .$if(move.leaseId !== undefined, (query) => query.where('leaseId', '=', move.leaseId as string))
    .returningAll()
    .executeTakeFirst()
  if (row) await recordMove(trx, id, move.from, move.to, move.leaseId ?? row.leaseId, move.note ?? '')
  return row
}

async function recordMove(
  trx: Transaction<Database>,
  submissionId: number,
  fromStatus: SubmissionStatus | null,
  toStatus: SubmissionStatus,
  leaseId: string | null,
  note: string,
): Promise<void> {
  await trx
    .insertInto('submissionMoves')
    .values({ submissionId, fromStatus, toStatus, leaseId, note })
    .execute()
}

/** When the submission first passed validation. */
export async function findValidatedAt(db: Kysely<Database>, id: number): Promise<Date | undefined> {
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('toStatus', '=', SubmissionStatus.ValidationPassed)
  return (await moves.select('at').orderBy('id').executeTakeFirst())?.at
}

/** How often runs of this submission were taken over from a process that died. */
export function countTakeovers(db: Kysely<Database>, id: number): Promise<number> {
  const { InProcess } = SubmissionStatus
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('fromStatus', '=', InProcess)
  return countRows(moves.where('toStatus', '=', InProcess))
}

/** Counts one more failed attempt of the run that holds the lease; undefined when it no longer does. */
export async function countAttempt(
  db: Kysely<Database>,
  id: number,
  leaseId: string,
): Promise<number | undefined> {
  const update = db.updateTable('submissions').set({ attempts: sql<number>`attempts + 1` })
  return (
    await update.where('id', '=', id).where('leaseId', '=', leaseId).returning('attempts').executeTakeFirst()
  )?.attempts
}

/** Whether a submission has its source under this key. */
export async function isKnownSource(db: Kysely<Database>, storageKey: string): Promise<boolean> {
  const known = db.selectFrom('submissions').where('storageKey', '=', storageKey)
  return (await known.select('id').executeTakeFirst()) !== undefined
}

/**
 * The storage folder of a company, deleted or not: a file that was accepted still reaches it. The folder
 * stays what it is until the transaction ends, so whoever changes it afterwards sees the target that was
 * settled here.
 */
export async function lockStorageFolderForShare(
  trx: Transaction<Database>,
  companyId: number,
): Promise<string> {
  const company = trx.selectFrom('companies').where('id', '=', companyId).select('storageFolder').forShare()
  return (await company.executeTakeFirstOrThrow()).storageFolder
}

/** The uploader's address and name; letters go to deleted users as little as anything else. */
export function findUploader(
  db: Kysely<Database>,
  userId: number,
): Promise<{ name: string; email: string } | undefined> {
  return db
    .selectFrom('users')
    .where('id', '=', userId)
    .where('deletedAt', 'is', null)
    .select(['name', 'email'])
    .executeTakeFirst()
}

export async function markSourceDeleted(db: Kysely<Database>, id: number): Promise<void> {
  const deleted = { sourceDeletedAt: sql<Date>`now()` }
  await db.updateTable('submissions').set(deleted).where('id', '=', id).execute()
}

const { ValidationFailed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

/** Submissions whose source is not needed any more and not deleted yet. */
export function findSpentSources(
  db: Kysely<Database>,
  retentionDays: number,
  limit: number,
): Promise<Pick<SubmissionRow, 'id' | 'storageKey'>[]> {
  const isExpired = sql<boolean>`status = ${ValidationFailed} and settled_at < now() - make_interval(hours => ${retentionDays * 24})`
  return db
    .selectFrom('submissions')
    .where('sourceDeletedAt', 'is', null)
    .where((row) => row.or([row('status', 'in', [IngestionSuccess, IngestionFileNotFound]), isExpired]))
    .select(['id', 'storageKey'])
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Which of the keys belong to submissions whose source is not deleted. */
export async function findKeptSources(
  db: Kysely<Database>,
  storageKeys: readonly string[],
): Promise<string[]> {
  const kept = db.selectFrom('submissions').where('sourceDeletedAt', 'is', null)
  const rows = await kept
    .where('storageKey', '=', sql<string>`any(${[...storageKeys]}::text[])`)
    .select('storageKey')
    .execute()
  return rows.map(({ storageKey }) => storageKey)
}

/** Ids of storage errors that were uploaded longer ago than `days`. */
export async function findStorageErrorsOlderThan(db: Kysely<Database>, days: number): Promise<number[]> {
  const rows = await db
    .selectFrom('submissions')
    .where('status', '=', IngestionFailed)
    .where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${days * 24})`)
    .select('id')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
