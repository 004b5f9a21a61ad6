import type { CompiledQuery, Kysely, QueryExecutorProvider } from 'kysely'
import type { Database } from '#platform/database/tables.ts'

export type Compilable<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> }

/** More statements than the program has. Each costs some kilobytes in every connection. */
const MAX_PREPARED = 200
const names = new Map<string, string>()
const deferred = new Set<string>()
const committedAsync = new Set<string>()

/** The name of the prepared statement with this text; undefined if it is not prepared. */
export const statementName = (text: string): string | undefined => names.get(text)

/** Whether a statement in a transaction is sent only with the next one; its result is not available. */
export const isDeferred = (text: string): boolean => deferred.has(text)

/** Whether a statement outside of a transaction commits with `synchronous_commit` off. */
export const hasAsyncCommit = (text: string): boolean => committedAsync.has(text)

/** From now on each connection prepares the statement with this text when it first runs it. */
export function prepareStatement(text: string): void {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `veridict_${names.size}`)
}

/**
 * Runs a prepared statement: each connection parses it once, and after some runs PostgreSQL plans it once for
 * all values. For statements that run for each file and find their rows by id. Not for lists and searches,
 * whose best plan depends on the values.
 */
export async function runPrepared<Row>(db: Kysely<Database>, query: Compilable<Row>): Promise<Row[]> {
  const compiled = query.compile(db)
  prepareStatement(compiled.sql)
  return (await db.executeQuery(compiled)).rows
}

/**
 * Runs a prepared statement. Outside of a transaction its commit does not wait for the disk: a crash of the
 * database may undo it. Only for effects that a later commit writes to disk, or that may be lost.
 */
export function runWithAsyncCommit<Row>(db: Kysely<Database>, query: Compilable<Row>): Promise<Row[]> {
  committedAsync.add(query.compile(db).sql)
  return runPrepared(db, query)
}

/**
 * Runs a prepared statement whose result is not needed. In a transaction it is not sent yet, but together
 * with the next statement or the commit, which then throws its error. Once a text was run with this function,
 * every run of it is deferred.
 */
export async function runDeferred(db: Kysely<Database>, query: Compilable<unknown>): Promise<void> {
  const compiled = query.compile(db)
  prepareStatement(compiled.sql)
  deferred.add(compiled.sql)
  await db.executeQuery(compiled)
}
