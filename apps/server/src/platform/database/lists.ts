import type { Paging } from '@veridict/contract/api/endpoint'
import { pageSizes } from '@veridict/contract/limits'
import { sql, type DeleteResult, type SelectQueryBuilder } from 'kysely'
import type { Database, Db } from '#platform/database/tables.ts'

/** The number of rows of a query that has no columns yet. */
export async function countRows<DB, T extends keyof DB>(
  rows: SelectQueryBuilder<DB, T, object>,
): Promise<number> {
  const { count } = (await rows.select(total).executeTakeFirstOrThrow()) as { count: number }
  return count
}

/** `isLowerBound`: there may be more. */
export type Counted = { count: number; isLowerBound: boolean }

/** Counts the rows of a query up to `pageSizes.maxCount`: a million take longer than a person waits. */
export async function countUpToLimit<T extends keyof Database>(
  db: Db,
  rows: SelectQueryBuilder<Database, T, { id: number }>,
): Promise<Counted> {
  return upToLimit(await countRows(db.selectFrom(rows.limit(pageSizes.maxCount + 1).as('some'))))
}

/** The count that a list shows: at most `pageSizes.maxCount`. */
export const upToLimit = (count: number): Counted => ({
  count: Math.min(count, pageSizes.maxCount),
  isLowerBound: count > pageSizes.maxCount,
})

export const countColumn = <DB, T extends keyof DB>(rows: SelectQueryBuilder<DB, T, object>) =>
  rows.select(total).$asScalar().$notNull()

const total = sql<number>`count(*)`.as('count')

/** A page of rows that have a name, by name without regard to case, then by id. */
export const pageByName = <DB, T extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, T, O>,
  { PageNumber, PageSize }: Paging,
) =>
  rows
    .orderBy(sql`lower(name)`)
    .orderBy(sql`id`)
    .limit(PageSize)
    .offset((PageNumber - 1) * PageSize)

export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

export const countDeleted = async (query: {
  executeTakeFirstOrThrow(): Promise<DeleteResult>
}): Promise<number> => Number((await query.executeTakeFirstOrThrow()).numDeletedRows)

/** Repeats `deletePart`, which deletes at most `limit` rows, until all are deleted; returns how many. */
export async function inParts(limit: number, deletePart: () => Promise<number>): Promise<number> {
  for (let sum = 0; ;) {
    const deleted = await deletePart()
    sum += deleted
    if (deleted < limit) return sum
  }
}

/** `SearchText` as an ILIKE pattern: contains; `%`, `_` and `\` are ordinary characters. */
export const containsPattern = (searchText: string): string => `%${searchText.replace(/[\\%_]/g, '\\$&')}%`
