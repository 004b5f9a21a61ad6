import { errorScreenLimits } from '@veridict/contract/limits'
import { jsonCause } from '@veridict/contract/model/cause'
import { jsonRow } from '@veridict/contract/model/cell-error'
import { rememberedFor } from '@veridict/contract/model/remembered-answer'
import type { ReplyOf } from '@veridict/contract/api/endpoint'
import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import type {
  EarlierUpload,
  SubmissionDetails,
  SubmissionItem,
  uploadSubmission,
} from '@veridict/contract/api/submissions'
import { submissionMessages, submissionStatusTexts } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { presentPage } from '#platform/page.ts'
import type { EarlierSubmission, SubmissionSummary } from '#submissions/submission-history.ts'
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
  previous: previous && { ...previous, createdAt: previous.createdAt.toISOString() },
  errorType,
})

/** The values of a submission in the order of the export's header. */
export const historyExportLine = (submission: SubmissionSummary): (string | number | null)[] => [
  submission.fileName,
  submission.dictionaryName,
  submission.recordsCount,
  submission.errorRowCount,
  submission.createdAt.toISOString(),
  submission.uploadedBy,
  submissionStatusTexts[submission.status],
  submission.warningRowCount,
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

/** See docs/BEHAVIOUR.md#error-types and docs/BEHAVIOUR.md#rules-between-cells. */
export function presentErrorReport(
  report: ErrorReportPage,
  paging: { PageNumber: number; PageSize: number },
): ErrorReport {
  const { submission, dictionary, uploadedBy, rows, storedRows, causes, warnings, previous } = report
  const { errorRowCount, recordsCount, fileProblem } = submission
  const errorType = submission.errorType ?? ErrorType.ProcessingFailed
  const isOfRows = errorType === ErrorType.RowErrors
  const isAccepted = submission.status === SubmissionStatus.IngestionSuccess
  const errorMessage =
    submission.errorMessage ?? submissionMessages.rowsWithErrors(errorRowCount ?? 0, recordsCount ?? 0)
  const { message = errorMessage, details = [], hints = [], columns = [] } = fileProblem ?? {}
  const { otherDictionaries } = report
  const ofWarnings = warnings.causes.slice(0, errorScreenLimits.maxCauses)
  const ofProblem = isOfRows ? [] : (fileProblem?.causes ?? [])
  return {
    id: submission.id,
    fileName: submission.fileName,
    dataDictionaryId: dictionary.dictionaryId,
    dataDictionaryName: submission.dictionaryName,
    dictionaryVersion: dictionary.revision,
    uploadedBy,
    createdAt: submission.createdAt.toISOString(),
    errorType,
    errorMessage,
    fileProblem: isOfRows ? null : { errorType, message, details, hints, otherDictionaries },
    columns,
    recordsCount,
    errorRowCount: isOfRows ? errorRowCount : null,
    cellErrorCount: submission.cellErrorCount,
    causes: [...causes, ...ofProblem, ...ofWarnings].map((cause) => {
      const { choice, map } = rememberedFor(cause, report.answers) ?? {}
      return { ...jsonCause(cause), remembered: map ? Object.fromEntries(map) : choice }
    }),
    causesCount: (submission.causesCount ?? 0) + ofProblem.length + ofWarnings.length,
    previous: previous && { ...previous, createdAt: previous.createdAt.toISOString() },
    rows: presentPage(rows.map(jsonRow), storedRows, paging),
    warningCount: submission.warningCount,
    warningRowCount: submission.warningRowCount,
    warningRows: presentPage(warnings.rows.map(jsonRow), warnings.count, paging),
    ...(isAccepted && withoutErrors),
  }
}

const withoutErrors = {
  errorType: null,
  errorMessage: null,
  fileProblem: null,
  errorRowCount: 0,
  cellErrorCount: 0,
}
