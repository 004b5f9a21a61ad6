import type { Paging } from '@veridict/contract/api/paging'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { Database } from '#platform/database/tables.ts'
import type { Scope } from '#platform/access/scope.ts'
import { containsPattern } from '#platform/database/lists.ts'
import { type HistoryFilter, isFound } from '#submissions/submission-history.ts'
import { inScope } from '#submissions/submissions.ts'

/** How many rows match, and the ids of one page, newest first, with one id more if there is a next page. */
export type FoundIds = { count: number; ids: number[] }

/** Searches the newest `limit` rows; a thousand take about 0.5 ms. `isAll`: there are no older rows. */
export async function searchNewest(
  db: Kysely<Database>,
  scope: Scope,
  paging: Paging & HistoryFilter,
  limit: number,
): Promise<FoundIds & { isAll: boolean }> {
  const newest = inScope(db, scope).select(['id', 'fileName', 'status']).orderBy('id', 'desc').limit(limit)
  const { PageSize, PageNumber } = paging
  const before = (PageNumber - 1) * PageSize
  const { rows } = await sql<FoundIds & { looked: number }>`
    select looked, count, coalesce(ids[${before + 1}:${before + PageSize + 1}], '{}') as ids
    from (
      select count(*) as looked, count(*) filter (where ${matches(paging)}) as count,
        array_agg(id order by id desc) filter (where ${matches(paging)}) as ids
      from (${newest}) as newest
    ) as found
  `.execute(db)
  const { count, ids, looked } = rows[0]!
  return { count, ids, isAll: looked < limit }
}

/**
 * Finds all matching rows by the indexes of file names (`0024-history-search`). The time grows with the
 * number of matches.
 */
export async function searchAll(
  db: Kysely<Database>,
  scope: Scope,
  paging: Paging & HistoryFilter,
): Promise<FoundIds> {
  const { companyId, userId, tokenId } = scope
  const { SearchText, Status, PageSize, PageNumber } = paging
  const { rows } = await sql<FoundIds>`
    with found as materialized (
      select id from search_submissions(${companyId}, ${userId}, ${tokenId}, ${Status}::smallint[],
        ${SearchText}, ${containsPattern(SearchText)}) as id
    )
    select (select count(*) from found) as count, array(
      select id from found order by id desc limit ${PageSize + 1} offset ${(PageNumber - 1) * PageSize}
    ) as ids
  `.execute(db)
  return rows[0]!
}

const matches = ({ SearchText, Status }: HistoryFilter): RawBuilder<boolean> =>
  Status.length === 0
    ? isFound(SearchText)
    : sql`${isFound(SearchText)} and status = any(${Status}::smallint[])`
