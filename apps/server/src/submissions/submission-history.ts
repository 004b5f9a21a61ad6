import type { Paging } from '@veridict/contract/api/endpoint'
import { uploadLimits } from '@veridict/contract/limits'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import { inScope, type Scope } from '#platform/access/viewer.ts'
import type { GrowingList, Place } from '#platform/database/far-pages.ts'
import { type Counted, countRows, countUpToLimit, MAX_ID, pageOfFound } from '#platform/database/lists.ts'
import type { Database, Db, SubmissionRow } from '#platform/database/tables.ts'

export type SubmissionSummary = Pick<SubmissionRow, (typeof summary)[number]> & { uploadedBy: string }

/** An empty list of statuses means all statuses. */
export type HistoryFilter = Pick<Paging, 'SearchText'> & Statuses
type Statuses = { Status: readonly SubmissionStatus[] }

const { ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } = SubmissionStatus
const passedStatuses = [ValidationPassed, IngestionSuccess, IngestionFailed, IngestionFileNotFound]

const ofStatuses = (db: Db, scope: Scope, { Status }: Statuses) =>
  inScope(db, scope).$if(Status.length > 0, (query) => query.where('status', 'in', Status))

/** Counts up to a limit: a million rows take longer than a person waits. */
export const countSubmissions = (db: Db, scope: Scope, statuses: Statuses): Promise<Counted> =>
  countUpToLimit(db, ofStatuses(db, scope, statuses).select('id'))

const summary = [
  'id',
  'fileName',
  'dictionaryName',
  'recordsCount',
  'createdAt',
  'status',
  'errorRowCount',
  'warningRowCount',
] as const

/** The name at the upload; in rows that do not have it, that of today, also of a deleted user. */
const uploadedBy = (row: ExpressionBuilder<Database, 'submissions'>) => {
  const user = row.selectFrom('users').whereRef('users.id', '=', 'submissions.userId').select('users.name')
  const token = row
    .selectFrom('companyTokens')
    .whereRef('companyTokens.id', '=', 'submissions.tokenId')
    .select('companyTokens.name')
  return row.fn
    .coalesce('submissions.uploadedByName', user.$asScalar(), token.$asScalar())
    .$notNull()
    .as('uploadedBy')
}

/** Newest first. An upload adds its row in less than a minute. */
export function historyAsList(db: Db, scope: Scope): GrowingList<number> {
  const ids = inScope(db, scope).select('id').orderBy('id', 'desc').limit(1)
  const firstOf = async (query: typeof ids) => (await query.executeTakeFirst())?.id
  return {
    findStart: () => firstOf(ids.where('createdAt', '<', sql<Date>`now() - interval '1 minute'`)),
    countBefore: (id) => countRows(inScope(db, scope).where('id', '>', id)),
    skip: (id, count) => firstOf(ids.where('id', '<', id).offset(count - 1)),
  }
}

/** Newest first. Found by their ids alone, so that the rows before them are read from an index. */
export function findSubmissions(
  db: Db,
  scope: Scope,
  statuses: Statuses,
  { from, offset, limit }: Place<number> & { limit: number },
): Promise<SubmissionSummary[]> {
  return db
    .with('page', (query) =>
      ofStatuses(query as Db, scope, statuses)
        .$if(from !== undefined, (rows) => rows.where('submissions.id', '<=', from as number))
        .select('submissions.id')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset),
    )
    .selectFrom('submissions')
    .where('submissions.id', 'in', (query) => query.selectFrom('page').select('id'))
    .select(summary)
    .select(uploadedBy)
    .orderBy('id', 'desc')
    .execute()
}

/** Newest first. */
export function findSubmissionSummaries(
  db: Db,
  scope: Scope,
  ids: readonly number[],
): Promise<SubmissionSummary[]> {
  if (ids.length === 0) return Promise.resolve([])
  const rows = inScope(db, scope).where('id', '=', sql<number>`any(${ids}::integer[])`)
  return rows.select(summary).select(uploadedBy).orderBy('id', 'desc').execute()
}

/** Newest first. */
export function findSubmissionsBefore(
  db: Db,
  scope: Scope,
  filter: HistoryFilter,
  before: number | undefined,
  limit: number,
): Promise<SubmissionSummary[]> {
  const found = foundInSlices(scope, filter, { before, atMost: limit })
  return ofStatuses(db, scope, filter)
    .$if(filter.SearchText !== '', (query) =>
      query.where('id', '=', sql<number>`any(array(select ${found}))`),
    )
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .select(summary)
    .select(uploadedBy)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** undefined for those of others, as if they did not exist. */
export function findSubmissionSummary(db: Db, scope: Scope, id: number) {
  const found = inScope(db, scope).where('id', '=', id)
  return found.select(summary).select(['dictionaryVersionId', 'errorType', uploadedBy]).executeTakeFirst()
}

/** Newest first. */
export function findRecentSubmissions(db: Db, scope: Scope) {
  return inScope(db, scope)
    .where('updatedAt', '>', sql<Date>`now() - interval '1 minute'`)
    .select(['id', 'status', 'recordsCount'])
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

/** The newest upload of these bytes against a dictionary, of any version, among the newest of the scope. */
export function findEarlierSubmission(
  db: Db,
  scope: Scope,
  { dictionaryId, sha256 }: { dictionaryId: number; sha256: string },
) {
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

/** Newest first, for the same dictionary. Counts of causes are left out: megabytes for 1,000 wide files. */
export function findEarlierVerdicts(
  db: Db,
  scope: Scope,
  { id, dictionaryVersionId }: Pick<SubmissionRow, 'id' | 'dictionaryVersionId'>,
) {
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
export async function findCauseCounts(db: Db, id: number) {
  const found = db.selectFrom('submissions').where('id', '=', id).select('causeCounts')
  return (await found.executeTakeFirst())?.causeCounts ?? []
}

/** The newest `atMost` ids whose file names contain the text, before the submission `before`. */
const foundInSlices = (
  { companyId, userId, tokenId }: Scope,
  { SearchText, Status }: HistoryFilter,
  { before, atMost }: { before?: number | undefined; atMost: number },
): RawBuilder<number> =>
  sql`newest_submissions(${companyId}, ${userId}, ${tokenId}, ${Status}::smallint[], ${SearchText},
    ${before ?? MAX_ID}, ${atMost})`

export const searchSubmissions = (db: Db, scope: Scope, paging: Paging & HistoryFilter) =>
  pageOfFound(db, (atMost) => foundInSlices(scope, paging, { atMost }), paging)
