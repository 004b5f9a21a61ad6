import pg from 'pg'
import { isUnread, isUnsynced, keepStatement, nameOf } from '#db/statements.ts'

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
 * `kept`: names of the statements that the connection has, with their columns where they are known;
 * `doubtful`: those that it may have.
 */
type Names = { kept: Map<string, Columns | undefined>; doubtful: Set<string> }

// Exported by pg (8.23) and missing in its types.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/**
 * Statements that are sent at once, as one message to PostgreSQL: after one that fails, none of the others
 * runs. The result is that of the last one. Says which names the connection has.
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
    this.#lastName = nameOf(statements.at(-1)?.text ?? '')
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
    const name = nameOf(text) ?? ''
    const { kept, doubtful } = this.#names
    if (!kept.has(name)) {
      if (doubtful.delete(name)) connection.close({ type: 'S', name })
      connection.parse({ text, name })
      if (name !== '') kept.set(name, undefined)
    }
    if (name !== '') this.#sent.push(name)
    connection.bind({ statement: name, values })
    if (isLast) this.#describe(name, connection)
    connection.execute({})
  }

  /** Without it, rows have no columns. Those of a kept statement are asked for once. */
  #describe(name: string, connection: Connection): void {
    const columns = this.#names.kept.get(name)
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
      this.#names.kept.set(this.#lastName, this.#columns)
    inherited.handleCommandComplete.call(this, message, connection)
  }

  handleError(error: Error, connection: unknown): void {
    const isStale = isStalePlan(error)
    for (const name of isStale ? [...this.#names.kept.keys()] : this.#sent) {
      this.#names.kept.delete(name)
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

/** A migration changed the columns of a kept statement. It did not run; the next time it is parsed anew. */
export const isStalePlan = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000' &&
  (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'

/** For the statements that are sent together. */
function withoutSync(): Statement {
  const text = `select set_config('synchronous_commit', 'off', true)`
  keepStatement(text)
  return { text, values: [] }
}

/** As Kysely writes it. */
const isBegin = (text: string): boolean => text === 'begin' || text.startsWith('start transaction')

/**
 * Values as they are sent. A value that cannot be throws here, before other statements are taken out that
 * wait to be sent with it.
 */
const prepared = ({ text, values }: Statement): Statement => ({ text, values: values.map(prepareValue) })

/** What a statement returns that was not sent yet. */
const noRows = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] } satisfies Result

/**
 * A client that sends several statements at once where nobody needs the result of the first ones: the start
 * of a transaction, whose rows a connection sees, and what `runUnread` runs. It keeps statements by their
 * names. For Kysely, which waits for each statement.
 */
export class BatchingClient extends pg.Client {
  /** How often what was set in the session may have been undone. */
  undone = 0
  readonly #names: Names = { kept: new Map(), doubtful: new Set() }
  #before: Statement[] = []
  #isInTransaction = false

  /** Is sent before the next statement. */
  sendBefore(statement: Statement): void {
    this.#before.push(prepared(statement))
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
    const statement = prepared(given)
    const { text, values } = statement
    if (isBegin(text)) {
      keepStatement(text)
      this.#isInTransaction = true
      // First: an isolation level cannot be set after a statement.
      this.#before.unshift(statement)
      return noRows
    }
    if (this.#isInTransaction && isUnread(text)) {
      this.#before.push(statement)
      return noRows
    }
    if (text === 'rollback') return this.#rollBack(statement)
    if (text === 'commit') {
      keepStatement(text)
      this.#isInTransaction = false
    }
    if (!this.#isInTransaction && isUnsynced(text)) this.#before.push(withoutSync())
    const before = this.#before.splice(0)
    // Several statements in one text cannot be parsed together with others.
    const isAlone = values.length === 0 && nameOf(text) === undefined
    if (!isAlone && (before.length > 0 || nameOf(text) !== undefined))
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
