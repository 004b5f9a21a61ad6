import { isDeferred, hasAsyncCommit } from '#db/prepared-statements.ts'
import { sqlState } from '#db/transaction.ts'
import type { Result } from '#simulation/database/compile-statement.ts'
import { type CellChange, type Change, ModelDatabase } from '#simulation/database/model-database.ts'
import {
  Blocked,
  type Cell,
  databaseError,
  endWait,
  type ModelTransaction,
} from '#simulation/database/rows.ts'
import type { TableName } from '#simulation/database/tables.ts'
import { fixture } from '#simulation/fixture.ts'
import type { Call, Connection, Failure, Process, SimulationContext } from '#simulation/process.ts'

const SECOND = 1000
/** The settings of the portal's connections; `db/database.ts`. */
const STATEMENT_TIMEOUT = 8 * SECOND
const IDLE_TIMEOUT = 30 * SECOND
/** PostgreSQL writes every commit to disk within three times `wal_writer_delay`. */
const UNSYNCED_MILLISECONDS = 600
/** A commit that the client no longer waits for takes effect within this time. */
export const LATE_COMMIT_MILLISECONDS = 5_000

/** A database that runs the same statements, to compare its results. */
export type Reference = {
  /** `isInTransaction`: with BEGIN before, and COMMIT or ROLLBACK later. */
  ran(statement: SentStatement, now: { transaction: number; clock: number }, outcome: Outcome): void
  /** `row`: what it waits for. */
  waits(statement: SentStatement, now: { transaction: number; clock: number }, row: string): void
  /** The statement that waited goes on. */
  granted(connection: Connection): void
  /** The statement that waits does not go on. */
  canceled(connection: Connection): void
  committed(connection: Connection): void
  rolledBack(connection: Connection): void
  held(holder: number, isHeld: boolean): void
}
export type SentStatement = {
  connection: Connection
  sql: string
  parameters: readonly unknown[]
  isInTransaction: boolean
}
export type Outcome = { result: Result } | { error: unknown }

type Waiting = { call: Call; connection: Connection; lock: Blocked }

const MESSAGE = 'simulation: '
const isMessage = (sql: string): boolean => sql.startsWith(MESSAGE)

/** Statements that go to other servers, in the transaction of the database. */
export type Messages = (name: string, given: readonly unknown[], transaction: ModelTransaction) => void

/** The model behind connections that fail, time out and wait for locks. */
export class DatabaseServer {
  readonly model: ModelDatabase
  reference: Reference | null = null
  /** By how many milliseconds the database's clock is ahead of virtual time. */
  clockOffset = 0
  onMessage: Messages = () => {}
  onChange: (change: Change) => void = () => {}
  onLost: (change: Change) => void = () => {}
  readonly #simulation: SimulationContext
  readonly #mutate: (sql: string) => string
  readonly #waiting: Waiting[] = []
  /** What was committed without waiting for the disk, since the last commit that did. */
  readonly #unsynced: { at: number; changes: CellChange[] }[] = []
  /** Transactions that commit after their client has given up. */
  readonly #late = new Map<ModelTransaction, Connection>()

  constructor(simulation: SimulationContext, mutation: (sql: string) => string) {
    this.#simulation = simulation
    this.#mutate = mutation
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
    this.reference?.held(process.holder, true)
  }

