import type { ErrorReport } from '@veridict/contract/api/submission-errors'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import { presentPage } from '#presenters/page.ts'
import type { ErrorReportPage } from '#services/submissions/read-errors.ts'

/** `errorRowCount` is exact for rows with errors and null otherwise. Decisions, "Error types". */
export function presentErrorReport(
  { submission, rows, keptRows }: ErrorReportPage,
  paging: { PageNumber: number; PageSize: number },
): ErrorReport {
  return {
    id: submission.id,
    fileName: submission.fileName,
    errorType: submission.errorType ?? ErrorType.ProcessingFailed,
    errorMessage:
      submission.errorMessage ??
      submissionMessages.rowsWithErrors(submission.errorRowCount ?? 0, submission.recordsCount ?? 0),
    errorRowCount: submission.errorType === ErrorType.RowErrors ? submission.errorRowCount : null,
    rows: presentPage(rows, keptRows, paging),
  }
}
