import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { camelCase } from '#platform/database/database.ts'
import type { Database, Db } from '#platform/database/tables.ts'
import type { Compilable } from '#platform/database/prepared-statements.ts'

/** A parameter of a statement that is being compiled: it has no value yet. */
class Parameter {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Compiles as the portal's databases do. */
const compiler = new Kysely<Database>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
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
