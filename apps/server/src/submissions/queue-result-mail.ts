import { storageErrorTimes } from '@veridict/contract/limits'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { ErrorType, type ErrorGroup } from '@veridict/contract/model/verdict'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { counted, writeCount } from '@veridict/contract/notation/count'
import type { Deps } from '#deps.ts'
import { composeMail, type Draft, formatDay, formatTime, type MailMessage } from '#mail/mail-message.ts'
import { queueMail } from '#mail/queue-mail.ts'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import type { MovedSubmission } from '#submissions/submission-moves.ts'

type Needs = Pick<Deps, 'jobs' | 'ids' | 'env' | 'tracing'>

/** Runs in the transaction that settles the result: one e-mail for each. */
export async function queueResultMail(submission: MovedSubmission, trx: Trx, deps: Needs): Promise<void> {
  const { uploaderName: name, uploaderEmail: email } = submission
  if (name === null || email === null) return
  await queueMail(email, resultMail(name, submission, deps.env.publicUrl), trx, deps)
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

export const purgeTimeOf = ({ createdAt }: Pick<SubmissionRow, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + storageErrorTimes.purgeAfterDays * DAY_MILLISECONDS)

export type SettledSubmission = Pick<
  SubmissionRow,
  | 'id'
  | 'status'
  | 'fileName'
  | 'dictionaryName'
  | 'createdAt'
  | 'recordsCount'
  | 'errorRowCount'
  | 'warningRowCount'
  | 'errorType'
  | 'errorGroups'
>

const { IngestionSuccess, IngestionFailed } = SubmissionStatus

/** The error type of a file that was refused as a whole; null for all others. */
const fileProblemOf = ({ status, errorType }: SettledSubmission): ErrorType | null => {
  const isValid = status === IngestionSuccess || status === IngestionFailed
  return isValid || errorType === ErrorType.RowErrors ? null : (errorType ?? ErrorType.ProcessingFailed)
}

const LARGEST_GROUPS = 3

/** Has no cell values and no headers: they can be health data. See docs/BEHAVIOUR.md#e-mail. */
export function resultMail(name: string, submission: SettledSubmission, portal: string): MailMessage {
  const { fileName, dictionaryName, createdAt, recordsCount, errorRowCount, errorType } = submission
  const isCounted = fileProblemOf(submission) === null
  return composeMail({
    name,
    ...describeResult(submission, portal),
    facts: [
      ['File', fileName],
      ['Data dictionary', dictionaryName],
      ['Uploaded', formatTime(createdAt)],
      ...(isCounted ? [['Records', writeCount(recordsCount ?? 0)] as const] : []),
      ...(isCounted && errorType === ErrorType.RowErrors
        ? [['Rows with errors', writeCount(errorRowCount ?? 0)] as const]
        : []),
    ],
  })
}

function describeResult(submission: SettledSubmission, portal: string): Omit<Draft, 'name' | 'facts'> {
  const { id, status, fileName, errorRowCount, errorGroups } = submission
  const [history, report] = [`${portal}/home`, `${portal}/home/fileError/${id}`]
  const problem = fileProblemOf(submission)
  if (status === IngestionSuccess) {
    const warnings = submission.warningRowCount ?? 0
    const accepted = 'Your file passed all checks and was saved. There is nothing left to do.'
    return {
      subject: `Accepted: ${fileName} (${counted(submission.recordsCount ?? 0, 'record')})`,
      opening: warnings > 0 ? [accepted, submissionMessages.mailWarnings(warnings)] : [accepted],
      action:
        warnings > 0
          ? { label: submissionMessages.viewWarnings, address: report }
          : { label: 'See the history', address: history },
    }
  }
  if (status === IngestionFailed)
    return {
      subject: `Storage error: ${fileName} is valid, but could not be saved`,
      opening: [
        'Your file passed all checks, but saving it failed. Open the history and choose "Retry"; you ' +
          'need not upload it again.',
      ],
      action: { label: 'Open the history', address: history },
      closing: [
        'If the error is not resolved, the file is permanently deleted on ' +
          `${formatDay(purgeTimeOf(submission))}.`,
      ],
    }
  if (problem !== null)
    return {
      subject: `Action needed: ${problemSubjects[problem](fileName)}`,
      opening: [problemTexts[problem], 'Nothing of the file was saved.'],
      action: { label: 'See what is wrong', address: report },
    }
  return {
    subject: `Action needed: ${counted(errorRowCount ?? 0, 'row')} with errors in ${fileName}`,
    opening: [
      'Your file has errors, so nothing of it was saved. Correct the cells named in the report and ' +
        'upload the whole file again.',
    ],
    list: {
      title: 'What is wrong most often',
      items: (errorGroups ?? []).slice(0, LARGEST_GROUPS).map(describeGroup),
    },
    action: { label: submissionMessages.viewErrors, address: report },
    closing: ['On that page you can also download your file with every error marked in it.'],
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
