import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { storageErrorWarningMail } from '#submissions/storage-error-warning.ts'
import { setMarkOnce } from '#platform/database/marks.ts'
import { findUploader, lockSubmission } from '#submissions/submissions.ts'
import { queueMail } from '#mail/queue-mail.ts'
import { purgeTimeOf } from '#submissions/queue-result-mail.ts'

/** Warns the uploader once that a storage error will be purged. */
export async function warnOfExpiry(
  id: number,
  deps: Pick<Deps, 'db' | 'jobs' | 'ids' | 'env' | 'tracing'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const submission = await lockSubmission(trx, id)
    if (submission?.status !== SubmissionStatus.IngestionFailed) return
    // The time of the purge has already passed.
    if (submission.sourceDeletedAt !== null) return
    const uploader = await findUploader(trx, submission.userId)
    if (!uploader || !(await setMarkOnce(trx, `expiryWarning:${id}`))) return
    const mail = storageErrorWarningMail({
      name: uploader.name,
      fileName: submission.fileName,
      dictionaryName: submission.dictionaryName,
      uploadedAt: submission.createdAt,
      purgeAt: purgeTimeOf(submission),
      address: `${deps.env.publicUrl}/home`,
    })
    await queueMail(uploader.email, mail, trx, deps)
  })
}
