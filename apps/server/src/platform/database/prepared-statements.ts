import { type CompiledQuery, PostgresDialect, type QueryExecutorProvider } from 'kysely'
import { openTables } from '#platform/database/open-tables.ts'
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

/** A parameter of a statement that is being compiled: it has no value yet. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Compiles as the portal's databases do, and runs nothing. */
const compiler = openTables(new PostgresDialect({ pool: () => Promise.reject(new Error('no database')) }))

const parametersByName = new Proxy({}, { get: (_, name) => new Parameter(String(name)) })

/** Built once: that takes longer than some statements. `build` must pass on each parameter as one value. */
export function compileOnce<Given extends object, Row>(
  build: (db: Db, given: Given) => Compilable<Row>,
): (given: Given) => Compilable<Row> {
  let compiled: CompiledQuery<Row> | undefined
  return (given) => {
    compiled ??= build(compiler, parametersByName as Given).compile(compiler)
    const { parameters } = compiled
    const values = given as Readonly<Record<string, unknown>>
    const filled = {
      ...compiled,
      parameters: parameters.map((value) => (value instanceof Parameter ? values[value.name] : value)),
    }
    return { compile: () => filled }
  }
}
