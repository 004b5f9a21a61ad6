import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import { conflict, found } from '#errors.ts'
import { scopeOf } from '#platform/access/scope.ts'
import type { Uploader } from '#platform/access/viewer.ts'
import { lockSubmissionInScope } from '#submissions/submissions.ts'
import { ingestAgain, markFileRemoved } from '#submissions/leave-storage-error.ts'
import { hasSource, storageRefusal } from '#platform/storage/storage-refusal.ts'
import { findIngestedPath, findTargetPath, restoreSource } from '#submissions/target-path.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'jobs' | 'bus' | 'ids' | 'env' | 'caller' | 'tracing'>

const { IngestionFailed } = SubmissionStatus

/**
 * Ingests a validated file again after a storage error: 5 → 3, without validating again. The row is locked,
 * so the second of two clicks, or of a click and the purge, finds another status. Throws 404; 409
 * `IngestionFileNotFound` if the source is gone (then 5 → 6); 409 with another sentence in every status but
 * 5; 503 while the storage is not available. See docs/BEHAVIOUR.md#retry.
 */
export async function retryIngestion(id: number, viewer: Uploader, deps: Needs): Promise<void> {
  const isThere = await inTransaction(deps.db, async (trx) => {
    const scope = scopeOf(viewer, deps.env.historyScope)
    const submission = await found(lockSubmissionInScope(trx, scope, id), 'File')
    if (submission.status !== IngestionFailed) throw conflict(submissionMessages.retryNotPossible)
    const { canIngest, targetPath } = await findFile(submission, { ...deps, db: trx })
    if (canIngest) await ingestAgain(submission, { note: 'retry', targetPath }, trx, deps)
    else
      await markFileRemoved(submission, { note: 'the file was gone', detail: { submission: id } }, trx, deps)
    return canIngest
  })
  // Thrown after the commit, so that the move to 6 is kept.
  if (!isThere) throw conflict(submissionMessages.ingestionFileNotFound)
}

/** `targetPath`: where the file is in the company's folder already. */
async function findFile(
  submission: SubmissionRow,
  { db, storage }: Pick<Needs, 'db' | 'storage'>,
): Promise<{ canIngest: boolean; targetPath: string | null }> {
  const isKept = await hasSource(submission, storage)
  try {
    const from = await findTargetPath(submission, db)
    const targetPath = await findIngestedPath(submission, { from, unreadable: 'empty' }, storage)
    const canIngest = isKept || targetPath !== null || (await restoreSource(submission, { db, storage }))
    return { canIngest, targetPath }
  } catch (error) {
    throw storageRefusal(error)
  }
}
