import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { sourcePath, systemCode } from '#drivers/storage/storage.ts'
import { markSourceDeleted } from '#repositories/submissions.ts'
import { removeLeft } from '#services/submissions/side-file.ts'
import { earlierTargetPathsOf, findTargetPath } from '#services/submissions/target-path.ts'

type Needs = Pick<Deps, 'db' | 'storage' | 'log'>

/**
 * Deletes what a submission that stays in its status needs no longer: what failed runs left in the company's
 * folder, and its source. False if that is not possible now: the next sweep tries again.
 */
export async function deleteUnneeded(submission: SubmissionRow, deps: Needs): Promise<boolean> {
  const { id, status, storageKey } = submission
  const { IngestionSuccess, IngestionFileNotFound } = SubmissionStatus
  if (status === IngestionSuccess || status === IngestionFileNotFound)
    if (!(await removeTargets(submission, deps))) return false
  await deps.storage.delete(sourcePath(storageKey))
  await markSourceDeleted(deps.db, id)
  return true
}

/** At all paths that no run uses any more: of status 4 those before its own, of status 6 that, too. */
async function removeTargets(submission: SubmissionRow, { db, storage, log }: Needs): Promise<boolean> {
  const path = await findTargetPath(submission, db)
  const paths = earlierTargetPathsOf(submission, path)
  if (submission.status === SubmissionStatus.IngestionFileNotFound) paths.push(path)
  try {
    for (const left of paths) await removeLeft(left, submission, storage)
    return true
  } catch (error) {
    // Of one company's folder; the others are swept all the same.
    if (systemCode(error) === undefined) throw error
    log.warn({ err: error, submissionId: submission.id }, 'files of a failed run could not be deleted')
    return false
  }
}
