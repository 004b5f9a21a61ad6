import { errorScreenLimits } from '@veridict/contract/limits'
import { jsonCause } from '@veridict/contract/model/cause'
import { jsonRow } from '@veridict/contract/model/cell-error'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import type {
  CorrectedUpload,
  EarlierUpload,
  SubmissionDetails,
  SubmissionItem,
  uploadSubmission,
} from '@veridict/contract/api/submissions'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { presentPage } from '#platform/page.ts'
import type { EarlierSubmission, SubmissionSummary } from '#submissions/submission-history.ts'
import type { CorrectedSubmission } from '#submissions/compare-reports.ts'
import type { ErrorReportPage } from '#submissions/read-errors.ts'
import type { SubmissionDetail } from '#submissions/read-submissions.ts'

export const presentSubmissionItem = (submission: SubmissionSummary): SubmissionItem => ({
  id: submission.id,
  fileName: submission.fileName,
  dataDictionaryName: submission.dictionaryName,
  recordsCount: submission.recordsCount,
  createdAt: submission.createdAt.toISOString(),
  status: submission.status,
  errorRowCount: submission.errorRowCount,
  warningRowCount: submission.warningRowCount,
  uploadedBy: submission.uploadedBy,
})

export const presentSubmission = ({
  previous,
  errorType,
  ...submission
}: SubmissionDetail): SubmissionDetails => ({
  ...presentSubmissionItem(submission),
  previous: previous && presentCorrected(previous),
  errorType,
})

const presentCorrected = ({ id, fileName, createdAt, fixed }: CorrectedSubmission): CorrectedUpload => ({
  id,
  fileName,
  createdAt: createdAt.toISOString(),
  fixed,
})

/** The text of each status in the exported history. */
const statusTexts: Readonly<Record<SubmissionStatus, string>> = {
  [SubmissionStatus.Uploaded]: submissionMessages.inProgress,
  [SubmissionStatus.InProcess]: submissionMessages.inProgress,
  [SubmissionStatus.ValidationPassed]: submissionMessages.inProgress,
  [SubmissionStatus.ValidationFailed]: submissionMessages.validationError,
  [SubmissionStatus.IngestionSuccess]: submissionMessages.success,
  [SubmissionStatus.IngestionFailed]: submissionMessages.storageError,
  [SubmissionStatus.IngestionFileNotFound]: submissionMessages.fileRemoved,
}

/** The values of a submission in the order of the export's header. */
export const historyExportLine = (submission: SubmissionSummary): (string | number | null)[] => [
  submission.fileName,
  submission.dictionaryName,
  submission.recordsCount,
  submission.errorRowCount,
  submission.createdAt.toISOString(),
  submission.uploadedBy,
  statusTexts[submission.status],
]

export const presentUpload = ({ id, fileName, status }: SubmissionRow): ReplyOf<typeof uploadSubmission> => ({
  id,
  fileName,
  status,
})

export const presentEarlierUpload = ({ createdAt, ...upload }: EarlierSubmission): EarlierUpload => ({
  ...upload,
  createdAt: createdAt.toISOString(),
})

/** Rows with errors are counted exactly, unless the file has a problem. See docs/BEHAVIOUR.md#error-types. */
export function presentErrorReport(report: ErrorReportPage, paging: PageOfRows): ErrorReport {
  const { submission, dictionaryId, rows, storedRows, causes, warnings, previous } = report
  const isAccepted = submission.status === SubmissionStatus.IngestionSuccess
  const fileProblem = isAccepted ? null : presentProblem(report)
  const errorType = isAccepted ? null : (fileProblem?.errorType ?? ErrorType.RowErrors)
  const warned = fileProblem === null ? 0 : null
  const ofWarnings = warnings.causes.slice(0, errorScreenLimits.maxCauses)
  const ofProblem = fileProblem === null ? [] : (submission.fileProblem?.causes ?? [])
  return {
    id: submission.id,
    fileName: submission.fileName,
    dataDictionaryId: dictionaryId,
    dataDictionaryName: submission.dictionaryName,
    createdAt: submission.createdAt.toISOString(),
    errorType,
    errorMessage: isAccepted ? null : errorMessageOf(submission),
    fileProblem,
    columns: submission.fileProblem?.columns ?? [],
    recordsCount: submission.recordsCount,
    errorRowCount: isAccepted ? 0 : errorType === ErrorType.RowErrors ? submission.errorRowCount : null,
    cellErrorCount: isAccepted ? 0 : submission.cellErrorCount,
    causes: [...causes, ...ofProblem, ...ofWarnings].map(jsonCause),
    causesCount: (submission.causesCount ?? 0) + ofProblem.length + ofWarnings.length,
    previous: previous && presentPrevious(previous),
    rows: presentPage(rows.map(jsonRow), storedRows, paging),
    warningCount: submission.warningCount ?? warned,
    warningRowCount: submission.warningRowCount ?? warned,
    warningRows: presentPage(warnings.rows.map(jsonRow), warnings.count, paging),
  }
}

type PageOfRows = { PageNumber: number; PageSize: number }

const errorMessageOf = ({ errorMessage, errorRowCount, recordsCount }: SubmissionRow): string =>
  errorMessage ?? submissionMessages.rowsWithErrors(errorRowCount ?? 0, recordsCount ?? 0)

function presentProblem({ submission, otherDictionaries }: ErrorReportPage): ErrorReport['fileProblem'] {
  const { errorType, fileProblem } = submission
  if (errorType === ErrorType.RowErrors) return null
  return {
    errorType: errorType ?? ErrorType.ProcessingFailed,
    message: fileProblem?.message ?? errorMessageOf(submission),
    details: fileProblem?.details ?? [],
    hints: fileProblem?.hints ?? [],
    otherDictionaries,
  }
}

const presentPrevious = (
  previous: NonNullable<ErrorReportPage['previous']>,
): NonNullable<ErrorReport['previous']> => ({
  id: previous.id,
  fileName: previous.fileName,
  createdAt: previous.createdAt.toISOString(),
  fixed: previous.fixed,
  remaining: previous.remaining,
  new: previous.new,
  causes: previous.causes,
})
