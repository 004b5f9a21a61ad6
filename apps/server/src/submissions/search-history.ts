import type { Paging } from '@veridict/contract/api/paging'
import { pageSizes } from '@veridict/contract/limits'
import type { Deps } from '#deps.ts'
import type { Scope } from '#platform/access/scope.ts'
import { type FoundIds, searchAll, searchNewest } from '#submissions/history-search.ts'
import { type Counted, upToLimit } from '#platform/database/lists.ts'
import {
  findSubmissionSummaries,
  type HistoryFilter,
  type SubmissionSummary,
} from '#submissions/submission-history.ts'

/** `hasMore`: there is a next page. `matches`: how many rows match on all pages. */
export type HistoryPage = { submissions: readonly SubmissionSummary[]; hasMore: boolean; matches: Counted }
/** A page with too many rows for memory, in batches; with one row more if there is a next page. */
export type LongHistoryPage = { batches: AsyncIterable<SubmissionSummary[]>; matches: Counted }

/** Runs a long read when it is its turn: companies take turns, and so do the people of one company. */
export type InTurn = <T>(read: () => Promise<T>) => Promise<T>

/**
 * Rows that are read at once, which blocks the process for 8 ms. A page of 100,000 rows at once took a second
 * and 100 MB; thirty such reads stopped the portal.
 */
export const ROWS_AT_ONCE = 250

/** The number of newest rows from which the share of matches is estimated; they are read in 5 ms. */
const FIRST_LOOK = 10_000
/** Reading so many rows takes as long as finding about 50,000 rows by index. */
const MAX_LOOK = 120_000
/** Read more than the estimate, because matches are not spread evenly. */
const SLACK = 1.2

/**
 * A page of the files whose names contain a text. Reading a million names takes half a second. So it reads
 * the newest rows, and if matches are frequent, as many more as the page and the count need; if they are
 * rare, it finds all matches by index. Searches take turns.
 */
export function searchHistory(
  paging: Paging & HistoryFilter,
  scope: Scope,
  { db, inTurn }: Pick<Deps, 'db'> & { inTurn: InTurn },
): Promise<HistoryPage | LongHistoryPage> {
  return inTurn(async () => {
    const { count, ids } = await findIds(paging, scope, db)
    const matches = upToLimit(count)
    if (ids.length > ROWS_AT_ONCE) return { batches: readInBatches(ids, scope, { db, inTurn }), matches }
    return cutPage(await findSubmissionSummaries(db, scope, ids), paging, matches)
  })
}

async function* readInBatches(
  ids: readonly number[],
  scope: Scope,
  { db, inTurn }: Pick<Deps, 'db'> & { inTurn: InTurn },
): AsyncGenerator<SubmissionSummary[]> {
  for (let start = 0; start < ids.length; start += ROWS_AT_ONCE)
    yield await inTurn(() => findSubmissionSummaries(db, scope, ids.slice(start, start + ROWS_AT_ONCE)))
}

async function findIds(paging: Paging & HistoryFilter, scope: Scope, db: Deps['db']): Promise<FoundIds> {
  const needed = Math.max(paging.PageNumber * paging.PageSize, pageSizes.maxCount) + 1
  const first = await searchNewest(db, scope, paging, FIRST_LOOK)
  if (first.isAll) return first
  const look = Math.ceil((SLACK * FIRST_LOOK * needed) / first.count)
  if (look <= MAX_LOOK) {
    const newest = await searchNewest(db, scope, paging, look)
    if (newest.isAll || newest.count >= needed) return newest
  }
  return searchAll(db, scope, paging)
}

/** `rows`: those of the page, and one more if there is one. */
export const cutPage = (
  rows: SubmissionSummary[],
  { PageSize }: Pick<Paging, 'PageSize'>,
  matches: Counted,
): HistoryPage => ({ submissions: rows.slice(0, PageSize), hasMore: rows.length > PageSize, matches })
