import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { sourcePath, systemCode } from '#platform/storage/storage.ts'
import { markSourceDeleted } from '#submissions/submission-sources.ts'
import { deleteFilesOfFailedRun, isIngestedAt, type Ingestable } from '#submissions/side-file.ts'
import { earlierTargetPathsOf, findTargetPath, type Targeted } from '#submissions/target-path.ts'

/** Older than every upload, transaction and request that can still be running. */
export const SWEEP_AGE_MILLISECONDS = 60 * 60 * 1000

type Needs = Pick<Deps, 'db' | 'storage' | 'log'>
export type UnneededSource = Targeted & Ingestable & Pick<SubmissionRow, 'status' | 'updatedAt'>

/** Deletes the source and what failed runs left. Returns the error of a folder that cannot change now. */
export async function deleteUnneeded(submission: UnneededSource, deps: Needs): Promise<Error | null> {
  await deps.storage.delete(sourcePath(submission.storageKey))
  try {
    await deleteTargets(submission, deps)
  } catch (error) {
    // The company's folder cannot be used now. The caller goes on with other companies.
    if (systemCode(error) === undefined) throw error
    return error as Error
  }
  // An object store may still write a file late: then the source is not marked, so the sweep runs again.
  if (!mayFilesComeLate(submission)) await markSourceDeleted(deps.db, submission.id)
  return null
}

/** Whether an object store may still write at an earlier path: a failed request can take effect late. */
const mayFilesComeLate = (submission: UnneededSource): boolean =>
  submission.status === SubmissionStatus.IngestionSuccess &&
  submission.targetPath !== null &&
  earlierTargetPathsOf(submission, submission.targetPath).length > 0 &&
  submission.updatedAt.getTime() > Date.now() - SWEEP_AGE_MILLISECONDS

/**
 * Deletes files at paths that no run uses: in status 4 those tried before its own path, in status 6 also its
 * own, except for a complete file: a run before a restore of the database may have stored it.
 */
async function deleteTargets(submission: UnneededSource, { db, storage, log }: Needs): Promise<void> {
  const { IngestionSuccess, IngestionFileNotFound } = SubmissionStatus
  const { id, status } = submission
  if (status !== IngestionSuccess && status !== IngestionFileNotFound) return
  const path = await findTargetPath(submission, db)
  const paths = earlierTargetPathsOf(submission, path)
  if (status === IngestionFileNotFound) paths.push(path)
  for (const unused of paths) {
    if (status === IngestionFileNotFound && (await isIngestedAt(unused, submission, storage))) continue
    if (await deleteFilesOfFailedRun(unused, submission, storage))
      log.info({ submissionId: id, path: unused }, 'the files of a failed run were deleted')
  }
}
