import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf } from '#policies/scope.ts'
import type { CompanyViewer } from '#policies/viewer.ts'
import { countRowReports, findRowErrors, findRowReports } from '#repositories/row-reports.ts'
import { findSubmission } from '#repositories/submissions.ts'

type Needs = Pick<Deps, 'db' | 'env'>
/** A page of the kept rows, each with its first few errors. */
export type ErrorReportPage = { submission: SubmissionRow; rows: RowReport[]; keptRows: number }

/** A submission in status ValidationFailed that the viewer may see; 404 for all others. */
export async function findFailedSubmission(
  id: number,
  viewer: CompanyViewer,
  { db, env }: Needs,
): Promise<SubmissionRow> {
  const submission = await findSubmission(db, scopeOf(viewer, env.historyScope), id)
  if (submission?.status !== SubmissionStatus.ValidationFailed) throw notFound('Error report')
  return submission
}

/** The error report of a submission: a page of its first 100 rows with errors. Throws 404. */
export async function readErrors(
  id: number,
  page: { PageNumber: number; PageSize: number },
  viewer: CompanyViewer,
  deps: Needs,
): Promise<ErrorReportPage> {
  const submission = await findFailedSubmission(id, viewer, deps)
  const [rows, keptRows] = await Promise.all([
    findRowReports(deps.db, id, page),
    countRowReports(deps.db, id),
  ])
  return { submission, rows, keptRows }
}

/** A page of all errors of one row. Throws 404 also for rows that are not kept. */
export async function readRowErrors(
  id: number,
  rowNumber: number,
  page: { PageNumber: number; PageSize: number },
  viewer: CompanyViewer,
  deps: Needs,
): Promise<{ errors: CellError[]; count: number }> {
  await findFailedSubmission(id, viewer, deps)
  const found = await findRowErrors(deps.db, id, rowNumber, page)
  if (!found) throw notFound('Row')
  return found
}
