import type { Cause } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

const causesOf = (db: Kysely<Database>, submissionId: number) =>
  db.selectFrom('submissionCauses').where('submissionId', '=', submissionId)

/** The largest causes, most cells first. */
export async function findCauses(db: Kysely<Database>, submissionId: number): Promise<Cause[]> {
  const found = await causesOf(db, submissionId).select('cause').orderBy('place').execute()
  return found.map(({ cause }) => cause)
}

/** The stored rows of a cause; undefined if the cause is not stored. */
export async function findCauseRows(
  db: Kysely<Database>,
  submissionId: number,
  causeId: string,
): Promise<RowReport[] | undefined> {
  const found = causesOf(db, submissionId).where('causeId', '=', causeId)
  return (await found.select('rows').executeTakeFirst())?.rows
}

/** The stored errors of a row that is stored only because of its causes; undefined if there are none. */
export async function findRowOfCauses(
  db: Kysely<Database>,
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
