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

/** `errorRowCount` is exact for rows with errors and null otherwise. See docs/BEHAVIOUR.md#error-types. */
export function presentErrorReport(
  { submission, dictionaryId, rows, storedRows, causes, previous, otherDictionaries }: ErrorReportPage,
  paging: { PageNumber: number; PageSize: number },
): ErrorReport {
  const errorType = submission.errorType ?? ErrorType.ProcessingFailed
  const errorMessage =
    submission.errorMessage ??
    submissionMessages.rowsWithErrors(submission.errorRowCount ?? 0, submission.recordsCount ?? 0)
  return {
    id: submission.id,
    fileName: submission.fileName,
    dataDictionaryId: dictionaryId,
    dataDictionaryName: submission.dictionaryName,
    createdAt: submission.createdAt.toISOString(),
    errorType,
    errorMessage,
    fileProblem:
      errorType === ErrorType.RowErrors
        ? null
        : {
            errorType,
            message: submission.fileProblem?.message ?? errorMessage,
            details: submission.fileProblem?.details ?? [],
            hints: submission.fileProblem?.hints ?? [],
            otherDictionaries,
          },
    columns: submission.fileProblem?.columns ?? [],
    recordsCount: submission.recordsCount,
    errorRowCount: errorType === ErrorType.RowErrors ? submission.errorRowCount : null,
    cellErrorCount: submission.cellErrorCount,
    causes,
    causesCount: submission.causesCount ?? 0,
    previous: previous && presentPrevious(previous),
    rows: presentPage(rows.map(jsonRow), storedRows, paging),
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
