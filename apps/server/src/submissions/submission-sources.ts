import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import type { Db, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { asyncCommit } from '#platform/database/transaction.ts'
import { pausedCompanies } from '#platform/access/upload-stop.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { nextStorageRetry, withoutLease } from '#submissions/submission-leases.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

const { ValidationFailed, IngestionSuccess, IngestionFailed, IngestionFileNotFound } = SubmissionStatus

const sourceDeleted = (db: Db, id: number) =>
  db
    .updateTable('submissions')
    .set({ sourceDeletedAt: sql<Date>`now()` })
    .where('id', '=', id)

export async function markSourceDeleted(db: Db, id: number): Promise<void> {
  // Asynchronous commit: if a crash of the database undoes it, the sweep deletes the source again.
  await runPrepared(db, sourceDeleted(db, id).where(asyncCommit))
}

/** Called before it is deleted. */
export async function recordSourceDeleted(trx: Trx, id: number): Promise<void> {
  await sourceDeleted(trx, id).execute()
}

/** Makes the sweep check a submission in status 4 or 6 again, and returns it; undefined in other statuses. */
export function forgetSourceDeleted(db: Db, id: number): Promise<SubmissionRow | undefined> {
  return db
    .updateTable('submissions')
    .set({ sourceDeletedAt: null })
    .where('id', '=', id)
    .where('status', 'in', [IngestionSuccess, IngestionFileNotFound])
    .returningAll()
    .executeTakeFirst()
}

export async function sumSourceBytes(db: Db, companyId: number): Promise<number> {
  const undeleted = db.selectFrom('submissions').where('companyId', '=', companyId)
  const { bytes } = await undeleted
    .where('sourceDeletedAt', 'is', null)
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .executeTakeFirstOrThrow()
  return bytes
}

/** The total bytes of all files, of any company, that may still be copied to their companies' folders. */
export const sumUnstoredBytes = async (db: Db): Promise<number> =>
  (await rowOf<{ bytes: number }>(db)`select unstored_bytes() as bytes`).bytes

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

/** Sorted by id. Materialized: for the first ones PostgreSQL would read all in that order. */
export function findUnneededSources(db: Db, retentionDays: number, after: number, limit: number) {
  const retention = sql`make_interval(hours => ${retentionDays * 24})`
  const isExpired = sql<boolean>`status = ${ValidationFailed} and settled_at < now() - ${retention}`
  return db
    .with(
      (name) => name('unneeded').materialized(),
      (query) =>
        query
          .selectFrom('submissions')
          .where('sourceDeletedAt', 'is', null)
          .where((row) => row.or([row('status', 'in', [IngestionSuccess, IngestionFileNotFound]), isExpired]))
          .select(ofUnneeded),
    )
    .selectFrom('unneeded')
    .where('id', '>', after)
    .selectAll()
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function findSourcesInUse(db: Db, storageKeys: readonly string[]): Promise<string[]> {
  const undeleted = db.selectFrom('submissions').where('sourceDeletedAt', 'is', null)
  const rows = await undeleted
    .where('storageKey', '=', sql<string>`any(${[...storageKeys]}::text[])`)
    .select('storageKey')
    .execute()
  return rows.map(({ storageKey }) => storageKey)
}

export async function findStorageErrorsOlderThan(db: Db, days: number): Promise<number[]> {
  const rows = await db
    .selectFrom('submissions')
    .where('status', '=', IngestionFailed)
    .where('createdAt', '<', sql<Date>`now() - make_interval(hours => ${days * 24})`)
    .select('id')
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Leaves out paused companies. A time after more than a day is from before a clock was set back. */
export async function findDueStorageErrors(db: Db): Promise<number[]> {
  const rows = await rowsOf<{ id: number }>(db)`
    select id from submissions
    where status = ${IngestionFailed} and source_deleted_at is null
      and (lease_until <= now() or lease_until > now() + interval '1 day')
      and company_id not in (${pausedCompanies})
    order by id`
  return rows.map(({ id }) => id)
}

/** Counts a try of a storage error that could not begin. */
export async function deferStorageError(db: Db, id: number): Promise<void> {
  const failed = db.updateTable('submissions').where('id', '=', id).where('status', '=', IngestionFailed)
  const attempts = sql<number>`attempts + 1`
  await failed.set({ attempts, leaseUntil: nextStorageRetry }).execute()
}

/** Makes storage errors due, for a day of tries. Uploaders know of them, so no try counts as the first. */
export async function makeStorageErrorsDue(db: Db, companyId: number | null): Promise<number> {
  const failed = db.updateTable('submissions').where('status', '=', IngestionFailed)
  const chosen = companyId === null ? failed : failed.where('companyId', '=', companyId)
  const { numUpdatedRows } = await chosen
    .where('sourceDeletedAt', 'is', null)
    .set({ leaseUntil: sql<Date>`now()`, attempts: 1 })
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The columns of a submission that describe its files. */
const columns = ['id', 'status', 'storageKey', 'sha256', 'targetPath', 'sourceDeletedAt'] as const
export type StoredSubmission = Pick<SubmissionRow, (typeof columns)[number]>

/** The file of a submission, and its side file, as far as they must be stored; the hash where it is known. */
export function filesOf({ status, storageKey, sha256, targetPath, sourceDeletedAt }: StoredSubmission) {
  if (status === IngestionSuccess && targetPath !== null)
    return [
      { path: targetPath, sha256 },
      { path: `${targetPath}.json`, sha256: null },
    ]
  const isGone = status === IngestionFileNotFound || sourceDeletedAt !== null
  return isGone ? [] : [{ path: sourcePath(storageKey), sha256 }]
}

const SUBMISSIONS_AT_ONCE = 500

/** In the order of ids. */
export async function* listStoredSubmissions(db: Db): AsyncGenerator<StoredSubmission> {
  for (let after = 0; ;) {
    const next = db.selectFrom('submissions').where('id', '>', after).orderBy('id').limit(SUBMISSIONS_AT_ONCE)
    const submissions = await next.select(columns).execute()
    yield* submissions
    const last = submissions.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

export const findStoredSubmission = (db: Db, id: number): Promise<StoredSubmission | undefined> =>
  db.selectFrom('submissions').where('id', '=', id).select(columns).executeTakeFirst()

export const findSubmissionOfSource = (db: Db, storageKey: string): Promise<StoredSubmission | undefined> =>
  db.selectFrom('submissions').where('storageKey', '=', storageKey).select(columns).executeTakeFirst()

/** Which of the paths no submission has as its target. */
export async function findUnknownTargets(db: Db, paths: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ path: string }>(db)`
    select path from unnest(${[...paths]}::text[]) as found (path)
    where not exists (select from submissions where target_path = path)`
  return rows.map(({ path }) => path)
}

/** A minute after the end of a lease, a running worker would have taken over the submission. */
const isLongOver = sql<boolean>`lease_until < now() - interval '1 minute'`

/** Submissions whose lease ended, and which no worker took over. */
export async function findEndedLeases(db: Db): Promise<number[]> {
  const ended = db.selectFrom('submissions').where('leaseId', 'is not', null).where(isLongOver)
  return (await ended.select('id').orderBy('id').execute()).map(({ id }) => id)
}

export async function releaseEndedLease(db: Db, id: number): Promise<void> {
  await db.updateTable('submissions').set(withoutLease).where('id', '=', id).where(isLongOver).execute()
}
