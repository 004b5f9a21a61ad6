import { storageErrorTimes } from '@veridict/contract/limits'
import { ErrorType } from '@veridict/contract/model/error-type'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { submissionProcessedMail, type Outcome } from '#submissions/submission-processed.ts'
import type { MovedSubmission } from '#submissions/submission-moves.ts'
import { queueNotice } from '#mail/queue-mail.ts'

type Needs = Pick<Deps, 'jobs' | 'ids' | 'env' | 'tracing'>

/** E-mails the result to the uploader, in the transaction that settles it: one e-mail for each result. */
export async function queueResultMail(submission: MovedSubmission, trx: Trx, deps: Needs): Promise<void> {
  const { uploaderName: name, uploaderEmail: email } = submission
  if (name === null || email === null) return
  const mail = submissionProcessedMail({
    name,
    fileName: submission.fileName,
    dictionaryName: submission.dictionaryName,
    uploadedAt: submission.createdAt,
    outcome: outcomeOf(submission),
    address: addressOf(submission, deps.env.publicUrl),
  })
  await queueNotice(email, mail, trx, deps)
}

function outcomeOf(submission: SubmissionRow): Outcome {
  const recordsCount = submission.recordsCount ?? 0
  const warningRowCount = submission.warningRowCount ?? 0
  if (submission.status === SubmissionStatus.IngestionSuccess)
    return { kind: 'accepted', recordsCount, warningRowCount }
  if (submission.status === SubmissionStatus.IngestionFailed)
    return { kind: 'storageError', recordsCount, purgeAt: purgeTimeOf(submission) }
  const errorType = submission.errorType ?? ErrorType.ProcessingFailed
  if (errorType !== ErrorType.RowErrors) return { kind: 'fileProblem', errorType }
  return {
    kind: 'rowErrors',
    recordsCount,
    errorRowCount: submission.errorRowCount ?? 0,
    groups: submission.errorGroups ?? [],
  }
}

function addressOf({ id, status, warningRowCount }: SubmissionRow, publicUrl: string): string {
  const hasReport =
    status === SubmissionStatus.ValidationFailed ||
    (status === SubmissionStatus.IngestionSuccess && Boolean(warningRowCount))
  return hasReport ? `${publicUrl}/home/fileError/${id}` : `${publicUrl}/home`
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** When a storage error is purged. */
export const purgeTimeOf = ({ createdAt }: Pick<SubmissionRow, 'createdAt'>): Date =>
  new Date(createdAt.getTime() + storageErrorTimes.purgeAfterDays * DAY_MILLISECONDS)
