import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { errorScreenLimits } from '@veridict/contract/limits'
import type { Cause } from '@veridict/contract/model/cause'
import type { CellError, RowReport } from '@veridict/contract/model/cell-error'
import type { RememberedAnswer } from '@veridict/contract/model/remembered-answer'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf, type Uploader } from '#platform/access/viewer.ts'
import { findUsableDictionaries } from '#dictionaries/company-dictionaries.ts'
import { findVersionOwner } from '#dictionaries/dictionaries.ts'
import { findAnswers } from '#dictionaries/remembered-answers.ts'
import {
  countRowReports,
  findCauseRows,
  findCauses,
  findRowErrors,
  findRowOfCauses,
  findRowReports,
  findWarningRows,
} from '#submissions/row-reports.ts'
import { findCauseCounts, findUploader, type PreviousSubmission } from '#submissions/submission-history.ts'
import { findSubmission } from '#submissions/submissions.ts'
import { onlyAfter, recordView } from '#audit/record-audit.ts'
import { compareReports, findPrevious } from '#submissions/compare-reports.ts'

type Needs = Pick<Deps, 'db' | 'env' | 'caller'>
/** A page of the stored rows, each with its first few errors, and the causes. */
export type ErrorReportPage = {
  submission: SubmissionRow
  dictionary: { dictionaryId: number; revision: number }
  /** A name, also of a token. */
  uploadedBy: string
  rows: RowReport[]
  storedRows: number
  /** Those of errors. */
  causes: Cause[]
  warnings: { causes: Cause[]; rows: RowReport[]; count: number }
  previous: (PreviousSubmission & ReturnType<typeof compareReports>) | null
  /** Dictionaries that the file fits and that the company may still upload against. */
  otherDictionaries: { id: number; name: string }[]
  /** What the company wants to have chosen where its files are asked about. */
  answers: RememberedAnswer[]
}
type ReportQuery = Paging & { cause?: string }
type Paging = { PageNumber: number; PageSize: number }

const reportedStatuses: readonly SubmissionStatus[] = [
  SubmissionStatus.ValidationFailed,
  SubmissionStatus.IngestionSuccess,
]

/** A submission with errors, or an accepted one, that the viewer may see; 404 for all others. */
export async function findReportedSubmission(
  id: number,
  viewer: Uploader,
  { db, env }: Pick<Deps, 'db' | 'env'>,
): Promise<SubmissionRow> {
  const submission = await findSubmission(db, scopeOf(viewer, env.historyScope), id)
  if (submission === undefined || !reportedStatuses.includes(submission.status))
    throw notFound('Error report')
  return submission
}

/** Finds it for a viewer who will see values of its cells, which the audit trail records. */
async function openReport(id: number, viewer: Uploader, deps: Needs): Promise<SubmissionRow> {
  const submission = await findReportedSubmission(id, viewer, deps)
  const { fileName: subject, companyId } = submission
  const detail = onlyAfter({ submission: id })
  await recordView({ action: 'file.viewed', subject, companyId, detail, key: `${id}` }, deps)
  return submission
}

/**
 * The error report of a submission: a page of its first 100 rows with errors, or of the kept rows of one
 * cause; and a page of its first 100 rows with warnings. Throws 404, also for a cause that is not stored.
 */
export async function readErrors(
  id: number,
  query: ReportQuery,
  viewer: Uploader,
  deps: Needs,
): Promise<ErrorReportPage> {
  const submission = await openReport(id, viewer, deps)
  const [page, causes, warnings, dictionary, uploadedBy, otherDictionaries] = await Promise.all([
    findRows(id, query, deps),
    findCauses(deps.db, id),
    findWarnings(submission, query, deps),
    findVersionOwner(deps.db, submission.dictionaryVersionId),
    findUploader(deps.db, id),
    findOtherDictionaries(submission, deps),
  ])
  const previous = await comparePrevious(submission, causes, viewer, deps)
  const columns = [...new Set(causes.map(({ label }) => label))]
  const answers = await findAnswers(deps.db, submission.companyId, dictionary.dictionaryId, columns)
  const others = { previous, otherDictionaries, answers }
  return { submission, dictionary, uploadedBy, ...page, causes, warnings, ...others }
}

async function findWarnings(
  { id, warningCount }: SubmissionRow,
  query: Paging,
  { db }: Needs,
): Promise<ErrorReportPage['warnings']> {
  // Most files have none.
  if (!warningCount) return { causes: [], rows: [], count: 0 }
  const [causes, page] = await Promise.all([
    findCauses(db, id, 'submissionWarnings'),
    findWarningRows(db, id, query),
  ])
  return { causes, ...page }
}

async function findOtherDictionaries(
  { companyId, fileProblem }: SubmissionRow,
  { db }: Needs,
): Promise<ErrorReportPage['otherDictionaries']> {
  const ids = (fileProblem?.otherDictionaries ?? []).map((dictionary) => dictionary.id)
  return ids.length === 0 ? [] : findUsableDictionaries(db, companyId, ids)
}

async function findRows(id: number, query: ReportQuery, { db }: Needs) {
  if (query.cause === undefined) {
    const [rows, storedRows] = await Promise.all([findRowReports(db, id, query), countRowReports(db, id)])
    return { rows, storedRows }
  }
  const rows = await findCauseRows(db, id, query.cause)
  if (rows === undefined) throw notFound('Cause')
  const shown = pageOf(rows, query).map((row) => ({
    ...row,
    columnValidationErrors: row.columnValidationErrors.slice(0, errorScreenLimits.maxErrorsPerRow),
  }))
  return { rows: shown, storedRows: rows.length }
}

/** The previous upload of this file, compared with this one. */
async function comparePrevious(
  submission: SubmissionRow,
  causes: readonly Cause[],
  viewer: Uploader,
  deps: Needs,
): Promise<ErrorReportPage['previous']> {
  if (submission.causeCounts === null) return null
  const previous = await findPrevious(submission, viewer, deps)
  if (previous === undefined) return null
  const [counts, earlierCauses] = await Promise.all([
    findCauseCounts(deps.db, previous.id),
    findCauses(deps.db, previous.id),
  ])
  const compared = compareReports(
    { counts, causes: earlierCauses },
    { counts: submission.causeCounts, causes },
  )
  return { ...previous, ...compared }
}

/** A page of all errors of one row, or of its warnings. Throws 404 also for rows that are not stored. */
export async function readRowErrors(
  id: number,
  rowNumber: number,
  page: Paging,
  viewer: Uploader,
  deps: Needs,
): Promise<{ errors: CellError[]; count: number }> {
  await openReport(id, viewer, deps)
  const found = await findRowErrors(deps.db, id, rowNumber, page)
  if (found) return found
  const ofCauses =
    (await findRowOfCauses(deps.db, id, rowNumber, 'submissionCauses')) ??
    (await findRowOfCauses(deps.db, id, rowNumber, 'submissionWarnings'))
  if (!ofCauses) throw notFound('Row')
  return { errors: pageOf(ofCauses, page), count: ofCauses.length }
}

const pageOf = <T>(items: readonly T[], { PageNumber, PageSize }: Paging): T[] =>
  items.slice((PageNumber - 1) * PageSize, PageNumber * PageSize)
