import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { errorScreenLimits } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { type Cause, jsonCause } from '@veridict/contract/model/cause'
import { type CellError, jsonRow } from '@veridict/contract/model/cell-error'
import { rememberedFor } from '@veridict/contract/model/remembered-answer'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { ErrorType } from '@veridict/contract/model/verdict'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf, type Uploader } from '#platform/access/viewer.ts'
import { presentPage, readPage } from '#platform/page.ts'
import { findUsableDictionaries } from '#dictionaries/company-dictionaries.ts'
import { findVersionOwner } from '#dictionaries/dictionaries.ts'
import { findAnswers } from '#dictionaries/remembered-answers.ts'
import {
  findCauseRows,
  findCauses,
  findRowErrors,
  findRowOfCauses,
  findRowReports,
  findWarningRows,
} from '#submissions/row-reports.ts'
import { findCauseCounts } from '#submissions/submission-history.ts'
import { findSubmission, findUploader } from '#submissions/submissions.ts'
import { onlyAfter, recordView } from '#audit/record-audit.ts'
import { compareReports, findPrevious } from '#submissions/compare-reports.ts'

type Needs = Pick<Deps, 'db' | 'env' | 'caller'>
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

/** The viewer will see values of cells, which the audit trail records. */
async function openReport(id: number, viewer: Uploader, deps: Needs): Promise<SubmissionRow> {
  const submission = await findReportedSubmission(id, viewer, deps)
  const { fileName: subject, companyId } = submission
  const detail = onlyAfter({ submission: id })
  await recordView({ action: 'file.viewed', subject, companyId, detail, key: `${id}` }, deps)
  return submission
}

/**
 * The first 100 rows with errors, or the kept rows of one cause; and the first 100 with warnings. Throws 404.
 * See docs/BEHAVIOUR.md#error-types and docs/BEHAVIOUR.md#rules-between-cells.
 */
export async function readErrors(
  id: number,
  query: ReportQuery,
  viewer: Uploader,
  deps: Needs,
): Promise<ErrorReport> {
  const submission = await openReport(id, viewer, deps)
  const [rows, causes, warnings, dictionary, uploader, otherDictionaries] = await Promise.all([
    findRows(id, query, deps),
    findCauses(deps.db, id),
    findWarnings(submission, query, deps),
    findVersionOwner(deps.db, submission.dictionaryVersionId),
    findUploader(deps.db, submission),
    findOtherDictionaries(submission, deps),
  ])
  const previous = await comparePrevious(submission, causes, viewer, deps)
  const columns = [...new Set(causes.map(({ label }) => label))]
  const answers = await findAnswers(deps.db, submission.companyId, dictionary.dictionaryId, columns)
  const { ofProblem, ...problem } = describeProblem(submission, otherDictionaries)
  const ofWarnings = warnings.causes.slice(0, errorScreenLimits.maxCauses)
  return {
    id,
    fileName: submission.fileName,
    dataDictionaryId: dictionary.dictionaryId,
    dataDictionaryName: submission.dictionaryName,
    dictionaryVersion: dictionary.revision,
    uploadedBy: uploader.name,
    createdAt: submission.createdAt.toISOString(),
    ...problem,
    recordsCount: submission.recordsCount,
    causes: [...causes, ...ofProblem, ...ofWarnings].map((cause) => {
      const { choice, map } = rememberedFor(cause, answers) ?? {}
      return { ...jsonCause(cause), remembered: map ? Object.fromEntries(map) : choice }
    }),
    causesCount: (submission.causesCount ?? 0) + ofProblem.length + ofWarnings.length,
    previous,
    rows,
    warningCount: submission.warningCount,
    warningRowCount: submission.warningRowCount,
    warningRows: warnings.page,
  }
}

/** What is wrong with a file; an accepted one has nothing. `ofProblem`: causes of the file as a whole. */
function describeProblem(
  { status, errorType: stored, errorMessage: sentence, fileProblem: problem, ...counts }: SubmissionRow,
  otherDictionaries: { id: number; name: string }[],
): Pick<ErrorReport, keyof typeof withoutErrors | 'columns'> & { ofProblem: readonly Cause[] } {
  const errorType = stored ?? ErrorType.ProcessingFailed
  const isOfRows = errorType === ErrorType.RowErrors
  const { errorRowCount, cellErrorCount, recordsCount } = counts
  const errorMessage = sentence ?? submissionMessages.rowsWithErrors(errorRowCount ?? 0, recordsCount ?? 0)
  const { message = errorMessage, details = [], hints = [], columns = [] } = problem ?? {}
  const ofProblem = isOfRows ? [] : (problem?.causes ?? [])
  if (status === SubmissionStatus.IngestionSuccess) return { ofProblem, columns, ...withoutErrors }
  return {
    ofProblem,
    columns,
    errorType,
    errorMessage,
    fileProblem: isOfRows ? null : { errorType, message, details, hints, otherDictionaries },
    errorRowCount: isOfRows ? errorRowCount : null,
    cellErrorCount,
  }
}

const withoutErrors = {
  errorType: null,
  errorMessage: null,
  fileProblem: null,
  errorRowCount: 0,
  cellErrorCount: 0,
}

async function findWarnings({ id, warningCount }: SubmissionRow, query: Paging, { db }: Needs) {
  // Most files have none.
  if (!warningCount) return { causes: [], page: presentPage([], 0, query) }
  const [causes, page] = await Promise.all([
    findCauses(db, id, 'submissionWarnings'),
    readPage(findWarningRows(db, id, query), jsonRow, query),
  ])
  return { causes, page }
}

async function findOtherDictionaries({ companyId, fileProblem }: SubmissionRow, { db }: Needs) {
  const ids = (fileProblem?.otherDictionaries ?? []).map((dictionary) => dictionary.id)
  return ids.length === 0 ? [] : findUsableDictionaries(db, companyId, ids)
}

async function findRows(id: number, query: ReportQuery, { db }: Needs): Promise<ErrorReport['rows']> {
  if (query.cause === undefined) return readPage(findRowReports(db, id, query), jsonRow, query)
  const rows = await findCauseRows(db, id, query.cause)
  if (rows === undefined) throw notFound('Cause')
  const shown = pageOf(rows, query).map(({ columnValidationErrors, ...row }) => {
    const first = columnValidationErrors.slice(0, errorScreenLimits.maxErrorsPerRow)
    return jsonRow({ ...row, columnValidationErrors: first })
  })
  return presentPage(shown, rows.length, query)
}

async function comparePrevious(
  submission: SubmissionRow,
  causes: readonly Cause[],
  viewer: Uploader,
  deps: Needs,
): Promise<ErrorReport['previous']> {
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
  return { ...previous, createdAt: previous.createdAt.toISOString(), ...compared }
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
