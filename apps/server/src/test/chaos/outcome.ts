import { isSettled } from '@veridict/contract/model/submission-status'
import { sql } from 'kysely'
import type { Db, SubmissionRow } from '#platform/database/tables.ts'
import { describeSubmission, type Outcome, type TestedSystem, violation } from '#test/chaos/invariants.ts'

/** The outcome of a settled submission. */
export async function outcomeOf(db: Db, id: number): Promise<Outcome> {
  const row = db.selectFrom('submissions').where('id', '=', id).select(outcomeColumns)
  return { ...(await row.executeTakeFirstOrThrow()), reports: await hashReports(db, id) }
}

const outcomeColumns = [
  'status',
  'errorType',
  'errorMessage',
  'recordsCount',
  'errorRowCount',
  'cellErrorCount',
] as const

/** An error whose fault is missing is not in the join, so the hash shows it. */
async function hashReports(db: Db, id: number): Promise<string> {
  const { rows } = await sql<{ hash: string }>`
    select md5(concat(
      (select string_agg(concat_ws('|', row_number, total_count, key, place, column_position, label, error,
          expected, cell ->> 1, cell ->> 2, cell ->> 3), chr(10) order by row_number, place)
        from row_reports
        cross join jsonb_array_elements(errors) with ordinality as found (cell, place)
        join report_faults on report_faults.submission_id = row_reports.submission_id
          and report_faults.number = (cell ->> 0)::integer
        where row_reports.submission_id = ${id}),
      (select count(*) from row_reports where submission_id = ${id}),
      (select count(*) from report_faults where submission_id = ${id}),
      (select string_agg(concat_ws('|', place, cause_id, cause, rows), chr(10) order by place)
        from submission_causes where submission_id = ${id})
    )) as hash
  `.execute(db)
  return rows[0]?.hash ?? ''
}

/** I5 of one submission: its verdict and errors are those of a run without faults. */
export async function checkOutcome(row: SubmissionRow, system: TestedSystem): Promise<string[]> {
  const { db, uploads, seen } = system
  if (!isSettled(row.status)) return []
  const verdict = `${row.id} ${row.status}`
  if (seen?.has(verdict)) return []
  const expected = uploads.find(({ fileName }) => fileName === row.fileName)?.outcome
  const differences = Object.entries(await outcomeOf(db, row.id)).flatMap(([name, value]) => {
    const expectedValue = expected?.[name as keyof Outcome]
    return value === expectedValue ? [] : [`${name} ${value}, without faults ${expectedValue}`]
  })
  if (differences.length > 0)
    return [violation('I5', `${describeSubmission(row)} has ${differences.join('; ')}`)]
  seen?.add(verdict)
  return []
}
