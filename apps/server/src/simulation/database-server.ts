import { isDeferred, hasAsyncCommit } from '#db/prepared-statements.ts'
import { sqlState } from '#db/transaction.ts'
import { failTransaction, socketError, statementTimeout } from '#simulation/connection-errors.ts'
import type { Result } from '#simulation/database/compile-statement.ts'
import { type CellChange, type Change, ModelDatabase } from '#simulation/database/model-database.ts'
import { Blocked, cellName, databaseError, type ModelTransaction } from '#simulation/database/rows.ts'
import type { TableName } from '#simulation/database/tables.ts'
import { fixture } from '#simulation/fixture.ts'
import { LockWaits } from '#simulation/lock-waits.ts'
import type { Call, Connection, Failure, Process, SimulationContext } from '#simulation/process.ts'
import type { Reference, SentStatement } from '#simulation/reference.ts'

const SECOND = 1000
/** A setting of the portal's connections; `db/database.ts`. */
const IDLE_TIMEOUT = 30 * SECOND
/** PostgreSQL writes every commit to disk within three times `wal_writer_delay`. */
const UNSYNCED_MILLISECONDS = 600
/** A commit that the client no longer waits for takes effect within this time. */
export const LATE_COMMIT_MILLISECONDS = 5_000

const MESSAGE = 'simulation: '
const isMessage = (sql: string): boolean => sql.startsWith(MESSAGE)

/**
 * Gets the pseudo-statements `simulation: <name>`: jobs and status events, which commit with the transaction
 * but are not in the tables of the model.
 */
export type MessageListener = (
  name: string,
  values: readonly unknown[],
  transaction: ModelTransaction,
) => void

/** A server for the model: its connections fail, time out and wait for locks. */
export class DatabaseServer {
  readonly model: ModelDatabase
  reference: Reference | null = null
  /** By how many milliseconds the database's clock is ahead of virtual time. */
  clockOffset = 0
  onMessage: MessageListener = () => {}
  onChange: (change: Change) => void = () => {}
  onLost: (change: Change) => void = () => {}
  readonly #simulation: SimulationContext
  readonly #mutate: (sql: string) => string
  readonly #lockWaits: LockWaits
  /** Commits that did not wait for the disk, since the last commit that did. */
  readonly #unsynced: { at: number; changes: CellChange[] }[] = []
  /** Transactions that commit after their client has given up. */
  readonly #lateCommits = new Map<ModelTransaction, Connection>()

