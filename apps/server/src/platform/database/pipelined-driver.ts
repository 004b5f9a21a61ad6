import {
  AbortedTransactionError,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import pg from 'pg'
import { forgetNames, type PreparedQuery, statementName } from '#platform/database/prepared-statements.ts'

/** Whose rows a connection sees: those of a company, by its id, or all (`0014-company-rows`). */
export type VisibleRows = 'all' | `${number}`

/** New connections see all. */
export const allRowsOption = '-c veridict.company=all'

/** `rows`: null for whatever rows the connection saw in its last use. */
export type View = { rows: VisibleRows | null; isReadOnly: boolean }

/** As Kysely and our own SQL write the statements that change something, lock rows or begin a transaction. */
const notARead = /\b(?:insert|update|delete|merge|begin|start transaction|for share)\b/i

const setVisibleRows = `select set_config('veridict.company', $1, false)`

/** The rows that each connection sees now, so that only a change costs a statement. */
const visible = new WeakMap<pg.PoolClient, VisibleRows>()

/**
 * Runs the statements of Kysely in a pool whose clients have the option `pipeline`. It saves round trips: a
 * statement whose result is not needed (`runDeferred`) is sent at once, but waited for only with the next.
 */
export class PipelinedDriver implements Driver {
  readonly #pool: pg.Pool
  readonly #view: View

  constructor(pool: pg.Pool, view: View) {
    this.#pool = pool
    this.#view = view
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<PipelinedConnection> {
    return new PipelinedConnection(await this.#pool.connect(), this.#view)
  }

  beginTransaction(connection: PipelinedConnection, settings: TransactionSettings): Promise<void> {
    return connection.begin(settings.isolationLevel ?? 'read committed')
  }

  commitTransaction(connection: PipelinedConnection): Promise<void> {
    return connection.commit()
  }

  rollbackTransaction(connection: PipelinedConnection): Promise<void> {
    return connection.rollback()
  }

  async releaseConnection(connection: PipelinedConnection): Promise<void> {
    connection.release()
  }

  destroy(): Promise<void> {
    return this.#pool.end()
  }
}

class PipelinedConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient
  readonly #isReadOnly: boolean
  /** Statements that nobody has waited for. */
  #sent: Promise<unknown>[] = []
  #isInTransaction = false
  #isBroken = false

  constructor(client: pg.PoolClient, { rows, isReadOnly }: View) {
    this.#client = client
    this.#isReadOnly = isReadOnly
    if (rows === null || rows === (visible.get(client) ?? 'all')) return
    visible.set(client, rows)
    const setting = client.query({ name: 'veridict_rows', text: setVisibleRows, values: [rows] })
    // It may still show the rows that it showed before.
    setting.catch(() => (this.#isBroken = true))
    this.#sent.push(setting)
  }

  async executeQuery<R>(query: PreparedQuery): Promise<QueryResult<R>> {
    if (this.#isReadOnly && notARead.test(query.sql))
      throw new Error(`A call writes outside of \`inTransaction\`: ${query.sql}`)
    // A read may run although the statement before it fails: nobody gets its rows then.
    if (!this.#isReadOnly && !this.#isInTransaction) await this.#waitFor()
    if (query.isDeferred && this.#isInTransaction) {
      this.#defer(this.#send(query))
      return { rows: [] }
    }
    try {
      return resultOf(await this.#waitFor(this.#send(query)))
    } catch (error) {
      // The error has ended a transaction; `inTransaction` runs all of its statements again.
      if (!isStalePlan(error) || this.#isInTransaction) throw error
      return resultOf(await this.#waitFor(this.#send(query)))
    }
  }

  streamQuery(): never {
    throw new Error('The portal reads lists in pages, not as streams.')
  }

  async begin(isolationLevel: string): Promise<void> {
    // Waited for: if it failed, statements after it would be committed one by one.
    await this.#waitFor(this.#client.query(`start transaction isolation level ${isolationLevel}`))
    this.#isInTransaction = true
  }

  async commit(): Promise<void> {
    this.#isInTransaction = false
    const { command } = await this.#waitFor(this.#client.query('commit'))
    if (command === 'ROLLBACK') throw new AbortedTransactionError()
  }

  async rollback(): Promise<void> {
    this.#isInTransaction = false
    this.#sent = []
    await this.#waitFor(this.#client.query('rollback'))
  }

  release(): void {
    this.#client.release(this.#isBroken)
  }

  #send({ sql: text, parameters, isPrepared }: PreparedQuery): Promise<pg.QueryResult> {
    const name = isPrepared && statementName(text)
    return this.#client.query({ ...(name && { name }), text, values: [...parameters] })
  }

  #defer(sent: Promise<unknown>): void {
    sent.catch(() => {})
    this.#sent.push(sent)
  }

  /** Waits for a statement and those before it, and throws the error of the first that failed. */
  async #waitFor<T = void>(last?: Promise<T>): Promise<T> {
    try {
      await Promise.all([...this.#sent.splice(0), last])
      return (await last) as T
    } catch (error) {
      if (isStalePlan(error)) forgetNames()
      // After an error on our side, such as a timeout, it is unknown what the connection does.
      if (!(error instanceof pg.DatabaseError)) this.#isBroken = true
      throw error
    }
  }
}

const resultOf = <R>({ rows, rowCount }: pg.QueryResult): QueryResult<R> => ({
  rows: rows ?? [],
  numAffectedRows: BigInt(rowCount ?? 0),
})

/**
 * Whether a migration changed the columns of a prepared statement. The statement did not run; the next run
 * prepares it again.
 */
export const isStalePlan = (error: unknown): boolean =>
  (error as { code?: unknown }).code === '0A000' &&
  (error as { routine?: unknown }).routine === 'RevalidateCachedQuery'
