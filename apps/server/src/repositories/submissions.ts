import type { Paging } from '@veridict/contract/api/paging'
import { uploadLimits } from '@veridict/contract/limits'
import { mayMove, SubmissionStatus } from '@veridict/contract/model/submission-status'
import {
  type ExpressionBuilder,
  sql,
  type Insertable,
  type Kysely,
  type RawBuilder,
  type Transaction,
  type UpdateObject,
  isExpression,
} from 'kysely'
import { compileOnce } from '#db/compile-once.ts'
import { runKept, runUnsynced } from '#db/statements.ts'
import type { Database, SubmissionRow } from '#db/tables.ts'
import type { Scope } from '#policies/scope.ts'
import type { Lease } from '#drivers/leases.ts'
import { presentVersionId } from '#repositories/dictionary-versions.ts'
import { type Counted, containsPattern, countRows, countUpToLimit, hasRow } from '#repositories/lists.ts'
import { isUnleased, newLease } from '#repositories/submission-leases.ts'

/** A row of the history. */
export type SubmissionSummary = Pick<
  SubmissionRow,
  'id' | 'fileName' | 'dictionaryName' | 'recordsCount' | 'createdAt' | 'status' | 'errorRowCount'
> & { uploadedBy: string }
/** What a page of the history shows. No statuses are all statuses. */
export type HistoryFilter = Pick<Paging, 'SearchText'> & { Status: readonly SubmissionStatus[] }
export type NewSubmission = Insertable<Database['submissions']>
export type SubmissionChange = Omit<UpdateObject<Database, 'submissions'>, 'status' | 'updatedAt'>

const { ValidationFailed, ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } =
  SubmissionStatus
const passedStatuses = [ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound]

export const inScope = (db: Kysely<Database>, scope: Scope) =>
  db
    .selectFrom('submissions')
    .where('companyId', '=', scope.companyId)
    .$if(scope.userId !== null, (query) => query.where('userId', '=', scope.userId))
    .$if(scope.tokenId !== null, (query) => query.where('tokenId', '=', scope.tokenId))

/** Whether the file name contains the text, without regard to case. */
export const isFound = (searchText: string): RawBuilder<boolean> =>
  sql`file_name ilike ${containsPattern(searchText)}`

/** Without a search, and without statuses, there is no condition. */
const matching = (db: Kysely<Database>, scope: Scope, { SearchText, Status }: HistoryFilter) =>
  inScope(db, scope)
    .$if(SearchText !== '', (query) => query.where(isFound(SearchText)))
    .$if(Status.length > 0, (query) => query.where('status', 'in', Status))

/** Counts up to a limit: a million rows take longer than a person waits. */
export const countSubmissions = (
  db: Kysely<Database>,
  scope: Scope,
  filter: HistoryFilter,
): Promise<Counted> => countUpToLimit(db, matching(db, scope, filter).select('id'))

const summary = [
  'id',
  'fileName',
  'dictionaryName',
  'recordsCount',
  'createdAt',
  'status',
  'errorRowCount',
] as const

/** The name of the user or token, also of one that was deleted or revoked since. */
const uploadedBy = (row: ExpressionBuilder<Database, 'submissions'>) => {
  const user = row.selectFrom('users').whereRef('users.id', '=', 'submissions.userId').select('users.name')
  const token = row
    .selectFrom('companyTokens')
    .whereRef('companyTokens.id', '=', 'submissions.tokenId')
    .select('companyTokens.name')
  return row.fn.coalesce(user.$asScalar(), token.$asScalar()).$notNull().as('uploadedBy')
}

