import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type RawBuilder, sql } from 'kysely'
import { countRows } from '#platform/database/lists.ts'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import type { Db, Trx } from '#platform/database/tables.ts'

type Paging = { PageNumber: number; PageSize: number }

/** Stores reports of a submission. The first part replaces the reports of an earlier run. */
export async function addRowReports(trx: Trx, submissionId: number, reports: PackedReports): Promise<void> {
  if (reports.isFirst) await deleteRowReports(trx, submissionId)
  await sql`
    insert into report_faults (submission_id, number, column_position, label, error, expected)
    select ${submissionId}, ${reports.firstFaultNumber}::integer + place - 1,
      fault ->> 'columnPosition', fault ->> 'label', fault ->> 'error', fault ->> 'expected'
    from jsonb_array_elements(${reports.faults}::jsonb) with ordinality as given (fault, place)
  `.execute(trx)
  const rows = reports.rows.map((row) => ({ submissionId, ...row }))
  const causes = reports.causes.map((cause) => ({ submissionId, ...cause }))
  if (rows.length > 0) await trx.insertInto('rowReports').values(rows).execute()
  if (causes.length > 0) await trx.insertInto('submissionCauses').values(causes).execute()
}

export async function deleteRowReports(trx: Trx, submissionId: number): Promise<void> {
  await trx
    .with('rows', (query) => query.deleteFrom('rowReports').where('submissionId', '=', submissionId))
    .with('faults', (query) => query.deleteFrom('reportFaults').where('submissionId', '=', submissionId))
    .deleteFrom('submissionCauses')
    .where('submissionId', '=', submissionId)
    .execute()
}

/**
 * Deletes the values of bad cells of at most `limit` reports that are older than `days`, and returns how many
 * reports there were. Counts and texts of the submission stay.
 */
export async function deleteOldReports(db: Db, days: number, limit: number): Promise<number> {
  const { rows } = await sql`
    with old as (
      select id from submissions
      where status = ${SubmissionStatus.ValidationFailed}
        and settled_at < now() - make_interval(hours => ${days * 24})
        and (exists (select from row_reports where submission_id = submissions.id)
          or exists (select from submission_causes where submission_id = submissions.id))
      limit ${limit}
    ),
    reports as (delete from row_reports using old where submission_id = old.id),
    faults as (delete from report_faults using old where submission_id = old.id),
    causes as (delete from submission_causes using old where submission_id = old.id)
    select id from old
  `.execute(db)
  return rows.length
}

/** The cell errors of one row of `row_reports` in order; `errors` is `row_reports.errors` or a part of it. */
const cellErrors = (errors: RawBuilder<unknown>) => sql`
  jsonb_array_elements(${errors}) with ordinality as cell (content, place)
  join report_faults on report_faults.submission_id = row_reports.submission_id
    and report_faults.number = (cell.content ->> 0)::integer`

const cellError = sql<CellError>`jsonb_build_object(
  'columnPosition', column_position, 'label', label, 'error', error,
  'value', cell.content ->> 1, 'expected', expected,
  'cause', cell.content ->> 2, 'suggestion', cell.content ->> 3,
  'rule', cell.content ->> 4, 'columns', coalesce(cell.content -> 5, '[]'))`

/** A page of the rows with errors, each with its first few errors. */
export async function findRowReports(db: Db, submissionId: number, page: Paging): Promise<RowReport[]> {
  const path = sql.lit(`$[0 to ${errorScreenLimits.maxErrorsPerRow - 1}]`)
  const first = sql`jsonb_path_query_array(errors, ${path})`
  const shown = sql<CellError[]>`
    coalesce((select jsonb_agg(${cellError} order by place) from ${cellErrors(first)}), '[]')`
  return db
    .selectFrom('rowReports')
    .where('submissionId', '=', submissionId)
    .select(['rowNumber', 'key', 'totalCount', shown.as('columnValidationErrors')])
    .orderBy('rowNumber')
    .limit(page.PageSize)
    .offset((page.PageNumber - 1) * page.PageSize)
    .execute()
}

export const countRowReports = (db: Db, submissionId: number): Promise<number> =>
  countRows(db.selectFrom('rowReports').where('submissionId', '=', submissionId))

/** A page of the errors of one row, and their number; undefined if that row is not stored. */
export async function findRowErrors(
  db: Db,
  submissionId: number,
  rowNumber: number,
  page: Paging,
): Promise<{ errors: CellError[]; count: number } | undefined> {
  const row = db
    .selectFrom('rowReports')
    .where('submissionId', '=', submissionId)
    .where('rowNumber', '=', rowNumber)
  const report = await row.select('totalCount').executeTakeFirst()
  if (!report) return undefined
  const { rows } = await sql<{ error: CellError }>`
    select ${cellError} as error
    from row_reports cross join ${cellErrors(sql`row_reports.errors`)}
    where row_reports.submission_id = ${submissionId} and row_number = ${rowNumber}
    order by place limit ${page.PageSize} offset ${(page.PageNumber - 1) * page.PageSize}
  `.execute(db)
  return { errors: rows.map(({ error }) => error), count: report.totalCount }
}

const causesOf = (db: Db, submissionId: number) =>
  db.selectFrom('submissionCauses').where('submissionId', '=', submissionId)

/** The largest causes, most cells first. */
export async function findCauses(db: Db, submissionId: number): Promise<Cause[]> {
  const found = await causesOf(db, submissionId).select('cause').orderBy('place').execute()
  return found.map(({ cause }) => cause)
}

/** The stored rows of a cause; undefined if the cause is not stored. */
export async function findCauseRows(
  db: Db,
  submissionId: number,
  causeId: string,
): Promise<RowReport[] | undefined> {
  const found = causesOf(db, submissionId).where('causeId', '=', causeId)
  return (await found.select('rows').executeTakeFirst())?.rows
}

/** The stored errors of a row that is stored only because of its causes; undefined if there are none. */
export async function findRowOfCauses(
  db: Db,
  submissionId: number,
  rowNumber: number,
): Promise<CellError[] | undefined> {
  const kept = await sql<{ row: RowReport }>`
    select row from submission_causes cross join jsonb_array_elements(rows) as row
    where submission_id = ${submissionId} and (row ->> 'rowNumber')::integer = ${rowNumber}
    order by place
  `.execute(db)
  const errors = kept.rows.flatMap(({ row }) => row.columnValidationErrors)
  return errors.length === 0 ? undefined : errors
}
