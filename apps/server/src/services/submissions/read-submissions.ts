import type { Paging } from '@veridict/contract/api/paging'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { shareRead } from '#db/shared-reads.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf } from '#policies/scope.ts'
import type { Uploader } from '#policies/viewer.ts'
import { findSelectableDictionaries } from '#repositories/company-dictionaries.ts'
import {
  countSubmissions,
  findEarlierSubmission,
  findSubmissions,
  findSubmissionsBefore,
  findSubmissionSummary,
  type HistoryFilter,
  type SubmissionSummary,
} from '#repositories/submission-history.ts'
import { created } from '#services/audit/changes.ts'
import { recordAudit } from '#services/audit/record-audit.ts'
import { cutPage, type HistoryPage, searchHistory } from '#services/submissions/search-history.ts'

/**
 * A page of the history that the viewer may see, newest first, and how many match. Colleagues who look at the
 * same page at the same moment share a read.
 */
export function listSubmissions(
  paging: Paging & HistoryFilter,
  viewer: Uploader,
  { db, env, limits }: Pick<Deps, 'db' | 'env' | 'limits'>,
): Promise<HistoryPage> {
  const scope = scopeOf(viewer, env.historyScope)
  return shareRead(db, `history ${JSON.stringify([scope, paging])}`, async () => {
    if (paging.SearchText !== '') return searchHistory(paging, scope, { db, limits })
    const matches = await countSubmissions(db, scope, paging)
    return cutPage(await findSubmissions(db, scope, paging), paging, matches)
  })
}

const EXPORTED_AT_ONCE = 2000

/** The whole history that the viewer may see, newest first, in batches. The audit trail records it. */
export async function* readWholeHistory(
  filter: HistoryFilter,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'caller'>,
): AsyncGenerator<SubmissionSummary[]> {
  const scope = scopeOf(viewer, deps.env.historyScope)
  const about = { subject: submissionMessages.historyTitle, detail: created({ kind: 'history' }) }
  await recordAudit({ action: 'file.downloaded', ...about }, deps.db, deps)
  let last: SubmissionSummary | undefined
  do {
    const rows = await findSubmissionsBefore(deps.db, scope, filter, last?.id, EXPORTED_AT_ONCE)
    yield rows
    last = rows.length < EXPORTED_AT_ONCE ? undefined : rows.at(-1)
  } while (last !== undefined)
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
