import {
  CamelCasePlugin,
  type CompiledQuery,
  type Dialect,
  type QueryExecutorProvider,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type { Db, Database } from '#platform/database/tables.ts'

export type Compilable<Row> = { compile(db: QueryExecutorProvider): CompiledQuery<Row> }

/** A statement, and how `PipelinedDriver` runs it. */
export type PreparedQuery<Row = unknown> = CompiledQuery<Row> & { isPrepared?: true; isDeferred?: true }

/** More statements than the program has. Each costs some kilobytes in every connection. */
const MAX_PREPARED = 200
const names = new Map<string, string>()
let nameCount = 0

/** The name of the prepared statement with this text; undefined if there are too many. */
export function statementName(text: string): string | undefined {
  if (!names.has(text) && names.size < MAX_PREPARED) names.set(text, `veridict_${nameCount++}`)
  return names.get(text)
}

/** Lets all connections prepare all statements again: a migration has changed the columns of one. */
export const forgetNames = (): void => names.clear()

/**
 * Runs a prepared statement: each connection parses it once, and after some runs PostgreSQL plans it once for
 * all values. For statements that run for each file and find their rows by id. Not for lists and searches,
 * whose best plan depends on the values.
 */
export async function runPrepared<Row>(db: Db, query: Compilable<Row>): Promise<Row[]> {
  const prepared: PreparedQuery<Row> = { ...query.compile(db), isPrepared: true }
  return (await db.executeQuery<Row>(prepared)).rows
}

/**
 * Runs a prepared statement whose result is not needed. In a transaction it is sent at once, but waited for
 * only with the next statement or the commit, which then throws its error.
 */
export async function runDeferred(db: Db, query: Compilable<unknown>): Promise<void> {
  const deferred: PreparedQuery = { ...query.compile(db), isPrepared: true, isDeferred: true }
  await db.executeQuery(deferred)
}

/** A parameter of a statement that is being compiled: it has no value yet. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Columns have snake_case names in the database; keys in JSON stay as they are. */
export const camelCase = new CamelCasePlugin({ maintainNestedObjectKeys: true })

/** PostgreSQL as Kysely compiles for it. */
export const postgres: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
}
/** Compiles as the portal's databases do. */
const compiler = new Kysely<Database>({
  dialect: { ...postgres, createDriver: () => new DummyDriver() },
  plugins: [camelCase],
})

const parametersByName = new Proxy({}, { get: (_, name) => new Parameter(String(name)) })

/**
 * A statement that Kysely builds and compiles once, for what runs for each file: that takes longer than
 * PostgreSQL needs for some of them. `build` gets parameters instead of values: it must pass each on
 * as one value, and cannot look at it.
 */
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
