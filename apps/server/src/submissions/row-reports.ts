import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { type RawBuilder, sql } from 'kysely'
import { type ListPage, pageOf, type PlaceInList, untilYoung, withCount } from '#platform/database/lists.ts'
import type { PackedReports } from '#platform/database/pack-reports.ts'
import type { Db, Trx } from '#platform/database/tables.ts'
import { rowOf, rowsOf } from '#platform/database/rows.ts'

/** The first part replaces the reports of an earlier run. */
export async function addRowReports(trx: Trx, submissionId: number, reports: PackedReports): Promise<void> {
  if (reports.isFirst) await deleteRowReports(trx, submissionId)
  await sql`
    insert into report_faults (submission_id, number, column_position, label, error, expected)
    select ${submissionId}, ${reports.firstFaultNumber}::integer + place - 1,
      fault ->> 'columnPosition', fault ->> 'label', fault ->> 'error', fault ->> 'expected'
    from jsonb_array_elements(${reports.faults}::jsonb) with ordinality as given (fault, place)
  `.execute(trx)
  const rows = reports.rows.map((row) => ({ submissionId, ...row }))
  if (rows.length > 0) await trx.insertInto('rowReports').values(rows).execute()
  for (const [table, packed] of [
    ['submissionCauses', reports.causes],
    ['submissionWarnings', reports.warnings],
  ] as const) {
    const causes = packed.map((cause) => ({ submissionId, ...cause }))
    if (causes.length > 0) await trx.insertInto(table).values(causes).execute()
  }
}

export async function deleteRowReports(trx: Trx, submissionId: number): Promise<void> {
  await trx
    .with('rows', (query) => query.deleteFrom('rowReports').where('submissionId', '=', submissionId))
    .with('faults', (query) => query.deleteFrom('reportFaults').where('submissionId', '=', submissionId))
    .with('warnings', (query) =>
      query.deleteFrom('submissionWarnings').where('submissionId', '=', submissionId),
    )
    .deleteFrom('submissionCauses')
    .where('submissionId', '=', submissionId)
    .execute()
}

/** Reports that are deleted at once, each of up to 100 rows and as many causes. */
const REPORTS_AT_ONCE = 200

/**
 * Deletes the cells' values in reports older than `days`, not counts and texts of the submission: by id,
 * until one is newer. Returns the number of reports.
 */
