import pg from 'pg'
import { isDeferred, hasAsyncCommit, prepareStatement, statementName } from '#db/prepared-statements.ts'

type Statement = { text: string; values: readonly unknown[] }
type Result = pg.QueryResult
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
type Names = { prepared: Map<string, Columns | undefined>; doubtful: Set<string> }

// Exported by pg (8.23) and missing in its types.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * Statements that are sent at once, as one message to PostgreSQL: after one that fails, none of the others
 * runs. The result is that of the last one. Updates which prepared statements the connection has.
 */
class Batch extends pg.Query {
  readonly #statements: readonly Statement[]
  readonly #names: Names
  readonly #sent: string[] = []
  #before: number
  readonly #lastName: string | undefined
  #columns: Columns = null
  #isDescribed = false

  constructor(
    statements: readonly Statement[],
    names: Names,
    callback: (error: Error | null, result: Result) => void,
  ) {
    super({ text: statements.at(-1)?.text ?? '', callback } as pg.QueryConfig)
    this.#statements = statements
    this.#names = names
    this.#before = statements.length - 1
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
    if (this.#before === 0) inherited.handleDataRow.call(this, message)
  }

  handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#before > 0) {
      this.#before--
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
type Handler = (this: Batch, ...parameters: unknown[]) => void
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

/** Lets the commit of the statements that are sent with this one not wait for the disk. */
function asyncCommit(): Statement {
  const text = `select set_config('synchronous_commit', 'off', true)`
  prepareStatement(text)
  return { text, values: [] }
}

/** Whether a statement begins a transaction, in the words of Kysely. */
const isBegin = (text: string): boolean => text === 'begin' || text.startsWith('start transaction')

/**
 * Converts the values to what pg sends. Throws for a value that cannot be converted, and must do so before
 * the deferred statements are taken from their list, or they would be lost.
 */
const withSentValues = ({ text, values }: Statement): Statement => ({
  text,
  values: values.map(prepareValue),
})

/** The result of a statement that is not sent yet. */
const noRows = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } satisfies Result

/**
 * A client for Kysely that saves round trips: it sends several statements in one message where only the
 * result of the last one is needed. Deferred are the start of a transaction, the setting of the rows that a
 * connection sees, and the statements of `runDeferred`. It also runs prepared statements by their names.
 */
export class BatchingClient extends pg.Client {
  /** How often the settings of the session may have been undone. */
  undone = 0
  readonly #names: Names = { prepared: new Map(), doubtful: new Set() }
  #before: Statement[] = []
  #isInTransaction = false

  /** Sends a statement together with the next one, before it. */
  sendBefore(statement: Statement): void {
    this.#before.push(withSentValues(statement))
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- `query` has a dozen overloads
  override query(...parameters: any[]): any {
    const [text, values = [], ...others] = parameters as unknown[]
    // Any other form would overtake what is sent before the next statement, such as whose rows it sees.
    if (typeof text !== 'string' || !Array.isArray(values) || others.length > 0)
      throw new TypeError('A query of this client is a text and its values.')
    return this.#queryOf({ text, values })
  }

  async #queryOf(given: Statement): Promise<Result> {
    const statement = withSentValues(given)
    const { text, values } = statement
    if (isBegin(text)) {
      prepareStatement(text)
      this.#isInTransaction = true
      // First: an isolation level cannot be set after a statement.
      this.#before.unshift(statement)
      return noRows
    }
    if (this.#isInTransaction && isDeferred(text)) {
      this.#before.push(statement)
      return noRows
    }
    if (text === 'rollback') return this.#rollBack(statement)
    if (text === 'commit') {
      prepareStatement(text)
      this.#isInTransaction = false
    }
    if (!this.#isInTransaction && hasAsyncCommit(text)) this.#before.push(asyncCommit())
    const before = this.#before.splice(0)
    // Several statements in one text cannot be parsed together with others.
    const isAlone = values.length === 0 && statementName(text) === undefined
    if (!isAlone && (before.length > 0 || statementName(text) !== undefined))
      return this.#send([...before, statement])
    if (before.length > 0) await this.#send(before)
    return this.#queryAlone(statement)
  }

  #rollBack(statement: Statement): Promise<Result> | Result {
    const hasBegun = !this.#before.splice(0).some(({ text }) => isBegin(text))
    this.#isInTransaction = false
    this.undone++
    return hasBegun ? this.#queryAlone(statement) : noRows
  }

  async #send(statements: readonly Statement[]): Promise<Result> {
    try {
      return await this.#sendOnce(statements)
    } catch (error) {
      // In a transaction, which it has ended, `inTransaction` begins again.
      if (!isStalePlan(error) || this.#isInTransaction || statements.at(-1)?.text === 'commit') throw error
      return this.#sendOnce(statements)
    }
  }

  #sendOnce(statements: readonly Statement[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      const batch = new Batch(statements, this.#names, (error, result) => {
        if (error) this.#fail(error)
        if (error) reject(error)
        else resolve(result)
      })
      super.query(batch)
    })
  }

  async #queryAlone({ text, values }: Statement): Promise<Result> {
    try {
      return await super.query(text, [...values])
    } catch (error) {
      this.#fail(error as Error)
      throw error
    }
  }

  /**
   * Closes the connection after a query timed out on our side. Otherwise a client that still waits goes back
   * to the pool, and the pool stays exhausted after the database has recovered.
   */
  #fail(error: Error): void {
    this.undone++
    if (error.message !== 'Query read timeout') return
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}
