import type { CompiledQuery, QueryExecutorProvider } from 'kysely'
import type { Db } from '#platform/database/tables.ts'

export type Compilable<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> }

/** More statements than the program has. Each costs some kilobytes in every connection. */
const MAX_PREPARED = 200
const names = new Map<string, string>()
let nameCount = 0

/** undefined for texts that are not prepared. */
export const statementName = (text: string): string | undefined => names.get(text)

/** Lets all connections prepare all statements again: a migration has changed the columns of one. */
export const forgetNames = (): void => names.clear()

/**
 * Parsed once by each connection, and soon planned once for all values. For statements that run for each file
 * and find rows by id, not for lists and searches, whose best plan depends on the values.
 */
export async function runPrepared<Row>(db: Db, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  const { sql: text } = compiled
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `veridict_${nameCount++}`)
  return (await db.executeQuery<Row>(compiled)).rows
}

/** Ends the text of a deferred statement, so that the same statement elsewhere has its result. */
const DEFERRED = ' /* deferred */'

export const isDeferred = (text: string): boolean => text.endsWith(DEFERRED)

/** For results that are not needed. In a transaction, the next statement or the commit throws its error. */
export async function runDeferred(db: Db, query: Compilable<unknown>): Promise<void> {
  const compiled = query.compile(db)
  await runPrepared(db, { compile: () => ({ ...compiled, sql: compiled.sql + DEFERRED }) })
}
