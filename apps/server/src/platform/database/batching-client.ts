import pg from 'pg'
import {
  isDeferred,
  hasAsyncCommit,
  prepareStatement,
  statementName,
} from '#platform/database/prepared-statements.ts'
import {
  isStalePlan,
  type PreparedNames,
  type Result,
  type Statement,
  StatementBatch,
} from '#platform/database/statement-batch.ts'

// Exported by pg (8.23) and missing in its types.
const { prepareValue } = (pg as unknown as { utils: { prepareValue(value: unknown): unknown } }).utils

/** Lets the commit of the statements that are sent with this one not wait for the disk. */
function asyncCommit(): Statement {
  const text = `select set_config('synchronous_commit', 'off', true)`
  prepareStatement(text)
  return { text, values: [] }
}

/** Whether a statement begins a transaction, as Kysely writes it. */
const isBegin = (text: string): boolean => text === 'begin' || text.startsWith('start transaction')

/**
 * Converts the values to what pg sends. Throws for a value that cannot be converted, and must do so before
 * the deferred statements are taken from their list, or they would be lost.
 */
const withConvertedValues = ({ text, values }: Statement): Statement => ({
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
  /** How often a rollback or an error may have undone settings of the session. */
  undoCount = 0
  readonly #names: PreparedNames = { prepared: new Map(), doubtful: new Set() }
  /** Sent before the next statement that is not deferred. */
  #deferred: Statement[] = []
  #isInTransaction = false

  /** Defers a statement: it is sent together with the next one that is not deferred, and before it. */
  defer(statement: Statement): void {
    this.#deferred.push(withConvertedValues(statement))
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- `query` has a dozen overloads
  override query(...parameters: any[]): any {
    const [text, values = [], ...others] = parameters as unknown[]
    // Any other form of query would be sent without the deferred statements, such as whose rows it sees.
    if (typeof text !== 'string' || !Array.isArray(values) || others.length > 0)
      throw new TypeError('A query of this client is a text and its values.')
    return this.#run({ text, values })
  }

  async #run(given: Statement): Promise<Result> {
    const statement = withConvertedValues(given)
    const { text, values } = statement
    if (isBegin(text)) {
      prepareStatement(text)
      this.#isInTransaction = true
      // First: an isolation level cannot be set after a statement.
      this.#deferred.unshift(statement)
      return noRows
    }
    if (this.#isInTransaction && isDeferred(text)) {
      this.#deferred.push(statement)
      return noRows
    }
    if (text === 'rollback') return this.#rollBack(statement)
    if (text === 'commit') {
      prepareStatement(text)
      this.#isInTransaction = false
    }
    if (!this.#isInTransaction && hasAsyncCommit(text)) this.#deferred.push(asyncCommit())
    const deferred = this.#deferred.splice(0)
    // Several statements in one text cannot be parsed together with others.
    const isAlone = values.length === 0 && statementName(text) === undefined
    if (!isAlone && (deferred.length > 0 || statementName(text) !== undefined))
      return this.#send([...deferred, statement])
    if (deferred.length > 0) await this.#send(deferred)
    return this.#queryAlone(statement)
  }

  #rollBack(statement: Statement): Promise<Result> | Result {
    const hasBegun = !this.#deferred.splice(0).some(({ text }) => isBegin(text))
    this.#isInTransaction = false
    this.undoCount++
    return hasBegun ? this.#queryAlone(statement) : noRows
  }

  async #send(statements: readonly Statement[]): Promise<Result> {
    try {
      return await this.#sendOnce(statements)
    } catch (error) {
      // Not in a transaction: the error has ended it, and `inTransaction` runs all of its statements again.
      if (!isStalePlan(error) || this.#isInTransaction || statements.at(-1)?.text === 'commit') throw error
      return this.#sendOnce(statements)
    }
  }

  #sendOnce(statements: readonly Statement[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      const batch = new StatementBatch(statements, this.#names, (error, result) => {
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
    this.undoCount++
    if (error.message !== 'Query read timeout') return
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}
