import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { errorScreenLimits } from '@veridict/contract/limits'
import { sql, type Kysely, type Transaction } from 'kysely'
import type { Database } from '#db/tables.ts'
import { countRows } from '#repositories/lists.ts'

/** A row can carry thousands of errors, so statements are kept small. */
const ROWS_PER_INSERT = 10

/** Keeps the reports of a submission, in place of earlier ones: a repeated run replaces, never adds. */
export async function replaceRowReports(trx: Transaction<Database>, submissionId: number, reports: readonly RowReport[]): Promise<void> {
  await trx.deleteFrom('rowReports').where('submissionId', '=', submissionId).execute()
  const rows = reports.slice(0, errorScreenLimits.maxRows).map((report) => ({
    submissionId,
    rowNumber: report.rowNumber,
    totalCount: report.totalCount,
    errors: JSON.stringify(withoutNul(report.columnValidationErrors)),
  }))
  for (let start = 0; start < rows.length; start += ROWS_PER_INSERT) {
    await trx
      .insertInto('rowReports')
      .values(rows.slice(start, start + ROWS_PER_INSERT))
      .execute()
  }
}

/** PostgreSQL's jsonb takes neither NUL nor half a surrogate pair; both can stand in a workbook's cell. */
const withoutNul = (errors: readonly CellError[]): CellError[] =>
  errors.map((error) => ({ ...error, value: storable(error.value), expected: storable(error.expected), error: storable(error.error) }))

/** Text as PostgreSQL can keep it. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** A page of the rows with errors, each with its first few errors. */
export async function findRowReports(
  db: Kysely<Database>,
  submissionId: number,
  page: { PageNumber: number; PageSize: number },
): Promise<RowReport[]> {
  const first = sql<CellError[]>`jsonb_path_query_array(errors, ${sql.lit(`$[0 to ${errorScreenLimits.maxErrorsPerRow - 1}]`)})`
  return db
    .selectFrom('rowReports')
    .where('submissionId', '=', submissionId)
    .select(['rowNumber', 'totalCount', first.as('columnValidationErrors')])
    .orderBy('rowNumber')
    .limit(page.PageSize)
    .offset((page.PageNumber - 1) * page.PageSize)
    .execute()
}

export const countRowReports = (db: Kysely<Database>, submissionId: number): Promise<number> =>
  countRows(db.selectFrom('rowReports').where('submissionId', '=', submissionId))

/** All errors of one row, or undefined when that row is not kept. */
export async function findRowErrors(db: Kysely<Database>, submissionId: number, rowNumber: number): Promise<CellError[] | undefined> {
  const row = db.selectFrom('rowReports').where('submissionId', '=', submissionId).where('rowNumber', '=', rowNumber)
  return (await row.select('errors').executeTakeFirst())?.errors
}
