import type { RejectedFiles } from '@veridict/contract/api/admin'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type ExpressionBuilder, sql, type RawBuilder } from 'kysely'
import { runPrepared } from '#platform/database/prepared-statements.ts'
import { rowsOf } from '#platform/database/rows.ts'
import type { Database, Db, SubmissionRow, Trx } from '#platform/database/tables.ts'
import { inScope, type Scope } from '#platform/access/viewer.ts'
import { uploadStopOf } from '#platform/access/upload-stop.ts'
import { isNotPaused } from '#submissions/submission-claims.ts'
import { ofCompany } from '#dictionaries/company-dictionaries.ts'
import { presentVersionId } from '#dictionaries/dictionaries.ts'

/** An estimate if they are many (0047-estimated-totals). */
export const countSubmissionsByStatus = (db: Db): Promise<{ status: SubmissionStatus; count: number }[]> =>
  rowsOf<{ status: SubmissionStatus; count: number }>(db)`select * from count_submissions()`

/** Not final: files that wait to be validated or stored, and storage errors, which can be retried. */
export const openStatuses = [
  SubmissionStatus.Uploaded,
  SubmissionStatus.InProcess,
  SubmissionStatus.ValidationPassed,
  SubmissionStatus.IngestionFailed,
] as const

/** Exact, with the age of the oldest that waits for a job, or 0. Those of paused companies wait for none. */
export async function countOpen(db: Db) {
  const rows = await db
    .selectFrom('submissions')
    .select((row) => [
      'status',
      row.fn.countAll<number>().as('count'),
      sql<
        number | null
      >`extract(epoch from now() - min(created_at) filter (where ${isNotPaused}))::float8`.as('age'),
    ])
    .where('status', 'in', openStatuses)
    .groupBy('status')
    .execute()
  const waiting = rows.filter(({ status }) => status !== SubmissionStatus.IngestionFailed)
  return {
    counts: new Map(rows.map(({ status, count }) => [status, count])),
    oldestWaitingSeconds: Math.max(0, ...waiting.map(({ age }) => age ?? 0)),
  }
}

/** Uploads of the last 7 days, of the companies with the most rejected ones. */
export function countRejectedOfWeek(db: Db, limit: number): Promise<RejectedFiles[]> {
  const weekAgo = sql<Date>`now() - interval '7 days'`
  // What was uploaded since then also moved since then, which is what an index has.
  const uploads = (query: ExpressionBuilder<Database, 'companies'>) =>
    query
      .selectFrom('submissions')
      .whereRef('submissions.companyId', '=', 'companies.id')
      .where('updatedAt', '>', weekAgo)
      .where('createdAt', '>', weekAgo)
      .select((row) => [
        row.fn.countAll<number>().as('uploaded'),
        row.fn
          .countAll<number>()
          .filterWhere('status', '=', SubmissionStatus.ValidationFailed)
          .as('rejected'),
      ])
      .as('week')
  return db
    .selectFrom('companies')
    .innerJoinLateral(uploads, (join) => join.onTrue())
    .where('companies.deletedAt', 'is', null)
    .where('rejected', '>', 0)
    .select(['companies.id as companyId', 'companies.name as companyName', 'rejected', 'uploaded'])
    .orderBy('rejected', 'desc')
    .orderBy(sql`lower(companies.name)`)
    .limit(limit)
    .execute()
}

/** undefined for those of others, as if they did not exist. */
export function findSubmission(db: Db, scope: Scope, id: number): Promise<SubmissionRow | undefined> {
  return inScope(db, scope).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Locked until the transaction ends. */
export function lockSubmissionInScope(trx: Trx, scope: Scope, id: number) {
  return inScope(trx, scope).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/** For jobs: of any company. Locked until the transaction ends. */
export function lockSubmission(trx: Trx, id: number): Promise<SubmissionRow | undefined> {
  return trx.selectFrom('submissions').where('id', '=', id).selectAll().forUpdate().executeTakeFirst()
}

/**
 * One more than that of the person's or token's last waiting file, else that of the company's first waiting
 * one, else that of the first of all. So the k-th file of one person is validated before file k + 1 of
 * another, and nobody's uploads pass files that wait already (start-time fair queueing; Goyal, Vin, Cheng
 * 1996). A company's share does not depend on its number of people: see docs/adr/0013-fair-shares.md.
 */
function nextTurn({ companyId, userId, tokenId }: Scope): RawBuilder<number> {
  const waiting = sql`submissions where status = 0`
  // Orders by every column of the right index, and limits one with >= and <= instead of `=`: otherwise
  // PostgreSQL reads other people's rows from the index of all waiting files, which takes 100 ms for 100,000.
  const own =
    tokenId === null
      ? sql`user_id >= ${userId} and user_id <= ${userId} and token_id is null`
      : sql`user_id is null and token_id >= ${tokenId} and token_id <= ${tokenId}`
  return sql<number>`coalesce(
    (select turn + 1 from ${waiting} and company_id = ${companyId} and ${own}
      order by company_id desc, user_id desc, token_id desc, turn desc limit 1),
    (select turn from ${waiting} and company_id >= ${companyId} and company_id <= ${companyId}
      order by company_id, turn limit 1),
    first_waiting_turn(),
    0)`
}

const uploadColumns = [
  'companyId',
  'userId',
  'tokenId',
  'uploadedByName',
  'uploadedByEmail',
  'fileName',
  'fileKind',
  'bytes',
  'sha256',
  'storageKey',
  'status',
  'traceparent',
] as const
type UploadedSubmission = Pick<SubmissionRow, (typeof uploadColumns)[number]> & { dictionaryId: number }

/**
 * Adds it in status 0 with the first entry of its history, for the dictionary's present version, which must
 * be locked; undefined if the company may not upload, or not for this dictionary.
 */
export async function insertSubmission(
  trx: Trx,
  upload: UploadedSubmission,
): Promise<SubmissionRow | undefined> {
  const insertion = trx
    .with('moved', (query) =>
      query
        .insertInto('submissions')
        .columns([...uploadColumns, 'dictionaryVersionId', 'dictionaryName', 'turn'])
        .expression(
          ofCompany(query, upload.companyId)
            .where('dictionaries.id', '=', upload.dictionaryId)
            .where(uploadStopOf(sql`${upload.companyId}::integer`), 'is', null)
            .select(({ val }) => [
              ...uploadColumns.map((column) => val(upload[column]).as(column)),
              presentVersionId.as('versionId'),
              'dictionaries.name',
              nextTurn(upload).as('turn'),
            ]),
        )
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
  return (await runPrepared(trx, insertion))[0]
}

/** As at the upload; in rows that do not have it, as of today, also one that was deleted or revoked since. */
export async function findUploader(
  db: Db,
  { userId, tokenId, uploadedByName: name, uploadedByEmail: email }: SubmissionRow,
): Promise<{ name: string; email: string | null }> {
  if (name !== null) return { name, email }
  const user = db.selectFrom('users').where('id', '=', userId).select(['name', 'email'])
  const token = db.selectFrom('companyTokens').where('id', '=', tokenId)
  return user.unionAll(token.select(['name', sql<string>`null`.as('email')])).executeTakeFirstOrThrow()
}

/** Stores it unless there is one, and returns the one that is stored. */
export async function keepReceipt(db: Db, id: number, receipt: string): Promise<string> {
  const kept = db
    .updateTable('submissions')
    .set({ receipt: sql`coalesce(receipt, ${receipt})` })
    .where('id', '=', id)
    .returning('receipt')
  return (await kept.$narrowType<{ receipt: string }>().executeTakeFirstOrThrow()).receipt
}
