import { sql } from 'kysely'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import { withoutLease } from '#submissions/submission-leases.ts'

/** The columns of a submission that describe its files. */
export type StoredSubmission = Pick<
  SubmissionRow,
  'id' | 'status' | 'storageKey' | 'sha256' | 'targetPath' | 'sourceDeletedAt'
>

const columns = ['id', 'status', 'storageKey', 'sha256', 'targetPath', 'sourceDeletedAt'] as const

/** Submissions after the id `after`, in the order of ids. */
export function findStoredSubmissions(db: Db, after: number, limit: number): Promise<StoredSubmission[]> {
  const next = db.selectFrom('submissions').where('id', '>', after).orderBy('id').limit(limit)
  return next.select(columns).execute()
}

export const findStoredSubmission = (db: Db, id: number): Promise<StoredSubmission | undefined> =>
  db.selectFrom('submissions').where('id', '=', id).select(columns).executeTakeFirst()

export const findSubmissionOfSource = (db: Db, storageKey: string): Promise<StoredSubmission | undefined> =>
  db.selectFrom('submissions').where('storageKey', '=', storageKey).select(columns).executeTakeFirst()

/** Which of the paths no submission has as its target. */
export async function findUnknownTargets(db: Db, paths: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path from unnest(${[...paths]}::text[]) as found (path)
    where not exists (select from submissions where target_path = path)
  `.execute(db)
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
