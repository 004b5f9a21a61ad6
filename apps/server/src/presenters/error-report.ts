import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import { presentPage } from '#presenters/page.ts'
import type { ErrorReportPage } from '#services/submissions/read-errors.ts'

/** `errorRowCount` is exact for rows with errors and null otherwise. See docs/BEHAVIOUR.md#error-types. */
export function presentErrorReport(
  { submission, rows, keptRows }: ErrorReportPage,
  paging: { PageNumber: number; PageSize: number },
): ErrorReport {
  const errorType = submission.errorType ?? ErrorType.ProcessingFailed
  const errorMessage =
    submission.errorMessage ??
    submissionMessages.rowsWithErrors(submission.errorRowCount ?? 0, submission.recordsCount ?? 0)
  return {
    id: submission.id,
    fileName: submission.fileName,
    errorType,
    errorMessage,
    fileProblem:
      errorType === ErrorType.RowErrors
        ? null
        : (submission.fileProblem ?? { errorType, message: errorMessage, details: [] }),
    errorRowCount: errorType === ErrorType.RowErrors ? submission.errorRowCount : null,
    rows: presentPage(rows, keptRows, paging),
  }
}