export async function countSubmissionsByStatus(
  db: Kysely<Database>,
): Promise<{ status: SubmissionStatus; count: number }[]> {
  return db
    .selectFrom('submissions')
    .select((row) => ['status', row.fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute()
}

/** Work that must end: what waits for a verdict or to be stored, and storage errors, which can be retried. */
export const unsettledStatuses = [
  SubmissionStatus.Uploaded,
  SubmissionStatus.InProcess,
  SubmissionStatus.ValidationPassed,
  SubmissionStatus.IngestionFailed,
] as const

/** Exact counts of those, and the age of the oldest that works goes on with; 0 if there is none. */
export async function countUnsettled(
  db: Kysely<Database>,
): Promise<{ counts: Map<SubmissionStatus, number>; oldestWaitingSeconds: number }> {
  const rows = await db
    .selectFrom('submissions')
    .select((row) => [
      'status',
      row.fn.countAll<number>().as('count'),
      sql<number>`extract(epoch from now() - min(created_at))::float8`.as('age'),
    ])
    .where('status', 'in', unsettledStatuses)
    .groupBy('status')
    .execute()
  const waiting = rows.filter(({ status }) => status !== SubmissionStatus.IngestionFailed)
  return {
    counts: new Map(rows.map(({ status, count }) => [status, count])),
    oldestWaitingSeconds: Math.max(0, ...waiting.map(({ age }) => age)),
  }
}

/**
 * A page of the history, newest first, and one row more if there is one. The page is cut from ids alone, so
 * that the rows before it are read from an index.
 */
export function findSubmissions(
  db: Kysely<Database>,
  scope: Scope,
  paging: Paging & HistoryFilter,
): Promise<SubmissionSummary[]> {
  return db
    .with('page', (query) =>
      matching(query as Kysely<Database>, scope, paging)
        .select('submissions.id')
        .orderBy('id', 'desc')
        .limit(paging.PageSize + 1)
        .offset((paging.PageNumber - 1) * paging.PageSize),
    )
    .selectFrom('submissions')
    .where('submissions.id', 'in', (query) => query.selectFrom('page').select('id'))
    .select(summary)
    .select(uploadedBy)
    .orderBy('id', 'desc')
    .execute()
}

/** Rows of the history by their ids, newest first. */
export function findSubmissionSummaries(
  db: Kysely<Database>,
  scope: Scope,
  ids: readonly number[],
): Promise<SubmissionSummary[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = inScope(db, scope).where('id', '=', sql<number>`any(${ids}::integer[])`)
  return rows.select(summary).select(uploadedBy).orderBy('id', 'desc').execute()
}

/** Rows of the history before the submission `before`, newest first. */
export function findSubmissionsBefore(
  db: Kysely<Database>,
  scope: Scope,
  filter: HistoryFilter,
  before: number | undefined,
  limit: number,
): Promise<SubmissionSummary[]> {
  return matching(db, scope, filter)
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .select(summary)
    .select(uploadedBy)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** A row of the history; undefined for those of others, as if they did not exist. */
export function findSubmissionSummary(
  db: Kysely<Database>,
  scope: Scope,
  id: number,
): Promise<SubmissionSummary | undefined> {
  return inScope(db, scope).where('id', '=', id).select(summary).select(uploadedBy).executeTakeFirst()
}

/** Submissions that moved in the last minute, newest first. */
export function findRecentSubmissions(
  db: Kysely<Database>,
  scope: Scope,
): Promise<Pick<SubmissionRow, 'id' | 'status' | 'recordsCount'>[]> {
  return inScope(db, scope)
    .where('updatedAt', '>', sql<Date>`now() - interval '1 minute'`)
    .select(['id', 'status', 'recordsCount'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** An upload of the same bytes. */
export type EarlierSubmission = Pick<
  SubmissionRow,
  'id' | 'fileName' | 'createdAt' | 'status' | 'cellErrorCount'
>

/** The newest upload of these bytes against a dictionary, of any version, among the newest of the scope. */
export function findEarlierSubmission(
  db: Kysely<Database>,
  scope: Scope,
  { dictionaryId, sha256 }: { dictionaryId: number; sha256: string },
): Promise<EarlierSubmission | undefined> {
  const newest = inScope(db, scope).selectAll().orderBy('id', 'desc').limit(uploadLimits.maxEarlierUploads)
  return db
    .selectFrom(newest.as('newest'))
    .innerJoin('dictionaryVersions', 'dictionaryVersions.id', 'newest.dictionaryVersionId')
    .where('newest.sha256', '=', sha256)
    .where('dictionaryVersions.dictionaryId', '=', dictionaryId)
    .select(['newest.id', 'newest.fileName', 'newest.createdAt', 'newest.status', 'newest.cellErrorCount'])
    .orderBy('newest.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export type PreviousSubmission = Pick<SubmissionRow, 'id' | 'fileName' | 'createdAt'>

/**
 * Earlier uploads against the same dictionary, of any version, newest first, that passed or whose causes are
 * known, among the newest of the scope. Without the counts, which for a thousand wide files are megabytes.
 */
export function findEarlierVerdicts(
  db: Kysely<Database>,
  scope: Scope,
  { id, dictionaryVersionId }: Pick<SubmissionRow, 'id' | 'dictionaryVersionId'>,
): Promise<PreviousSubmission[]> {
  const versions = db
    .selectFrom('dictionaryVersions as other')
    .innerJoin('dictionaryVersions as own', 'own.dictionaryId', 'other.dictionaryId')
    .where('own.id', '=', dictionaryVersionId)
    .select('other.id')
  const newest = inScope(db, scope)
    .where('id', '<', id)
    .select(['id', 'fileName', 'createdAt', 'causeCounts', 'status', 'dictionaryVersionId'])
    .orderBy('id', 'desc')
    .limit(uploadLimits.maxEarlierUploads)
  return db
    .selectFrom(newest.as('newest'))
    .where('dictionaryVersionId', 'in', versions)
    .where((row) => row.or([row('causeCounts', 'is not', null), row('status', 'in', passedStatuses)]))
    .select(['id', 'fileName', 'createdAt'])
    .orderBy('id', 'desc')
    .execute()
}

/** Id and cells of the causes of a submission; none where it passed. */
export async function findCauseCounts(
  db: Kysely<Database>,
  id: number,
): Promise<NonNullable<SubmissionRow['causeCounts']>> {
  const found = db.selectFrom('submissions').where('id', '=', id).select('causeCounts')
  return (await found.executeTakeFirst())?.causeCounts ?? []
}

/** A submission in the scope; undefined for those of others, as if they did not exist. */
export function findSubmission(
  db: Kysely<Database>,
  scope: Scope,
  id: number,
): Promise<SubmissionRow | undefined> {
  return inScope(db, scope).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Like `findSubmission`, locked until the transaction ends. */
export function lockSubmissionInScope(
  trx: Transaction<Database>,
  scope: Scope,
  id: number,
): Promise<SubmissionRow | undefined> {
  return inScope(trx, scope).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/** A submission of any company, for jobs. Locked until the transaction ends. */
export function lockSubmission(trx: Transaction<Database>, id: number): Promise<SubmissionRow | undefined> {
  return trx.selectFrom('submissions').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/**
 * The turn of a company's next file: after the company's files that wait, else beside the first one that
 * waits at all. So the k-th file of one company is validated before file k + 1 of another, however many that
 * one uploaded before, and a company whose files never stop coming cannot pass those that wait already
 * (start-time fair queueing; Goyal, Vin, Cheng 1996).
 */
const nextTurn = (companyId: number): RawBuilder<number> => sql<number>`coalesce(
  (select max(turn) + 1 from submissions where status = 0 and company_id = ${companyId}),
  first_waiting_turn(),
  0)`

type UploadedSubmission = Pick<
  NewSubmission,
  | 'companyId'
  | 'userId'
  | 'tokenId'
  | 'dictionaryName'
  | 'fileName'
  | 'fileKind'
  | 'bytes'
  | 'sha256'
  | 'storageKey'
  | 'status'
  | 'traceparent'
> & { dictionaryId: number; revision: number }

const insertion = compileOnce((db, given: UploadedSubmission) => {
  const { companyId, dictionaryId: id, revision } = given
  return db
    .with('moved', (query) =>
      query
        .insertInto('submissions')
        .values({
          companyId,
          userId: given.userId,
          tokenId: given.tokenId,
          dictionaryVersionId: presentVersionId({ id, revision }),
          dictionaryName: given.dictionaryName,
          fileName: given.fileName,
          fileKind: given.fileKind,
          bytes: given.bytes,
          sha256: given.sha256,
          storageKey: given.storageKey,
          status: given.status,
          traceparent: given.traceparent,
          turn: nextTurn(companyId),
        })
        .returningAll(),
    )
    .with('recorded', (query) =>
      query
        .insertInto('submissionMoves')
        .columns(['submissionId', 'toStatus'])
        .expression((row) => row.selectFrom('moved').select(['moved.id', 'moved.status'])),
    )
    .selectFrom('moved')
    .selectAll()
})

/**
 * Adds a submission in status 0 with the first entry of its history, in one statement. It is validated
 * against the present version of the dictionary, which must be locked.
 */
export async function insertSubmission(
  trx: Transaction<Database>,
  submission: UploadedSubmission,
): Promise<SubmissionRow> {
  return (await runKept(trx, insertion(submission)))[0] as SubmissionRow
}

/**
 * Moves a submission if it is still in status `from`, and, with `leaseId`, if the run still has that lease.
 * Records the move in the same statement. Returns the row after it, or undefined if it was refused. Throws
 * for a move that is not in `statusMoves`. See docs/BEHAVIOUR.md#life-of-a-submission.
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
  const { from, to, leaseId = null, note = '' } = move
  const change = Object.entries(move.change ?? {}).filter(([, value]) => value !== undefined)
  const changed = change.map(([column, value]) => [columnPlace(column), value] as const)
  const given = { ...Object.fromEntries(changed), id, from, to, leaseId, note }
  return (await runKept(trx, movement(change, leaseId !== null)(given)))[0]
}

/** The time of the transaction, in a change. */
export const now = sql<Date>`now()`

/** In `WHERE` the same column can have another value. */
const columnPlace = (column: string): string => `new ${column}`

type Change = [column: string, value: unknown][]
type Move = { id: number; from: SubmissionStatus; to: SubmissionStatus; leaseId: string | null; note: string }
const movements = new Map<string, ReturnType<typeof movementOf>>()

/** The statement for changes of the same columns, compiled once if they have no expression but `now`. */
function movement(change: Change, hasLease: boolean): ReturnType<typeof movementOf> {
  if (change.some(([, value]) => isExpression(value) && value !== now)) return movementOf(change, hasLease)
  const columns = change.map(([column, value]) => (value === now ? `${column} now` : column))
  const key = `${hasLease} ${columns.join()}`
  const known = movements.get(key) ?? movementOf(change, hasLease)
  movements.set(key, known)
  return known
}

/** In the order in which each move selects its values. */
const ofMove = ['submissionId', 'fromStatus', 'toStatus', 'leaseId', 'note'] as const

const movementOf = (change: Change, hasLease: boolean) =>
  compileOnce((db, given: Move & Record<string, unknown>) => {
    const { id, from, to, leaseId, note } = given
    const changed: SubmissionChange = Object.fromEntries(
      change.map(([column, value]) => [column, isExpression(value) ? value : given[columnPlace(column)]]),
    )
    return db
      .with('moved', (query) =>
        query
          .updateTable('submissions')
          .set({ ...changed, status: to, updatedAt: now })
          .where('id', '=', id)
          .where('status', '=', from)
          .$if(hasLease, (update) => update.where('leaseId', '=', leaseId))
          .returningAll(),
      )
      .with('recorded', (query) =>
        query
          .insertInto('submissionMoves')
          .columns(ofMove)
          .expression((row) =>
            row
              .selectFrom('moved')
              .select([
                'moved.id',
                sql<SubmissionStatus>`${from}::smallint`.as('fromStatus'),
                'moved.status',
                sql<string | null>`coalesce(${leaseId}::uuid, moved.lease_id)`.as('moveLeaseId'),
                sql<string>`${note}::text`.as('note'),
              ]),
          ),
      )
      .selectFrom('moved')
      .selectAll()
  })

/** A submission whose run has just begun. */
export type StartedSubmission = SubmissionRow & { isTakenOver: boolean }

const start = compileOnce(
  (db, { id, leaseId, holder }: { id: number; leaseId: string; holder: number | null }) => {
    const { Uploaded, InProcess } = SubmissionStatus
    return db
      .with('found', (query) =>
        query
          .selectFrom('submissions')
          .where('id', '=', id)
          .where('status', 'in', [Uploaded, InProcess])
          .where(isUnleased)
          .select(['id', 'status'])
          .forUpdate(),
      )
      .with('moved', (query) =>
        query
          .updateTable('submissions')
          .from('found')
          .set({ ...newLease({ id: leaseId, holder }), status: InProcess, updatedAt: now })
          .whereRef('submissions.id', '=', 'found.id')
          .returningAll('submissions'),
      )
      .with('recorded', (query) =>
        query
          .insertInto('submissionMoves')
          .columns(ofMove)
          .expression((row) =>
            row
              .selectFrom('moved')
              .innerJoin('found', 'found.id', 'moved.id')
              .select([
                'moved.id',
                'found.status as fromStatus',
                'moved.status',
                'moved.leaseId',
                sql<string>`case found.status when ${InProcess} then 'taken over' else '' end`.as('note'),
              ]),
          ),
      )
      .selectFrom('moved')
      .innerJoin('found', 'found.id', 'moved.id')
      .selectAll('moved')
      .select((row) => row('found.status', '=', InProcess).as('isTakenOver'))
      .$castTo<StartedSubmission>()
  },
)

/**
 * Moves a submission that no worker has, 0 → 1, or 1 → 1 if the worker of an earlier run died, and gives it
 * to the run with this lease; in one statement, with the entry of its history. undefined in other statuses.
 */
export async function startValidation(
  db: Kysely<Database>,
  id: number,
  lease: Lease,
): Promise<StartedSubmission | undefined> {
  const given = { id, leaseId: lease.id, holder: lease.holder }
  // Lost, it is in status 0 again, with its job, and the run cannot write.
  return (await runUnsynced(db, start(given)))[0]
}

/** When the submission first passed validation. */
export async function findValidatedAt(db: Kysely<Database>, id: number): Promise<Date | undefined> {
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('toStatus', '=', SubmissionStatus.ValidationPassed)
  return (await moves.select('at').orderBy('id').executeTakeFirst())?.at
}

const STORAGE_FAILURE = 'the storage failed'

/** Notes that the run with this lease ended for no fault of its file. */
export async function noteStorageFailure(db: Kysely<Database>, id: number, leaseId: string): Promise<void> {
  const moves = db.updateTable('submissionMoves').set({ note: STORAGE_FAILURE })
  await moves.where('submissionId', '=', id).where('leaseId', '=', leaseId).execute()
}

/** How often a run of this submission was taken over, without runs that a storage failure ended. */
export function countTakeovers(db: Kysely<Database>, id: number): Promise<number> {
  const { InProcess } = SubmissionStatus
  const moves = db
    .selectFrom('submissionMoves')
    .where('submissionId', '=', id)
    .where('fromStatus', '=', InProcess)
    .where('note', '<>', STORAGE_FAILURE)
  return countRows(moves.where('toStatus', '=', InProcess))
}

/** Counts a failed attempt of the run with this lease; undefined if the run has lost the lease. */
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

/** Whether a submission has this storage key, and its source was not deleted. */
export function isKeptSource(db: Kysely<Database>, storageKey: string): Promise<boolean> {
  const kept = db.selectFrom('submissions').where('storageKey', '=', storageKey)
  return hasRow(kept.where('sourceDeletedAt', 'is', null).select('id'))
}

const storageFolder = compileOnce((db, { companyId }: { companyId: number }) =>
  db.selectFrom('companies').where('id', '=', companyId).select('storageFolder').forShare(),
)

/**
 * The storage folder of a company, also of a deleted one, whose accepted files are still stored. The folder
 * cannot change until the transaction ends; a later change sees the target path that the transaction set.
 */
export async function lockStorageFolderForShare(
  trx: Transaction<Database>,
  companyId: number,
): Promise<string> {
  const [found] = await runKept(trx, storageFolder({ companyId }))
  return (found as { storageFolder: string }).storageFolder
}

const uploader = compileOnce((db, { userId }: { userId: number | null }) =>
  db.selectFrom('users').where('id', '=', userId).where('deletedAt', 'is', null).select(['name', 'email']),
)

/** Name and e-mail address of a user; undefined for deleted users and for tokens, which get no e-mail. */
export async function findUploader(
  db: Kysely<Database>,
  userId: number | null,
): Promise<{ name: string; email: string } | undefined> {
  return (await runKept(db, uploader({ userId })))[0]
}

/** The e-mail address of a user or the name of a token, also of one that was deleted or revoked since. */
export async function findUploaderAddress(
  db: Kysely<Database>,
  { userId, tokenId }: Pick<SubmissionRow, 'userId' | 'tokenId'>,
): Promise<string> {
  const user = db.selectFrom('users').where('id', '=', userId).select('email as address')
  const token = db.selectFrom('companyTokens').where('id', '=', tokenId).select('name as address')
  return (await user.unionAll(token).executeTakeFirstOrThrow()).address
}

export async function markSourceDeleted(db: Kysely<Database>, id: number): Promise<void> {
  const deleted = { sourceDeletedAt: sql<Date>`now()` }
  // Lost, the sweep deletes the source again.
  await runUnsynced(db, db.updateTable('submissions').set(deleted).where('id', '=', id))
}

/** Lets the sweep look again at a submission in status 4 or 6, and returns it; undefined in another one. */
export function forgetSourceDeleted(db: Kysely<Database>, id: number): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submissions')
    .set({ sourceDeletedAt: null })
    .where('id', '=', id)
    .where('status', 'in', [IngestionSuccess, IngestionFileNotFound])
    .returningAll()
    .executeTakeFirst()
}

/** Bytes of the sources that are kept for a company. */
export async function sumKeptBytes(db: Kysely<Database>, companyId: number): Promise<number> {
  const kept = db.selectFrom('submissions').where('companyId', '=', companyId)
  const { bytes } = await kept
    .where('sourceDeletedAt', 'is', null)
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes
}

/** Companies for whom more than `limit` bytes of sources are kept. */
export function findCompaniesAbove(
  db: Kysely<Database>,
  limit: number,
): Promise<{ companyId: number; bytes: number }[]> {
  const bytes = sql<number>`sum(bytes)::bigint`
  return db
    .selectFrom('submissions')
    .where('sourceDeletedAt', 'is', null)
    .groupBy('companyId')
    .having(bytes, '>', limit)
    .select(['companyId', bytes.as('bytes')])
    .orderBy('companyId')
    .execute()
}

const ofUnneeded = [
  'id',
  'companyId',
  'fileName',
  'storageKey',
  'sha256',
  'createdAt',
  'targetPath',
  'status',
  'updatedAt',
] as const

/**
 * Submissions whose source is no longer needed and not deleted yet, after the id `after`, in the order of
 * ids.
 */
export function findUnneededSources(
  db: Kysely<Database>,
  retentionDays: number,
  after: number,
  limit: number,
): Promise<Pick<SubmissionRow, (typeof ofUnneeded)[number]>[]> {
  const retention = sql`make_interval(hours => ${retentionDays * 24})`
  const isExpired = sql<boolean>`status = ${ValidationFailed} and settled_at < now() - ${retention}`
  return db
    .selectFrom('submissions')
    .where('sourceDeletedAt', 'is', null)
    .where('id', '>', after)
    .where((row) => row.or([row('status', 'in', [IngestionSuccess, IngestionFileNotFound]), isExpired]))
    .select(ofUnneeded)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The keys of submissions whose source is not deleted. */
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

/** Ids of storage errors that were uploaded more than `days` ago. */
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
