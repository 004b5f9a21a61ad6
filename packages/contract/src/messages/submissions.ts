import { errorScreenLimits, storageErrorTimes } from '#limits.ts'
import { SubmissionStatus } from '#model/submission-status.ts'
import { counted, writeCount } from '#notation/count.ts'

/** Sentences around the history, retries and the error screen. See docs/BEHAVIOUR.md#history. */
export const submissionMessages = {
  historyTitle: 'Uploaded files history',
  /** Ours. */
  exportHistory: 'Export as CSV',
  exportName: 'uploaded-files.csv',
  exportHeader: [
    'File',
    'File type',
    'Records',
    'Rows with errors',
    'Uploaded on (UTC)',
    'Uploaded by',
    'Processing status',
    'Rows with warnings',
  ],
  empty: 'No data available',
  inProgress: 'In progress',
  success: 'Success',
  validationError: 'Validation error',
  viewErrors: 'View errors',
  /** Of an accepted file. Ours. */
  viewWarnings: 'View warnings',
  /** Beside the status, like `errorRows`. */
  warningRows: (count: number) => `${counted(count, 'row')} with warnings`,
  mailWarnings: (count: number) =>
    `It has warnings in ${counted(count, 'row')}, which change nothing about that; its report lists them.`,
  storageError: 'Storage error',
  retry: 'Retry',
  /** Beside the status of a file with errors. Ours. */
  errorRows: (count: number) => counted(count, 'row'),
  statusFilter: 'Filter by status',
  noneWithName: (searchText: string) => `No file name contains '${searchText}'.`,
  noneWithStatus: (searchText: string) =>
    searchText === '' ? 'No file has this status.' : `No file with this status is named '${searchText}'.`,
  fileRemoved: 'File removed',
  storageErrorHint: (purgeDate: string) =>
    'The file is valid, but saving it failed. Retry, or contact the administrator. If the error ' +
    `is not resolved, the file is permanently deleted on ${purgeDate}, ` +
    `${storageErrorTimes.purgeAfterDays} days after its upload.`,
  fileRemovedHint: (purgeDate: string) =>
    `This file was deleted on ${purgeDate}, because its storage error stayed unresolved for more ` +
    `than ${storageErrorTimes.purgeAfterDays} days. Please upload it again.`,
  retryStarted: 'The file is being saved again.',
  retryNotPossible: 'Only a file with a storage error can be retried.',
  /** Body of the 409 after which clients mark the file removed; they compare it literally. */
  ingestionFileNotFound: 'IngestionFileNotFound',
  rowLabel: (rowNumber: number) => `Row ${rowNumber}`,
  firstRowsOf: (errorRowCount: number) =>
    `Showing the first ${errorScreenLimits.maxRows} rows. Download the errors file to view all ` +
    `${writeCount(errorRowCount)} rows.`,
  upToRows: `Showing up to ${errorScreenLimits.maxRows} rows...`,
  rowsDeleted:
    'The rows of this report are deleted: values of rejected files are kept for a limited time only.',
  /** Ours. Before what to do about each of them. */
  forAllColumns: (count: number) => `For each of these ${writeCount(count)} columns:`,
  structureLead: 'Please select the correct file during the file upload. Ensure that:',
  structureChecks: [
    'Each column specified in the file type is present in the file.',
    'Order of the column is correct.',
  ],
  /** For an accepted file, the errors that its previous upload had. `day` is like "3 May". Ours. */
  allFixed: (count: number, day: string) =>
    count === 1
      ? `The one error of the upload of ${day} is fixed.`
      : `All ${writeCount(count)} errors of the upload of ${day} are fixed.`,
  uploadAgain: 'Please upload your file again. If the error persists, contact the administrator.',
  rowsWithErrors: (errorRowCount: number, recordsCount: number) =>
    `${writeCount(errorRowCount)} of ${counted(recordsCount, 'row')} ` +
    `${errorRowCount === 1 ? 'has' : 'have'} errors.`,
  noErrorFile: 'There is no error file for this submission.',
  sourceGone: 'The uploaded file is no longer kept, so its error files cannot be made any more.',
  errorFileNotPossible: (problem: string) => `This file cannot be made from the uploaded one. ${problem}`,
  errorsFile: 'Errors',
  highlightedFile: 'Errors highlighted in source file',
  /** Of an accepted file. Ours. */
  warningsFile: 'Warnings',
  highlightedWarningsFile: 'Warnings highlighted in source file',
} as const

const { inProgress, validationError, success, storageError, fileRemoved } = submissionMessages

/** The name of each status; all unfinished ones share a name. See docs/BEHAVIOUR.md#history. */
export const submissionStatusTexts: Readonly<Record<SubmissionStatus, string>> = {
  [SubmissionStatus.Uploaded]: inProgress,
  [SubmissionStatus.InProcess]: inProgress,
  [SubmissionStatus.ValidationPassed]: inProgress,
  [SubmissionStatus.ValidationFailed]: validationError,
  [SubmissionStatus.IngestionSuccess]: success,
  [SubmissionStatus.IngestionFailed]: storageError,
  [SubmissionStatus.IngestionFileNotFound]: fileRemoved,
}
