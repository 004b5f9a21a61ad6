import pg from 'pg'
import { statementName } from '#platform/database/prepared-statements.ts'

export type Statement = { text: string; values: readonly unknown[] }
export type Result = pg.QueryResult
type Connection = {
  stream: { cork(): void; uncork(): void }
  close(statement: { type: 'S'; name: string }): void
  parse(statement: { text: string; name: string }): void
  bind(values: { statement: string; values: readonly unknown[] }): void
  describe(portal: { type: 'P'; name: string }): void
  execute(portal: object): void
  sync(): void
}
/** The columns of a statement's rows and how pg (8.23) reads them; null for a statement without rows. */
type Columns = { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown } | null
/**
 * Names of prepared statements of one connection. `prepared`: with their columns, undefined until they have
 * run; `doubtful`: after an error it is not known whether the connection still has them.
 */
export type PreparedNames = { prepared: Map<string, Columns | undefined>; doubtful: Set<string> }

/**
 * Statements that are sent at once, as one message to PostgreSQL: after one that fails, none of the others
 * runs. The result is that of the last one. Updates which prepared statements the connection has.
 */
export class StatementBatch extends pg.Query {
  readonly #statements: readonly Statement[]
  readonly #names: PreparedNames
  readonly #sent: string[] = []
  /** How many results come before the one that is returned. */
  #resultsToSkip: number
  readonly #lastName: string | undefined
  #columns: Columns = null
  #isDescribed = false

  constructor(
    statements: readonly Statement[],
    names: PreparedNames,
    callback: (error: Error | null, result: Result) => void,
  ) {
    super({ text: statements.at(-1)?.text ?? '', callback } as pg.QueryConfig)
    this.#statements = statements
    this.#names = names
    this.#resultsToSkip = statements.length - 1
    this.#lastName = statementName(statements.at(-1)?.text ?? '')
  }

  override submit = (given: unknown): void => {
    const connection = given as Connection
    connection.stream.cork()
    try {
      for (const [index, statement] of this.#statements.entries()) {
        this.#send(statement, connection, index === this.#statements.length - 1)
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  #send({ text, values }: Statement, connection: Connection, isLast: boolean): void {
    const name = statementName(text) ?? ''
    const { prepared, doubtful } = this.#names
    if (!prepared.has(name)) {
      if (doubtful.delete(name)) connection.close({ type: 'S', name })
      connection.parse({ text, name })
      if (name !== '') prepared.set(name, undefined)
    }
    if (name !== '') this.#sent.push(name)
    connection.bind({ statement: name, values })
    if (isLast) this.#describe(name, connection)
    connection.execute({})
  }

  /** Asks for the columns of the rows, of a prepared statement only at its first run. */
  #describe(name: string, connection: Connection): void {
    const columns = this.#names.prepared.get(name)
    if (columns === undefined) return connection.describe({ type: 'P', name: '' })
    this.#isDescribed = true
    if (columns === null) return
    const own = this as unknown as { _result: object; _accumulateRows: boolean }
    Object.assign(own._result, columns)
    own._accumulateRows = true
  }

  handleRowDescription(message: unknown): void {
    inherited.handleRowDescription.call(this, message)
    const { _result } = this as unknown as { _result: NonNullable<Columns> }
    const { fields, _parsers, _prebuiltEmptyResultObject } = _result
    this.#columns = { fields, _parsers, _prebuiltEmptyResultObject }
  }

  handleDataRow(message: unknown): void {
    if (this.#resultsToSkip === 0) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#resultsToSkip > 0) {
      this.#resultsToSkip--
      return
    }
    if (!this.#isDescribed && this.#lastName !== undefined)
      this.#names.prepared.set(this.#lastName, this.#columns)
    inherited.handleCommandComplete.call(this, message, connection)
  }

  handleError(error: Error, connection: unknown): void {
    const isStale = isStalePlan(error)
    for (const name of isStale ? [...this.#names.prepared.keys()] : this.#sent) {
      this.#names.prepared.delete(name)
      this.#names.doubtful.add(name)
    }
    inherited.handleError.call(this, error, connection)
  }
}

type Handler = (this: StatementBatch, ...parameters: unknown[]) => void
const inherited = pg.Query.prototype as unknown as Record<
  'handleRowDescription' | 'handleDataRow' | 'handleCommandComplete' | 'handleError',
  Handler
>

/**
 * Whether a migration changed the columns of a prepared statement. The statement did not run; the next run
 * prepares it again.
 */
export const isStalePlan = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000' &&
  (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
