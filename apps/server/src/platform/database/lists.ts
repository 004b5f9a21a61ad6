import type { Paging } from '@veridict/contract/api/endpoint'
import { pageSizes } from '@veridict/contract/limits'
import {
  sql,
  type DeleteResult,
  type RawBuilder,
  type SelectQueryBuilder,
  type StringReference,
} from 'kysely'
import type { Database, Db } from '#platform/database/tables.ts'
import { rowOf } from '#platform/database/rows.ts'

/** The query has no columns yet. */
export async function countRows<DB, T extends keyof DB>(
  rows: SelectQueryBuilder<DB, T, object>,
): Promise<number> {
  const { count } = (await rows.select(total).executeTakeFirstOrThrow()) as { count: number }
  return count
}

/** `isLowerBound`: there may be more. */
export type Counted = { count: number; isLowerBound: boolean }

/** Counts up to `pageSizes.maxCount`: a million rows take longer than a person waits. */
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

/** For a search before no id: larger than all. */
export const MAX_ID = Number.MAX_SAFE_INTEGER

/** Counts up to the limit. `ids`: of the page, with one more if there is a next one. `found`: newest ids. */
export function pageOfFound(
  db: Db,
  found: (atMost: number) => RawBuilder<number>,
  { PageNumber, PageSize }: Paging,
): Promise<{ count: number; ids: number[] }> {
  const before = (PageNumber - 1) * PageSize
  const atMost = Math.max(before + PageSize, pageSizes.maxCount) + 1
  return rowOf<{ count: number; ids: number[] }>(db)`
    with found as materialized (select id from ${found(atMost)} as id)
    select (select count(*) from found) as count, array(
      select id::float8 from found order by id desc limit ${PageSize + 1} offset ${before}
    ) as ids`
}

export const countColumn = <DB, T extends keyof DB>(rows: SelectQueryBuilder<DB, T, object>) =>
  rows.select(total).$asScalar().$notNull()

const total = sql<number>`count(*)`.as('count')

/** A page of a list, and how many rows all of its pages have. */
export type ListPage<Row> = { rows: Row[]; count: number }

/** Counts while the page is read. `all` has no columns yet. */
export async function withCount<Row, DB, T extends keyof DB>(
  page: Promise<Row[]>,
  all: SelectQueryBuilder<DB, T, object>,
): Promise<ListPage<Row>> {
  const [rows, count] = await Promise.all([page, countRows(all)])
  return { rows, count }
}

export const pageOf = <DB, T extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, T, O>,
  { PageNumber, PageSize }: PlaceInList,
) => rows.limit(PageSize).offset((PageNumber - 1) * PageSize)
export type PlaceInList = Pick<Paging, 'PageNumber' | 'PageSize'>

/** Sorts by name without regard to case, then by id. */
export const pageByName = <DB, T extends keyof DB, O>(
  rows: SelectQueryBuilder<DB, T, O>,
  place: PlaceInList,
) => pageOf(rows.orderBy(sql`lower(name)`).orderBy(sql`id`), place)

export const hasRow = async (query: { executeTakeFirst(): Promise<unknown> }): Promise<boolean> =>
  (await query.executeTakeFirst()) !== undefined

export const countDeleted = async (query: {
  executeTakeFirstOrThrow(): Promise<DeleteResult>
}): Promise<number> => Number((await query.executeTakeFirstOrThrow()).numDeletedRows)

/** Rows that are read at once to delete them: in less than 100 ms, far below the time limit of statements. */
const DELETED_AT_ONCE = 5000

/** Older than `days`, oldest first, in parts so that nobody waits for locks. `madeAt` grows with the id. */
export const deleteOld = (
  db: Db,
  { table, madeAt, days }: { table: string; madeAt: string; days: number },
  matches: RawBuilder<boolean>,
): Promise<number> =>
  untilYoung(
    db,
    (after) => sql`
        with next as materialized (
          select id, ${sql.ref(madeAt)} < now() - make_interval(hours => ${days * 24}) as is_old
          from ${sql.table(table)} where id > ${after} order by id limit ${DELETED_AT_ONCE}
        ),
        gone as (
          delete from ${sql.table(table)} as old using next
          where old.id = next.id and is_old and ${matches} returning old.id
        )
        select (select count(*) from gone) as deleted,
          (select case when bool_and(is_old) then max(id) end from next) as last
      `,
  )

/** `last`: null if the part has young rows or there are no more. */
type DeletedPart = { deleted: number; last: number | null }

/** Deletes part by part, each after the row `after`, until one has young rows; returns how many. */
export async function untilYoung(db: Db, part: (after: number) => RawBuilder<unknown>): Promise<number> {
  let sum = 0
  for (let after: number | null = 0; after !== null;) {
    const { deleted, last }: DeletedPart = await rowOf<DeletedPart>(db)`${part(after)}`
    sum += deleted
    after = last
  }
  return sum
}

/**
 * The rows that have a text in one of the columns; in it `%`, `_` and `\` are ordinary characters. Without a
 * text there is no condition, so that a first page comes from the index that orders it.
 */
export const containing =
  <DB, T extends keyof DB, O>(searchText: string, columns: readonly StringReference<DB, T>[]) =>
  (rows: SelectQueryBuilder<DB, T, O>): SelectQueryBuilder<DB, T, O> => {
    const pattern = `%${searchText.replace(/[\\%_]/g, '\\$&')}%`
    const matches = columns.map((column) => sql`${sql.ref(column)} ilike ${pattern}`)
    return searchText === '' ? rows : rows.where(sql<boolean>`(${sql.join(matches, sql` or `)})`)
  }
