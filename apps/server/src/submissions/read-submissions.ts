import type { Paging } from '@veridict/contract/api/paging'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { SubmissionStatus } from '@veridict/contract/model/submission-status'
import { shareRead } from '#platform/database/shared-reads.ts'
import type { SubmissionRow } from '#platform/database/tables.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { scopeOf, type Scope } from '#platform/access/scope.ts'
import { personKey, type Uploader } from '#platform/access/viewer.ts'
import { findSelectableDictionaries } from '#dictionaries/company-dictionaries.ts'
import {
  countSubmissions,
  findEarlierSubmission,
  findSubmissions,
  findSubmissionsBefore,
  findSubmissionSummary,
  type HistoryFilter,
  type SubmissionSummary,
} from '#submissions/submission-history.ts'
import { onlyAfter } from '#audit/changes.ts'
import { recordAudit } from '#audit/record-audit.ts'
import { type CorrectedSubmission, findCorrected } from '#submissions/find-previous.ts'
import {
  cutPage,
  type HistoryPage,
  type InTurn,
  type LongHistoryPage,
  ROWS_AT_ONCE,
  searchHistory,
} from '#submissions/search-history.ts'

/** A page after so many rows counts as a long read: each thousand takes 0.1 ms or more. */
const FAR_ROWS = 10_000

/**
 * A page of the history that the viewer may see, newest first, and how many match. Colleagues who look at the
 * same page at the same moment share a read. A page may be long only where `paging` asks for one.
 */
export function listSubmissions(
  paging: Paging & HistoryFilter,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'limits'>,
): Promise<HistoryPage | LongHistoryPage> {
  const scope = scopeOf(viewer, deps.env.historyScope)
  const isLong = paging.PageSize >= ROWS_AT_ONCE
  const isFar = (paging.PageNumber - 1) * paging.PageSize >= FAR_ROWS
  const inTurn = turnsOf(viewer, deps)
  const read = () => {
    if (paging.SearchText !== '') return searchHistory(paging, scope, { db: deps.db, inTurn })
    if (isLong) return readLongPage(paging, scope, { db: deps.db, inTurn })
    return isFar ? inTurn(() => readPage(paging, scope, deps)) : readPage(paging, scope, deps)
  }
  // The batches of a long page can be read only once, so they cannot be shared.
  return isLong ? read() : shareRead(deps.db, `history ${JSON.stringify([scope, paging])}`, read)
}

async function readPage(
  paging: Paging & HistoryFilter,
  scope: Scope,
  { db }: Pick<Deps, 'db'>,
): Promise<HistoryPage> {
  const { PageNumber, PageSize } = paging
  const matches = await countSubmissions(db, scope, paging)
  const rows = { offset: (PageNumber - 1) * PageSize, limit: PageSize + 1 }
  return cutPage(await findSubmissions(db, scope, paging, rows), paging, matches)
}

async function readLongPage(
  paging: Paging & HistoryFilter,
  scope: Scope,
  deps: Pick<Deps, 'db'> & { inTurn: InTurn },
): Promise<HistoryPage | LongHistoryPage> {
  const { PageNumber, PageSize } = paging
  const { matches, rows } = await deps.inTurn(async () => {
    const batch = { offset: (PageNumber - 1) * PageSize, limit: ROWS_AT_ONCE + 1 }
    return {
      matches: await countSubmissions(deps.db, scope, paging),
      rows: await findSubmissions(deps.db, scope, paging, batch),
    }
  })
  if (rows.length <= ROWS_AT_ONCE) return cutPage(rows, paging, matches)
  return { batches: readBatches(paging, scope, deps, { first: rows, count: PageSize + 1 }), matches }
}

/** Long reads of one company cannot occupy all connections, and colleagues take turns. */
const turnsOf =
  (viewer: Uploader, { limits }: Pick<Deps, 'limits'>): InTurn =>
  (read) =>
    limits.longReads.run(`${viewer.companyId} ${personKey(viewer)}`, read)

/** Rows of the history in batches, newest first, `count` at most; `first` are the newest. */
async function* readBatches(
  filter: HistoryFilter,
  scope: Scope,
  { db, inTurn }: Pick<Deps, 'db'> & { inTurn: InTurn },
  { first = [], count = Infinity }: { first?: SubmissionSummary[]; count?: number } = {},
): AsyncGenerator<SubmissionSummary[]> {
  if (first.length > 0) yield first
  let last = first.at(-1)?.id
  for (let left = count - first.length; left > 0;) {
    const limit = Math.min(left, ROWS_AT_ONCE)
    const rows = await inTurn(() => findSubmissionsBefore(db, scope, filter, last, limit))
    yield rows
    if (rows.length < limit) return
    left -= rows.length
    last = rows.at(-1)?.id
  }
}

/** The whole history that the viewer may see, newest first, in batches. The audit trail records it. */
export async function* readWholeHistory(
  filter: HistoryFilter,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'caller' | 'limits'>,
): AsyncGenerator<SubmissionSummary[]> {
  const about = { subject: submissionMessages.historyTitle, detail: onlyAfter({ kind: 'history' }) }
  await inTransaction(deps.db, (trx) => recordAudit({ action: 'file.downloaded', ...about }, trx, deps))
  yield* readBatches(filter, scopeOf(viewer, deps.env.historyScope), {
    db: deps.db,
    inTurn: turnsOf(viewer, deps),
  })
}

/** A row of the history with what the list does not show. */
export type SubmissionDetail = SubmissionSummary &
  Pick<SubmissionRow, 'errorType'> & { previous: CorrectedSubmission | null }

/** One row of the history, and what it corrected. Throws 404 for those that the viewer may not see. */
export async function readSubmission(
  id: number,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env'>,
): Promise<SubmissionDetail> {
  const submission = await findSubmissionSummary(deps.db, scopeOf(viewer, deps.env.historyScope), id)
  if (!submission) throw notFound('File')
  const isAccepted = submission.status === SubmissionStatus.IngestionSuccess
  return { ...submission, previous: isAccepted ? await findCorrected(submission, viewer, deps) : null }
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
