import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf } from '#policies/scope.ts'
import type { Uploader } from '#policies/viewer.ts'
import { findSelectableDictionaries } from '#repositories/company-dictionaries.ts'
import {
  countSubmissions,
  findEarlierSubmission,
  findSubmissions,
  findSubmissionSummary,
  type HistoryFilter,
  type SubmissionSummary,
} from '#repositories/submissions.ts'

/** A page of the history that the viewer may see, newest first, and how many match. */
export async function listSubmissions(
  paging: Paging & HistoryFilter,
  viewer: Uploader,
  { db, env }: Pick<Deps, 'db' | 'env'>,
) {
  const scope = scopeOf(viewer, env.historyScope)
  const matches = await countSubmissions(db, scope, paging)
  return { submissions: await findSubmissions(db, scope, paging, matches), matches }
}

/** One row of the history. Throws 404 for those that the viewer may not see. */
export async function readSubmission(
  id: number,
  viewer: Uploader,
  { db, env }: Pick<Deps, 'db' | 'env'>,
): Promise<SubmissionSummary> {
  const submission = await findSubmissionSummary(db, scopeOf(viewer, env.historyScope), id)
  if (!submission) throw notFound('File')
  return submission
}

/** The dictionaries of the viewer's company, against which the viewer may upload. */
export const listSelectableDictionaries = (viewer: Uploader, { db }: Pick<Deps, 'db'>) =>
  findSelectableDictionaries(db, viewer.companyId)

/** The newest upload of the same bytes that the viewer may see; undefined without one. */
export const readEarlierUpload = (
  { dataDictionaryId: dictionaryId, sha256 }: { dataDictionaryId: number; sha256: string },
  viewer: Uploader,
  { db, env }: Pick<Deps, 'db' | 'env'>,
) => findEarlierSubmission(db, scopeOf(viewer, env.historyScope), { dictionaryId, sha256 })