  #releaseLock({ holder }: Process): void {
    if (this.model.holders.delete(holder)) this.reference?.held(holder, false)
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
    this.reference?.committed(connection)
    this.#commit(transaction)
  }

  /** Runs the statements that are sent together with the next one; see `db/batching-client.ts`. */
  #runDeferred(connection: Connection, transaction: ModelTransaction): void {
    const { deferred } = connection
    for (let first = deferred[0]; first !== undefined; first = deferred[0]) {
      this.#run(connection, transaction, first.sql, first.parameters)
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
    this.reference?.rolledBack(connection)
    this.model.rollback(transaction)
    this.#grantLocks()
  }

  #commit(transaction: ModelTransaction, mayBeLost = false): void {
    if (mayBeLost)
      this.#unsynced.push({ at: this.#simulation.now, changes: this.model.changesOf(transaction) })
    else if (transaction.written.size > 0) this.#unsynced.length = 0
    this.model.commit(transaction)
    this.#grantLocks()
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
      this.reference?.ran(sent, now, { result })
      return result
    } catch (error) {
      if (error instanceof Blocked) this.reference?.waits(sent, now, nameOf(error.cell))
      if (sqlState(error) === undefined) throw error
      transaction.state = 'failed'
      this.reference?.ran(sent, now, { error })
      throw error
    }
  }

  /** Runs a statement as a transaction of its own, which holds no lock after an error. */
  #runAlone(connection: Connection, transaction: ModelTransaction, ...given: [string, readonly unknown[]]) {
    try {
      return this.#run(connection, transaction, ...given)
    } catch (error) {
      if (!(error instanceof Blocked)) this.#endAlone(transaction)
      throw error
    }
  }

  #endAlone(transaction: ModelTransaction): void {
    if (transaction.state === 'ended') return
    this.model.rollback(transaction)
    this.#grantLocks()
  }

  // Waiting for locks

  wait(call: Call, lock: Blocked): void {
    const { connection } = call
    if (connection === null) throw new Error(`${call.name} waits for a lock without a connection`)
    this.#simulation.count('waits for a lock')
    if (this.#simulation.isTraced) this.#simulation.trace(`${call.owner.name} waits for ${nameOf(lock.cell)}`)
    this.#waiting.push({ call, connection, lock })
    for (const holder of lock.cell.lockers.keys()) this.#watchHolder(holder)
    this.#simulation.schedule.add(STATEMENT_TIMEOUT, null, () => {
      if (this.#cancel((waiting) => waiting.call === call).length === 0) return
      const error = databaseError('57014', 'canceling statement due to statement timeout')
      this.#fail(connection)
      this.#simulation.count('lock timeout')
      this.#simulation.respond(call, error)
    })
  }

  /** A transaction that holds a lock and does nothing is ended. */
  #watchHolder(holder: ModelTransaction): void {
    for (const { process } of this.#simulation.places)
      for (const connection of process?.connections ?? [])
        if (connection.transaction === holder) this.#watch(connection)
  }

  /** Runs the statements that need not wait any more, in the order in which they began to wait. */
  #grantLocks(): void {
    for (const waiting of this.#waiting.slice()) {
      const { call, connection, lock } = waiting
      if (!endWait(lock)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      this.reference?.granted(connection)
      this.#simulation.schedule.add(0, null, () => {
        if (call.isDone || !call.owner.isAlive || connection.isDead) this.#cancelOne(waiting)
        if (!call.isDone && call.owner.isAlive) this.#simulation.perform(call)
      })
    }
  }

  /** Ends the waiting of statements, and returns them. */
  #cancel(isWanted: (waiting: Waiting) => boolean): Waiting[] {
    const canceled = this.#waiting.filter(isWanted)
    for (const waiting of canceled) this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    for (const waiting of canceled) this.#cancelOne(waiting)
    return canceled
  }

  #cancelOne({ connection, lock }: Waiting): void {
    this.reference?.canceled(connection)
    if (lock.transaction !== connection.transaction) this.#endAlone(lock.transaction)
  }

  // Failures

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
      this.#fail(connection)
      return { error: databaseError(random.oneOf(['40001', '40P01']), 'a conflict'), isAfter: false }
    }
    if (!random.isLikely(faultPlan.databaseError)) return null
    if (random.isLikely(0.3)) {
      this.#fail(connection)
      return { error: databaseError('57014', 'canceling statement due to statement timeout'), isAfter: false }
    }
    return this.#lose(call, connection, call.faults === 'autocommit' && random.isLikely(0.5))
  }

  #failureOfCommit(call: Call, connection: Connection): Failure | null {
    const { random, faultPlan, schedule } = this.#simulation
    if (random.isLikely(faultPlan.lostResponse)) return this.#lose(call, connection, random.isLikely(0.6))
    if (!random.isLikely(faultPlan.lateCommit)) return null
    // The client gives up; the server commits a while later, as if the connection had hung.
    const { transaction } = connection
    if (transaction !== null) this.#runDeferred(connection, transaction)
    connection.isDead = true
    connection.transaction = null
    if (transaction !== null) this.#late.set(transaction, connection)
    schedule.add(random.between(0.1 * SECOND, LATE_COMMIT_MILLISECONDS), null, () => {
      if (transaction === null || !this.#late.delete(transaction)) return
      if (transaction.state !== 'open') return
      this.#simulation.trace(`the late commit of ${connection.owner.name} takes effect`)
      this.reference?.committed(connection)
      this.#commit(transaction)
    })
    return { error: new Error('Query read timeout'), isAfter: false }
  }

  /** The connection breaks: after the statement was done, or before. */
  #lose(call: Call, connection: Connection, isAfter: boolean): Failure {
    const error = socketError('ECONNRESET', 'read')
    return { error, isAfter, also: () => this.end(connection) }
  }

  #fail(connection: Connection): void {
    const { transaction } = connection
    if (transaction !== null) transaction.state = 'failed'
  }

  /** Ends a connection, and rolls back what it did not commit. */
  end(connection: Connection): void {
    connection.isDead = true
    this.rollback(connection)
  }

  disconnect(process: Process): void {
    const { random, schedule } = this.#simulation
    this.#cancel(({ call }) => call.owner === process)
    for (const connection of process.connections) this.end(connection)
    // PostgreSQL notices only after a while that a machine has vanished.
    if (random.isLikely(0.1))
      schedule.add(random.between(10, 40) * SECOND, null, () => this.#releaseLock(process))
    else this.#releaseLock(process)
  }

  /** Ends all connections, also those with the advisory locks of processes. */
  goDown(): void {
    for (const { call } of this.#cancel(() => true))
      this.#simulation.respond(call, new Error('Connection terminated unexpectedly'))
    for (const { process } of this.#simulation.places) {
      if (process === null) continue
      this.#releaseLock(process)
      for (const connection of process.connections) this.end(connection)
    }
    for (const [transaction, connection] of this.#late) this.#undo(connection, transaction)
    this.#late.clear()
    // The reference cannot lose commits.
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

  comeBack(): void {
    for (const { process } of this.#simulation.places) if (process !== null) this.lockFor(process)
  }

  /** The transactions of a process that does nothing end after a while. */
  watchIdle(process: Process): void {
    for (const connection of process.connections) this.#watch(connection)
  }

  #watch(connection: Connection): void {
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

const nameOf = ({ table, key }: Cell): string => `${table.name} ${key}`

const socketError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
