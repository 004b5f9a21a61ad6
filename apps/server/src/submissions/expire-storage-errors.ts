import { storageErrorTimes } from '@veridict/contract/limits'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { composeMail, formatDay, formatTime, type MailMessage } from '#mail/mail-message.ts'
import { queueMail } from '#mail/queue-mail.ts'
import { hasClockJumped, isNewlyRestored, recordRun, setMarkOnce } from '#platform/database/marks.ts'
import type { SubmissionRow, Trx } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { sourcePath } from '#platform/storage/storage.ts'
import { deleteUnneeded } from '#submissions/delete-unneeded.ts'
import { ingestAgain, markFileRemoved } from '#submissions/retry-ingestion.ts'
import { purgeTimeOf } from '#submissions/queue-result-mail.ts'
import { findStorageErrorsOlderThan, recordSourceDeleted } from '#submissions/submission-sources.ts'
import { lockSubmission } from '#submissions/submissions.ts'
import { findIngestedPath, findTargetPath, isUnreadable } from '#submissions/target-path.ts'
import { findUser } from '#users/users.ts'

type Needs = Pick<
  Deps,
  'db' | 'storage' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'caller' | 'tracing'
>

const { purgeAfterDays, warnBeforeDays } = storageErrorTimes

/**
 * Purges storage errors 90 days after upload (5 → 6) and warns their uploaders 7 days before. Not after a
 * jump of the clock: one that is a year ahead would delete all. See docs/BEHAVIOUR.md#purge-and-retention.
 */
export async function expireStorageErrors(deps: Needs): Promise<void> {
  if (await hasClockJumped(deps.db)) {
    deps.log.error(
      'The clock jumped by more than a day; nothing is purged until it has run without a jump for a day',
    )
    return
  }
  // After a restore, a submission that was retried since the backup looks like a storage error again.
  if (await isNewlyRestored(deps.db)) return deps.log.info('nothing is purged soon after a restore')
  await deps.storage.check()
  for (const id of await findStorageErrorsOlderThan(deps.db, purgeAfterDays)) await purge(id, deps)
  for (const id of await findStorageErrorsOlderThan(deps.db, purgeAfterDays - warnBeforeDays))
    await warnOfExpiry(id, deps)
  await recordRun(deps.db, 'purge')
}

/**
 * The row first, then the bytes: a retry in between never finds a submission without its file. Where an
 * unreadable folder may hold a file that the database forgot, only the source is deleted; the status waits.
 */
async function purge(id: number, deps: Needs): Promise<void> {
  const outcome = await inTransaction(deps.db, async (trx) => {
    const found = await lockSubmission(trx, id)
    if (found?.status !== SubmissionStatus.IngestionFailed) return null
    // Before the move to status 6, after which the bytes must be deleted.
    await deps.storage.confirm()
    const targetPath = await findIngested(found, trx, deps)
    if (targetPath instanceof Error) {
      await recordSourceDeleted(trx, id)
      return { submission: found, unreadable: targetPath }
    }
    if (targetPath !== null) {
      await ingestAgain(found, { note: 'the file is in the company folder', targetPath }, trx, deps)
      return null
    }
    const note = `purged after ${purgeAfterDays} days`
    const detail = { submission: id, uploadedAt: found.createdAt.toISOString() }
    return { submission: await markFileRemoved(found, { note, detail }, trx, deps), unreadable: null }
  })
  if (outcome === null) return
  if (outcome.unreadable === null) await deletePurged(outcome.submission, deps)
  else await deleteSourceOnly(outcome.submission, outcome.unreadable, deps)
}

/** The error if the company's folder cannot be read. */
async function findIngested(
  submission: SubmissionRow,
  trx: Trx,
  { storage }: Needs,
): Promise<string | null | Error> {
  const from = await findTargetPath(submission, trx)
  try {
    return await findIngestedPath(submission, { from, unreadable: 'error' }, storage)
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return error as Error
  }
}

async function deletePurged(purged: SubmissionRow, deps: Needs): Promise<void> {
  const { id } = purged
  deps.metrics.purged.inc()
  deps.log.info({ submissionId: id }, 'a storage error was purged')
  const err = await deleteUnneeded(purged, deps)
  if (err !== null) deps.log.warn({ err, submissionId: id }, 'the files of failed runs could not be deleted')
}

async function deleteSourceOnly(
  { id, companyId, storageKey }: SubmissionRow,
  err: Error,
  { storage, metrics, log }: Needs,
): Promise<void> {
  metrics.failures.inc({ kind: 'storing' })
  log.error(
    { err, submissionId: id, companyId },
    'a storage error stays in status 5 until its company folder can be read; its source is deleted',
  )
  await storage.delete(sourcePath(storageKey))
}

async function warnOfExpiry(
  id: number,
  deps: Pick<Deps, 'db' | 'jobs' | 'ids' | 'env' | 'tracing'>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const submission = await lockSubmission(trx, id)
    if (submission?.status !== SubmissionStatus.IngestionFailed) return
    // The time of the purge has already passed.
    if (submission.sourceDeletedAt !== null) return
    const uploader = submission.userId === null ? undefined : await findUser(trx, submission.userId)
    if (!uploader || !(await setMarkOnce(trx, `expiryWarning:${id}`))) return
    const mail = storageErrorWarningMail(uploader.name, submission, deps.env.publicUrl)
    await queueMail(uploader.email, mail, trx, deps)
  })
}

/** See docs/BEHAVIOUR.md#purge-and-retention. */
export function storageErrorWarningMail(
  name: string,
  submission: Pick<SubmissionRow, 'fileName' | 'dictionaryName' | 'createdAt'>,
  portal: string,
): MailMessage {
  const { fileName, dictionaryName, createdAt } = submission
  const purgeDay = formatDay(purgeTimeOf(submission))
  return composeMail({
    subject: `Storage error: ${fileName} will be deleted on ${purgeDay}`,
    name,
    opening: [
      'Your file is valid, but it could not be saved, and its storage error is still not resolved. Files ' +
        `in this state are permanently deleted ${storageErrorTimes.purgeAfterDays} days after their upload.`,
      'Open the history and choose "Retry". If it fails again, contact the administrator.',
    ],
    facts: [
      ['File', fileName],
      ['Data dictionary', dictionaryName],
      ['Uploaded', formatTime(createdAt)],
      ['Will be deleted on', purgeDay],
    ],
    action: { label: 'Open the history', address: `${portal}/home` },
  })
}
