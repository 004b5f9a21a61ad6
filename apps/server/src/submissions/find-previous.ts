import { uploadNameKey } from '@veridict/contract/notation/upload-name'
import type { SubmissionRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { scopeOf } from '#platform/access/scope.ts'
import type { Uploader } from '#platform/access/viewer.ts'
import { findCauses } from '#submissions/submission-causes.ts'
import {
  findCauseCounts,
  findEarlierVerdicts,
  type PreviousSubmission,
} from '#submissions/submission-history.ts'

type Needs = Pick<Deps, 'db' | 'env'>
type LaterSubmission = Pick<SubmissionRow, 'id' | 'fileName' | 'dictionaryVersionId'>

/** An upload whose errors are gone; `fixed` is the number of its bad cells. */
export type CorrectedSubmission = PreviousSubmission & { fixed: number }

/** The previous upload, for the same dictionary and with nearly the same name, that the viewer may see. */
export async function findPrevious(
  submission: LaterSubmission,
  viewer: Uploader,
  { db, env }: Needs,
): Promise<PreviousSubmission | undefined> {
  const key = uploadNameKey(submission.fileName)
  const earlier = await findEarlierVerdicts(db, scopeOf(viewer, env.historyScope), submission)
  return earlier.find(({ fileName }) => uploadNameKey(fileName) === key)
}

/**
 * The previous upload whose errors an accepted file corrected; null if it had no errors, or its report is
 * purged.
 */
export async function findCorrected(
  accepted: LaterSubmission,
  viewer: Uploader,
  deps: Needs,
): Promise<CorrectedSubmission | null> {
  const previous = await findPrevious(accepted, viewer, deps)
  if (previous === undefined) return null
  const [counts, causes] = await Promise.all([
    findCauseCounts(deps.db, previous.id),
    findCauses(deps.db, previous.id),
  ])
  if (causes.length === 0) return null
  return { ...previous, fixed: counts.reduce((sum, [, cells]) => sum + cells, 0) }
}