  constructor(simulation: SimulationContext, mutation: (sql: string) => string) {
    this.#simulation = simulation
    this.#mutate = mutation
    this.#lockWaits = new LockWaits(simulation, {
      reference: () => this.reference,
      endAlone: (transaction) => this.#endAlone(transaction),
    })
    this.model = new ModelDatabase((change) => this.onChange(change))
    const transaction = this.model.begin(this.now)
    for (const [table, row] of fixture) this.model.tables[table].put(row, transaction)
  }

  get now(): number {
    return this.#simulation.now + this.clockOffset
  }

  /** Gives a process its advisory lock, which shows that it is alive; not while the database is down. */
  lockFor(process: Process): void {
    const { random, faultPlan, hasFaults, down } = this.#simulation
    if (down.has('database') || (hasFaults && random.isLikely(faultPlan.lostListener))) return
    this.model.holders.add(process.holder)
    this.reference?.onHolderLock(process.holder, true)
  }

  #releaseLock({ holder }: Process): void {
    if (this.model.holders.delete(holder)) this.reference?.onHolderLock(holder, false)
  }

  connect(owner: Process): Connection {
    const connection: Connection = { owner, transaction: null, isDead: false, usedAt: this.now, deferred: [] }
    owner.connections.add(connection)
    return connection
  }

  begin(connection: Connection): void {
    connection.transaction = this.model.begin(this.now)
  }

  statement(connection: Connection, sql: string, parameters: readonly unknown[]): Promise<Result> {
    if (connection.transaction !== null && (isMessage(sql) || isDeferred(sql))) {
      connection.deferred.push({ sql, parameters })
      return Promise.resolve({ rows: [], count: 0 })
    }
    /** A statement that waits for a lock runs again in the transaction in which it began. */
    let ownTransaction: ModelTransaction | null = null
    const effect = (): Result => {
      connection.usedAt = this.#simulation.now
      this.#expectOpen(connection)
      if (connection.transaction !== null) {
        this.#runDeferred(connection, connection.transaction)
        return this.#run(connection, connection.transaction, sql, parameters)
      }
      ownTransaction ??= this.model.begin(this.now)
      const result = this.#runAlone(connection, ownTransaction, sql, parameters)
      this.#commit(ownTransaction, hasAsyncCommit(sql))
      return result
    }
    const name = this.#simulation.isTraced
      ? `${sql.trim().replace(/\s+/g, ' ').slice(0, 70)} ${JSON.stringify(parameters)}`
      : ''
    const faults = connection.transaction === null ? 'autocommit' : 'statement'
    return this.#call(connection, name, effect, faults)
  }

  commit(connection: Connection): Promise<void> {
    return this.#call(connection, 'commit', () => this.#commitOf(connection), 'commit')
  }

  #call<T>(connection: Connection, name: string, effect: () => T, faults: Call['faults']): Promise<T> {
    return this.#simulation.call(connection.owner, name, effect, { faults, isRemote: true, connection })
  }

  #commitOf(connection: Connection): void {
    this.#expectOpen(connection)
    const { transaction } = connection
    if (transaction === null) return
    this.#runDeferred(connection, transaction)
    connection.transaction = null
    if (transaction.state === 'failed') return this.#undo(connection, transaction)
    this.reference?.onCommit(connection)
    this.#commit(transaction)
  }

  /** Runs the statements that are sent together with the next one; see `db/batching-client.ts`. */
  #runDeferred(connection: Connection, transaction: ModelTransaction): void {
    const { deferred } = connection
    for (let statement = deferred[0]; statement !== undefined; statement = deferred[0]) {
      this.#run(connection, transaction, statement.sql, statement.parameters)
      deferred.shift()
    }
  }

  rollback(connection: Connection): void {
    const { transaction } = connection
    connection.transaction = null
    connection.deferred.length = 0
    if (transaction !== null) this.#undo(connection, transaction)
  }

  #undo(connection: Connection, transaction: ModelTransaction): void {
    this.reference?.onRollback(connection)
    this.model.rollback(transaction)
    this.#lockWaits.grant()
  }

  #commit(transaction: ModelTransaction, mayBeLost = false): void {
    if (mayBeLost)
      this.#unsynced.push({ at: this.#simulation.now, changes: this.model.changesOf(transaction) })
    else if (transaction.written.size > 0) this.#unsynced.length = 0
    this.model.commit(transaction)
    this.#lockWaits.grant()
  }

  #expectOpen(connection: Connection): void {
    if (connection.isDead) throw new Error('Connection terminated unexpectedly')
    if (connection.transaction?.state === 'failed')
      throw databaseError('25P02', 'current transaction is aborted')
  }

  #run(
    connection: Connection,
    transaction: ModelTransaction,
    sql: string,
    parameters: readonly unknown[],
  ): Result {
    if (isMessage(sql)) {
      this.onMessage(sql.slice(MESSAGE.length), parameters, transaction)
      return { rows: [], count: 0 }
    }
    const sent: SentStatement = {
      connection,
      sql,
      parameters,
      isInTransaction: connection.transaction !== null,
    }
    const now = { transaction: transaction.startedAt, clock: this.now }
    try {
      const result = this.model.run(this.#mutate(sql), parameters, transaction, this.now)
      this.reference?.onResult(sent, now, { result })
      return result
    } catch (error) {
      if (error instanceof Blocked) this.reference?.onWait(sent, now, cellName(error.cell))
      if (sqlState(error) === undefined) throw error
      transaction.state = 'failed'
      this.reference?.onResult(sent, now, { error })
      throw error
    }
  }

  /** Runs a statement outside of a transaction, as one of its own that an error ends. */
  #runAlone(
    connection: Connection,
    transaction: ModelTransaction,
    ...statement: [string, readonly unknown[]]
  ) {
    try {
      return this.#run(connection, transaction, ...statement)
    } catch (error) {
      if (!(error instanceof Blocked)) this.#endAlone(transaction)
      throw error
    }
  }

  #endAlone(transaction: ModelTransaction): void {
    if (transaction.state === 'ended') return
    this.model.rollback(transaction)
    this.#lockWaits.grant()
  }

  /** Lets a statement wait for a lock. */
  wait(call: Call, lock: Blocked): void {
    this.#lockWaits.add(call, lock)
    for (const holder of lock.cell.lockers.keys()) this.#watchHolder(holder)
  }

  /** A transaction that holds a lock and does nothing is ended. */
  #watchHolder(holder: ModelTransaction): void {
    for (const { process } of this.#simulation.places)
      for (const connection of process?.connections ?? [])
        if (connection.transaction === holder) this.#watchIdleTransaction(connection)
  }

  /** How a call of the database fails, if it does: null if not. */
  failureOf(call: Call): Failure | null {
    const connection = call.connection as Connection
    const { random, faultPlan, down } = this.#simulation
    if (connection.isDead) return null
    if (down.has('database')) {
      connection.isDead = true
      return { error: socketError('ECONNREFUSED', 'connect'), isAfter: false }
    }
    if (call.faults === 'commit') return this.#failureOfCommit(call, connection)
    if (call.faults === 'statement' && random.isLikely(faultPlan.conflict)) {
      failTransaction(connection)
      return { error: databaseError(random.oneOf(['40001', '40P01']), 'a conflict'), isAfter: false }
    }
    if (!random.isLikely(faultPlan.databaseError)) return null
    if (random.isLikely(0.3)) {
      failTransaction(connection)
      return { error: statementTimeout(), isAfter: false }
    }
    return this.#breakConnection(call, connection, call.faults === 'autocommit' && random.isLikely(0.5))
  }

  #failureOfCommit(call: Call, connection: Connection): Failure | null {
    const { random, faultPlan, schedule } = this.#simulation
    if (random.isLikely(faultPlan.lostResponse))
      return this.#breakConnection(call, connection, random.isLikely(0.6))
    if (!random.isLikely(faultPlan.lateCommit)) return null
    // The client gives up; the server commits a while later, as if the connection had hung.
    const { transaction } = connection
    if (transaction !== null) this.#runDeferred(connection, transaction)
    connection.isDead = true
    connection.transaction = null
    if (transaction !== null) this.#lateCommits.set(transaction, connection)
    schedule.add(random.between(0.1 * SECOND, LATE_COMMIT_MILLISECONDS), null, () => {
      if (transaction === null || !this.#lateCommits.delete(transaction)) return
      if (transaction.state !== 'open') return
      this.#simulation.trace(`the late commit of ${connection.owner.name} takes effect`)
      this.reference?.onCommit(connection)
      this.#commit(transaction)
    })
    return { error: new Error('Query read timeout'), isAfter: false }
  }

  /** The connection breaks, before the statement has run or after it. */
  #breakConnection(call: Call, connection: Connection, isAfter: boolean): Failure {
    const error = socketError('ECONNRESET', 'read')
    return { error, isAfter, also: () => this.end(connection) }
  }

  /** Ends a connection, and rolls back what it did not commit. */
  end(connection: Connection): void {
    connection.isDead = true
    this.rollback(connection)
  }

  disconnect(process: Process): void {
    const { random, schedule } = this.#simulation
    this.#lockWaits.cancel(({ call }) => call.owner === process)
    for (const connection of process.connections) this.end(connection)
    // PostgreSQL notices only after a while that a machine has vanished.
    if (random.isLikely(0.1))
      schedule.add(random.between(10, 40) * SECOND, null, () => this.#releaseLock(process))
    else this.#releaseLock(process)
  }

  /** Ends all connections, also those with the advisory locks of processes. */
  goDown(): void {
    for (const { call } of this.#lockWaits.cancel(() => true))
      this.#simulation.respond(call, new Error('Connection terminated unexpectedly'))
    for (const { process } of this.#simulation.places) {
      if (process === null) continue
      this.#releaseLock(process)
      for (const connection of process.connections) this.end(connection)
    }
    for (const [transaction, connection] of this.#lateCommits) this.#undo(connection, transaction)
    this.#lateCommits.clear()
    // PostgreSQL, which a test compares with, cannot be made to lose commits.
    if (this.#simulation.random.isLikely(0.5) && this.reference === null) this.#loseUnsynced()
  }

  /** A crash loses the last commits that did not wait for the disk. */
  #loseUnsynced(): void {
    for (const { at, changes } of this.#unsynced.splice(0).reverse()) {
      if (at < this.#simulation.now - UNSYNCED_MILLISECONDS) continue
      this.#simulation.count('commit lost')
      this.#simulation.trace(`the database loses ${changes.length} changes that were not on disk`)
      for (const change of changes.reverse()) this.model.lose(change)
      for (const { cell, before, after } of changes)
        this.onLost({ table: cell.table.name as TableName, before, after })
    }
  }

  /** Gives the processes their advisory locks again. */
  comeBack(): void {
    for (const { process } of this.#simulation.places) if (process !== null) this.lockFor(process)
  }

  /** Ends the transactions of a frozen process when they have been idle for too long. */
  watchIdle(process: Process): void {
    for (const connection of process.connections) this.#watchIdleTransaction(connection)
  }

  #watchIdleTransaction(connection: Connection): void {
    const { transaction, usedAt } = connection
    if (transaction === null) return
    this.#simulation.schedule.add(IDLE_TIMEOUT, null, () => {
      if (connection.transaction !== transaction || connection.usedAt !== usedAt) return
      this.#simulation.count('idle transaction')
      this.#simulation.trace(`the database ends an idle transaction of ${connection.owner.name}`)
      this.end(connection)
    })
  }
}
