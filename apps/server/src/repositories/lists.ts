import type { Paging } from '@veridict/contract/api/paging'
import { sql, type SelectQueryBuilder } from 'kysely'

/** The number of rows of a query that has no columns yet. */
export async function countRows<DB, T extends keyof DB>(
  rows: SelectQueryBuilder<DB, T, object>,
): Promise<number> {
  const { count } = (await rows.select(total).executeTakeFirstOrThrow()) as { count: number }
  return count
}

/** The same as a column of another query. */
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

/** Whether a query returns a row. */
export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

/** `SearchText` as an ILIKE pattern: contains; `%`, `_` and `\` are ordinary characters. */
export const containsPattern = (searchText: string): string => `%${searchText.replace(/[\\%_]/g, '\\$&')}%`
