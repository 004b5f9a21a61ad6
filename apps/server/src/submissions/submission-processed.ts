import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType } from '@veridict/contract/model/error-type'
import type { ErrorGroup } from '@veridict/contract/model/verdict'
import { counted, writeCount } from '@veridict/contract/notation/count'
import { composeMail, type Draft, formatDay, formatTime, type MailMessage } from '#mail/mail-message.ts'

/** The result of a submission, as far as an e-mail may contain it. */
export type Outcome =
  | { kind: 'accepted'; recordsCount: number; warningRowCount: number }
  | { kind: 'rowErrors'; recordsCount: number; errorRowCount: number; groups: readonly ErrorGroup[] }
  | { kind: 'fileProblem'; errorType: ErrorType }
  | { kind: 'storageError'; recordsCount: number; purgeAt: Date }

export type ProcessedSubmission = {
  /** Name of the uploader. */
  name: string
  fileName: string
  dictionaryName: string
  uploadedAt: Date
  outcome: Outcome
  /** The URL of the error screen if there are errors or warnings, else of the history. */
  address: string
}

const LARGEST_GROUPS = 3

/**
 * To the uploader at the end of processing, with the outcome in the subject. It contains no cell values and
 * no headers of the file: the data can be health data, and the first row of a file without a header is data.
 * See docs/BEHAVIOUR.md#e-mail.
 */
export function submissionProcessedMail(submission: ProcessedSubmission): MailMessage {
  const { name, fileName, dictionaryName, uploadedAt, outcome } = submission
  return composeMail({
    name,
    ...describeOutcome(submission),
    facts: [
      ['File', fileName],
      ['Data dictionary', dictionaryName],
      ['Uploaded', formatTime(uploadedAt)],
      ...('recordsCount' in outcome ? [['Records', writeCount(outcome.recordsCount)] as const] : []),
      ...(outcome.kind === 'rowErrors'
        ? [['Rows with errors', writeCount(outcome.errorRowCount)] as const]
        : []),
    ],
  })
}

function describeOutcome({
  fileName,
  outcome,
  address,
}: ProcessedSubmission): Pick<Draft, 'subject' | 'opening' | 'list' | 'action' | 'closing'> {
  switch (outcome.kind) {
    case 'accepted':
      return {
        subject: `Accepted: ${fileName} (${counted(outcome.recordsCount, 'record')})`,
        opening: [
          'Your file passed all checks and was saved. There is nothing left to do.',
          ...(outcome.warningRowCount > 0 ? [submissionMessages.mailWarnings(outcome.warningRowCount)] : []),
        ],
        action: {
          label: outcome.warningRowCount > 0 ? submissionMessages.viewWarnings : 'See the history',
          address,
        },
      }
    case 'rowErrors':
      return {
        subject: `Action needed: ${counted(outcome.errorRowCount, 'row')} with errors in ${fileName}`,
        opening: [
          'Your file has errors, so nothing of it was saved. Correct the cells named in the report and ' +
            'upload the whole file again.',
        ],
        list: {
          title: 'What is wrong most often',
          items: outcome.groups.slice(0, LARGEST_GROUPS).map(describeGroup),
        },
        action: { label: submissionMessages.viewErrors, address },
        closing: ['On that page you can also download your file with every error marked in it.'],
      }
    case 'fileProblem':
      return {
        subject: `Action needed: ${problemSubjects[outcome.errorType](fileName)}`,
        opening: [problemTexts[outcome.errorType], 'Nothing of the file was saved.'],
        action: { label: 'See what is wrong', address },
      }
    case 'storageError':
      return {
        subject: `Storage error: ${fileName} is valid, but could not be saved`,
        opening: [
          'Your file passed all checks, but saving it failed. Open the history and choose "Retry"; you ' +
            'need not upload it again.',
        ],
        action: { label: 'Open the history', address },
        closing: [
          `If the error is not resolved, the file is permanently deleted on ${formatDay(outcome.purgeAt)}.`,
        ],
      }
  }
}

/** Column and count; the sentence of an error may quote the dictionary, never the file. */
const describeGroup = ({ columnPosition, label, error, count: cells }: ErrorGroup) =>
  `${counted(cells, 'cell')} in column ${columnPosition} "${label}": ${error}`

const problemSubjects: Readonly<Record<ErrorType, (fileName: string) => string>> = {
  [ErrorType.RowErrors]: (fileName) => `errors in ${fileName}`,
  [ErrorType.Columns]: (fileName) => `the columns of ${fileName} do not match`,
  [ErrorType.ColumnOrder]: (fileName) => `the columns of ${fileName} are in another order`,
  [ErrorType.Unreadable]: (fileName) => `${fileName} could not be read`,
  [ErrorType.NoRows]: (fileName) => `${fileName} has no data rows`,
  [ErrorType.BeyondLimit]: (fileName) => `${fileName} is beyond a limit of the portal`,
  [ErrorType.EmptyDictionary]: (fileName) => `${fileName} could not be checked`,
  [ErrorType.ProcessingFailed]: (fileName) => `${fileName} could not be processed`,
}

const problemTexts: Readonly<Record<ErrorType, string>> = {
  [ErrorType.RowErrors]: 'Your file has errors.',
  [ErrorType.Columns]:
    'The columns of your file do not match the data dictionary. The error page names each missing, ' +
    'unexpected and duplicate column.',
  [ErrorType.ColumnOrder]:
    'Your file has the right columns in another order than the data dictionary. The error page shows the ' +
    'expected order.',
  [ErrorType.Unreadable]:
    'Your file could not be read. The error page says what is wrong with it and how to save it so that it ' +
    'can be read.',
  [ErrorType.NoRows]: 'Your file has no data rows: there is nothing below the header.',
  [ErrorType.BeyondLimit]: 'Your file goes beyond a limit of the portal. The error page says which one.',
  [ErrorType.EmptyDictionary]:
    'The data dictionary has no fields yet, so no file can match it. Please contact the administrator.',
  [ErrorType.ProcessingFailed]:
    'Something went wrong on our side while your file was processed. Please upload it again, and contact ' +
    'the administrator if it happens again.',
}
