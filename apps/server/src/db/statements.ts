import type { CompiledQuery, Kysely, QueryExecutorProvider } from 'kysely'
import type { Database } from '#db/tables.ts'

export type Compilable<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> }

/** More texts than the program has; each costs some kilobytes in every connection. */
const MAX_NAMES = 200
const names = new Map<string, string>()
const unread = new Set<string>()
const unsynced = new Set<string>()

/** The name under which connections keep a statement; undefined for those that they forget. */
export const nameOf = (text: string): string | undefined => names.get(text)

/** Whether nobody reads the result of a statement. */
export const isUnread = (text: string): boolean => unread.has(text)

/** Whether a statement outside of a transaction need not survive a crash of the database. */
export const isUnsynced = (text: string): boolean => unsynced.has(text)

/** From now on connections keep the statement with this text. */
export function keepStatement(text: string): void {
  if (!names.has(text) && names.size < MAX_NAMES) names.set(text, `veridict_${names.size}`)
}

/**
 * Runs a statement that each connection parses once, and soon plans once, for all values: for what runs for
 * each file and finds its rows by their ids. Lists and searches need a plan for their values.
 */
export async function runKept<Row>(db: Kysely<Database>, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  keepStatement(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

/**
 * Runs such a statement, outside of a transaction, whose effect may be lost when the database crashes: a
 * later commit brings it to disk, and without one nothing depends on it.
 */
export function runUnsynced<Row>(db: Kysely<Database>, query: Compilable<Row>): Promise<Row[]> {
  unsynced.add(query.compile(db).sql)
  return runKept(db, query)
}

/**
 * Runs such a statement whose result nobody reads. In a transaction it is sent together with the next
 * statement or the commit, which then throws its error. A text that was run so once always is.
 */
export async function runUnread(db: Kysely<Database>, query: Compilable<unknown>): Promise<void> {
  const compiled = query.compile(db)
  keepStatement(compiled.sql)
  unread.add(compiled.sql)
  await db.executeQuery(compiled)
}
