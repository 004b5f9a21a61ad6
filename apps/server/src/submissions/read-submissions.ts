import type { Paging } from '@veridict/contract/api/endpoint'
import { submissionMessages } from '@veridict/contract/messages/submissions'
import { onlyAfter, recordAudit } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { type Scope, scopeOf, personKey, type Uploader } from '#platform/access/viewer.ts'
import { FAR_ROWS, findPlace } from '#platform/database/far-pages.ts'
import { type Counted, upToLimit } from '#platform/database/lists.ts'
import { shareRead } from '#platform/database/shared-reads.ts'
import { inTransaction } from '#platform/database/transaction.ts'
import {
  countSubmissions,
  findSubmissions,
  findSubmissionsBefore,
  findSubmissionSummaries,
  historyAsList,
  type HistoryFilter,
  searchSubmissions,
  type SubmissionSummary,
} from '#submissions/submission-history.ts'

/** Newest first; colleagues at the same page share a read. A page is long only if `paging` asks for it. */
export function listSubmissions(
  paging: Paging & HistoryFilter,
  viewer: Uploader,
  deps: Pick<Deps, 'db' | 'env' | 'limits'>,
): Promise<HistoryPage | LongHistoryPage> {
  const scope = scopeOf(viewer, deps.env.historyScope)
  const isLong = paging.PageSize >= ROWS_AT_ONCE
  const isFar = (paging.PageNumber - 1) * paging.PageSize >= FAR_ROWS
  const isSearch = paging.SearchText !== ''
  const inTurn: InTurn = isSearch || isLong || isFar ? turnsOf(viewer, deps) : (read) => read()
  const read = () => (isSearch ? searchHistory : readPage)(paging, scope, { db: deps.db, inTurn })
  // The batches of a long page can be read only once, so they cannot be shared.
  return isLong ? read() : shareRead(deps.db, `history ${JSON.stringify([scope, paging])}`, read)
}

type Reading = Pick<Deps, 'db'> & { inTurn: InTurn }

async function readPage(paging: Paging & HistoryFilter, scope: Scope, deps: Reading) {
  const { PageNumber, PageSize, Status } = paging
  const { matches, rows } = await deps.inTurn(async () => {
    const offset = (PageNumber - 1) * PageSize
    const place =
      // Rows of a status come and go anywhere.
      Status.length > 0
        ? { offset }
        : await findPlace(deps.db, `history ${JSON.stringify(scope)}`, offset, historyAsList(deps.db, scope))
    const batch = { ...place, limit: Math.min(PageSize, ROWS_AT_ONCE) + 1 }
    return {
      matches: await countSubmissions(deps.db, scope, paging),
      rows: await findSubmissions(deps.db, scope, paging, batch),
    }
  })
  if (rows.length <= ROWS_AT_ONCE) return { rows, matches }
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
  { db, inTurn }: Reading,
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

/** With one row more if there is a next page. `matches`: how many rows match on all pages. */
type HistoryPage = { rows: readonly SubmissionSummary[]; matches: Counted }
/** The same with too many rows for memory, in batches. */
type LongHistoryPage = { batches: AsyncIterable<SubmissionSummary[]>; matches: Counted }

/** Runs a long read when it is its turn: companies take turns, and so do the people of one company. */
type InTurn = <T>(read: () => Promise<T>) => Promise<T>

/** Blocks the process for 8 ms. 100,000 at once took 1 s and 100 MB; thirty such reads stopped the portal. */
const ROWS_AT_ONCE = 250

/** A page of the files whose names contain a text. Searches take turns. */
function searchHistory(paging: Paging & HistoryFilter, scope: Scope, { db, inTurn }: Reading) {
  return inTurn(async () => {
    const { count, ids } = await searchSubmissions(db, scope, paging)
    const matches = upToLimit(count)
    if (ids.length > ROWS_AT_ONCE) return { batches: readInBatches(ids, scope, { db, inTurn }), matches }
    return { rows: await findSubmissionSummaries(db, scope, ids), matches }
  })
}

async function* readInBatches(ids: readonly number[], scope: Scope, { db, inTurn }: Reading) {
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE)
    yield await inTurn(() => findSubmissionSummaries(db, scope, ids.slice(start, start + ROWS_AT_ONCE)))
}