export function deleteOldReports(db: Db, days: number): Promise<number> {
  const { Uploaded, InProcess } = SubmissionStatus
  const bound = sql`now() - make_interval(hours => ${days * 24})`
  const next = (table: string, after: number) => sql`(
    select distinct submission_id as id from ${sql.table(table)} where submission_id > ${after}
    order by 1 limit ${REPORTS_AT_ONCE})`
  return untilYoung(
    db,
    (after) => sql`
      with next as (
        ${next('row_reports', after)} union ${next('submission_causes', after)}
        union ${next('submission_warnings', after)} order by id limit ${REPORTS_AT_ONCE}
      ),
      old as (
        select id from submissions join next using (id)
        where status not in (${Uploaded}, ${InProcess}) and settled_at < ${bound}
      ),
      reports as (delete from row_reports using old where submission_id = old.id),
      faults as (delete from report_faults using old where submission_id = old.id),
      warnings as (delete from submission_warnings using old where submission_id = old.id),
      causes as (delete from submission_causes using old where submission_id = old.id)
      select (select count(*) from old) as deleted, (
        select id from submissions where id = (select max(id) from next) and created_at < ${bound}
      ) as last
    `,
  )
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

/** As a path in JSON. */
const firstErrors = sql.lit(`$[0 to ${errorScreenLimits.maxErrorsPerRow - 1}]`)

/** A page of the rows with errors, each with its first few errors. */
export function findRowReports(
  db: Db,
  submissionId: number,
  place: PlaceInList,
): Promise<ListPage<RowReport>> {
  const first = sql`jsonb_path_query_array(errors, ${firstErrors})`
  const shown = sql<CellError[]>`
    coalesce((select jsonb_agg(${cellError} order by place) from ${cellErrors(first)}), '[]')`
  const all = db.selectFrom('rowReports').where('submissionId', '=', submissionId)
  const rows = all.select(['rowNumber', 'key', 'totalCount', shown.as('columnValidationErrors')])
  return withCount(pageOf(rows.orderBy('rowNumber'), place).execute(), all)
}

/** A page of the errors of one row, and their number; undefined if that row is not stored. */
export async function findRowErrors(db: Db, submissionId: number, rowNumber: number, page: PlaceInList) {
  const row = db
    .selectFrom('rowReports')
    .where('submissionId', '=', submissionId)
    .where('rowNumber', '=', rowNumber)
  const report = await row.select('totalCount').executeTakeFirst()
  if (!report) return undefined
  const rows = await rowsOf<{ error: CellError }>(db)`
    select ${cellError} as error
    from row_reports cross join ${cellErrors(sql`row_reports.errors`)}
    where row_reports.submission_id = ${submissionId} and row_number = ${rowNumber}
    order by place limit ${page.PageSize} offset ${(page.PageNumber - 1) * page.PageSize}`
  return { errors: rows.map(({ error }) => error), count: report.totalCount }
}

/** Where causes are stored: those of errors most cells first, those of warnings in the order of the rules. */
type CauseTable = 'submissionCauses' | 'submissionWarnings'

const causesOf = (db: Db, table: CauseTable, submissionId: number) =>
  db.selectFrom(table).where('submissionId', '=', submissionId)

/** Most cells first. */
export async function findCauses(db: Db, submissionId: number, table: CauseTable = 'submissionCauses') {
  const found = await causesOf(db, table, submissionId).select('cause').orderBy('place').execute()
  return found.map(({ cause }) => cause).sort((one, other) => other.cells - one.cells)
}

/** undefined if the cause is not stored. */
export async function findCauseRows(db: Db, submissionId: number, causeId: string) {
  const inTable = (table: CauseTable) =>
    causesOf(db, table, submissionId).where('causeId', '=', causeId).select('rows')
  const found = inTable('submissionCauses').unionAll(inTable('submissionWarnings'))
  return (await found.executeTakeFirst())?.rows
}

/** The first rows with warnings: a page of them, each with its first few warnings, and their number. */
export function findWarningRows(db: Db, submissionId: number, { PageNumber, PageSize }: PlaceInList) {
  // Each cause has its cells in all of these rows, and further rows of its own after them.
  return rowOf<ListPage<RowReport>>(db)`
    with warned as materialized (
      select (row ->> 'rowNumber')::integer as number, row, place
      from submission_warnings cross join jsonb_array_elements(rows) as row
      where submission_id = ${submissionId}
    ),
    listed as (select distinct number from warned order by number limit ${errorScreenLimits.maxRows}),
    page as (
      select number from listed order by number limit ${PageSize} offset ${(PageNumber - 1) * PageSize}
    ),
    reports as (
      select number, jsonb_build_object(
        'rowNumber', number,
        'key', min(row ->> 'key')::jsonb,
        'totalCount', sum((row ->> 'totalCount')::integer),
        'columnValidationErrors', jsonb_path_query_array(
          jsonb_path_query_array(jsonb_agg(row -> 'columnValidationErrors' order by place), '$[*][*]'),
          ${firstErrors}
        )
      ) as report
      from warned join page using (number) group by number
    )
    select (select count(*)::integer from listed) as count,
      coalesce((select jsonb_agg(report order by number) from reports), '[]') as rows`
}

/** undefined if there are none. */
export async function findRowOfCauses(
  db: Db,
  submissionId: number,
  rowNumber: number,
  table: CauseTable,
): Promise<CellError[] | undefined> {
  const kept = await sql<{ row: RowReport }>`
    select row from ${sql.table(table)} cross join jsonb_array_elements(rows) as row
    where submission_id = ${submissionId} and (row ->> 'rowNumber')::integer = ${rowNumber}
    order by place
  `.execute(db)
  const errors = kept.rows.flatMap(({ row }) => row.columnValidationErrors)
  return errors.length === 0 ? undefined : errors
}
