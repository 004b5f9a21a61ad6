import { storageErrorTimes } from '@veridict/contract/limits'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#db/transaction.ts'
import { hasClockJumped, isNewlyRestored, recordRun } from '#repositories/marks.ts'
import { findStorageErrorsOlderThan } from '#repositories/submission-sources.ts'
import { lockSubmission } from '#repositories/submissions.ts'
import { deleteUnneeded } from '#services/submissions/delete-unneeded.ts'
import { ingestAgain, markFileRemoved } from '#services/submissions/leave-storage-error.ts'
import { findIngestedPath, findTargetPath } from '#services/submissions/target-path.ts'
import { warnOfExpiry } from '#services/submissions/warn-of-expiry.ts'

type Needs = Pick<
  Deps,
  'db' | 'storage' | 'jobs' | 'bus' | 'ids' | 'env' | 'log' | 'metrics' | 'caller' | 'tracing'
>

const { purgeAfterDays, warnBeforeDays } = storageErrorTimes

/**
 * Purges storage errors 90 days after upload (5 → 6, bytes deleted) and warns their uploaders 7 days before.
 * Does nothing after a jump of the clock: a clock that is a year ahead would delete everything. See
 * docs/BEHAVIOUR.md#purge-and-retention.
 */
export async function expireStorageErrors(deps: Needs): Promise<void> {
  if (await hasClockJumped(deps.db)) {
    deps.log.error(
      'The clock jumped by more than a day; nothing is purged until it has run without a jump for a day',
    )
    return
  }
  // What was retried after the backup looks like a storage error again.
  if (await isNewlyRestored(deps.db)) return deps.log.info('nothing is purged soon after a restore')
  await deps.storage.check()
  for (const id of await findStorageErrorsOlderThan(deps.db, purgeAfterDays)) await purge(id, deps)
  for (const id of await findStorageErrorsOlderThan(deps.db, purgeAfterDays - warnBeforeDays))
    await warnOfExpiry(id, deps)
  await recordRun(deps.db, 'purge')
}

/** The row first, then the bytes: a retry in between finds status 6, never a submission without its file. */
async function purge(id: number, deps: Needs): Promise<void> {
  const purged = await inTransaction(deps.db, async (trx) => {
    const found = await lockSubmission(trx, id)
    if (found?.status !== SubmissionStatus.IngestionFailed) return null
    // Of a submission in status 6 the bytes must be deleted, which is not possible without the storage.
    await deps.storage.confirm()
    const from = await findTargetPath(found, trx)
    const targetPath = await findIngestedPath(found, { from, unreadable: 'empty' }, deps.storage)
    if (targetPath !== null) {
      await ingestAgain(found, { note: 'the file is in the company folder', targetPath }, trx, deps)
      return null
    }
    const note = `purged after ${purgeAfterDays} days`
    const detail = { submission: id, uploadedAt: found.createdAt.toISOString() }
    return markFileRemoved(found, { note, detail }, trx, deps)
  })
  if (purged === null) return
  deps.metrics.purged.inc()
  deps.log.info({ submissionId: id }, 'a storage error was purged')
  const err = await deleteUnneeded(purged, deps)
  if (err !== null) deps.log.warn({ err, submissionId: id }, 'the files of failed runs could not be deleted')
}
