import { isUnread, isUnsynced } from '#db/statements.ts'
import { sqlState } from '#db/transaction.ts'
import type { Result } from '#simulation/database/compile-statement.ts'
import { type CellChange, type Change, Model } from '#simulation/database/model.ts'
import { Blocked, databaseError, isLockedByOther, type ModelTransaction } from '#simulation/database/rows.ts'
import type { TableName } from '#simulation/database/tables.ts'
import { fixture } from '#simulation/fixture.ts'
import type { Call, Connection, Failure, Process, Surrounding } from '#simulation/process.ts'

const SECOND = 1000
/** The settings of the portal's connections; `db/database.ts`. */
const STATEMENT_TIMEOUT = 8 * SECOND
const IDLE_TIMEOUT = 30 * SECOND
/** PostgreSQL brings every commit to disk within three times `wal_writer_delay`. */
const UNSYNCED = 600

/** Another database that gets the same statements, and is compared. */
export type Twin = {
  /** `isInTransaction`: with BEGIN before, and COMMIT or ROLLBACK later. */
  ran(statement: Sent, now: { transaction: number; clock: number }, outcome: Outcome): void
  waits(statement: Sent, now: { transaction: number; clock: number }): void
  /** The statement that waits does not go on. */
  canceled(connection: Connection): void
  committed(connection: Connection): void
  rolledBack(connection: Connection): void
  held(holder: number, isHeld: boolean): void
}
export type Sent = {
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
  readonly model: Model
  twin: Twin | null = null
  /** The database's clock, against virtual time. */
  clockOffset = 0
  onMessage: Messages = () => {}
  onChange: (change: Change) => void = () => {}
  onLost: (change: Change) => void = () => {}
  readonly #world: Surrounding
  readonly #sabotage: (sql: string) => string
  readonly #waiting: Waiting[] = []
  /** What was committed without waiting for the disk, since the last commit that did. */
  readonly #unsynced: { at: number; changes: CellChange[] }[] = []

  constructor(world: Surrounding, sabotage: (sql: string) => string) {
    this.#world = world
    this.#sabotage = sabotage
    this.model = new Model((change) => this.onChange(change))
    const transaction = this.model.begin(this.now)
    for (const [table, row] of fixture) this.model.tables[table].put(row, transaction)
  }

  get now(): number {
    return this.#world.now + this.clockOffset
  }

  // An advisory lock says that its process is alive.

  hold(process: Process): void {
    const { random, weather, isStormy, down } = this.#world
    if (down.has('database') || (isStormy && random.chance(weather.lostListener))) return
    this.model.holders.add(process.holder)
    this.twin?.held(process.holder, true)
  }

  #release({ holder }: Process): void {
    if (this.model.holders.delete(holder)) this.twin?.held(holder, false)
  }

  connect(owner: Process): Connection {
    const connection: Connection = { owner, transaction: null, isDead: false, usedAt: this.now, unsent: [] }
    owner.connections.add(connection)
    return connection
  }

  begin(connection: Connection): void {
    connection.transaction = this.model.begin(this.now)
  }

  statement(connection: Connection, sql: string, parameters: readonly unknown[]): Promise<Result> {
    if (connection.transaction !== null && (isMessage(sql) || isUnread(sql))) {
      connection.unsent.push({ sql, parameters })
      return Promise.resolve({ rows: [], count: 0 })
    }
    /** Kept while the statement waits: it began before. */
    let automatic: ModelTransaction | null = null
    const effect = (): Result => {
      connection.usedAt = this.#world.now
      this.#expectOpen(connection)
      if (connection.transaction !== null) {
        this.#runUnsent(connection, connection.transaction)
        return this.#run(connection, connection.transaction, sql, parameters)
      }
      automatic ??= this.model.begin(this.now)
      const result = this.#run(connection, automatic, sql, parameters)
      this.#commit(automatic, isUnsynced(sql))
      return result
    }
    const name = this.#world.isTraced
      ? `${sql.trim().replace(/\s+/g, ' ').slice(0, 70)} ${JSON.stringify(parameters)}`
      : ''
    const faults = connection.transaction === null ? 'automatic' : 'statement'
    return this.#called(connection, name, effect, faults)
  }

  commit(connection: Connection): Promise<void> {
    return this.#called(connection, 'commit', () => this.#commitOf(connection), 'commit')
  }

  #called<T>(connection: Connection, name: string, effect: () => T, faults: Call['faults']): Promise<T> {
    return this.#world.call(connection.owner, name, effect, { faults, isRemote: true, connection })
  }

  #commitOf(connection: Connection): void {
    this.#expectOpen(connection)
    const { transaction } = connection
    if (transaction === null) return
    this.#runUnsent(connection, transaction)
    connection.transaction = null
    if (transaction.state === 'failed') return this.#undo(connection, transaction)
    this.twin?.committed(connection)
    this.#commit(transaction)
  }

  /** What is sent together with the next statement; `db/batching-client.ts`. */
  #runUnsent(connection: Connection, transaction: ModelTransaction): void {
    const { unsent } = connection
    for (let first = unsent[0]; first !== undefined; first = unsent[0]) {
      this.#run(connection, transaction, first.sql, first.parameters)
      unsent.shift()
    }
  }

  rollback(connection: Connection): void {
    const { transaction } = connection
    connection.transaction = null
    connection.unsent.length = 0
    if (transaction !== null) this.#undo(connection, transaction)
  }

  #undo(connection: Connection, transaction: ModelTransaction): void {
    this.twin?.rolledBack(connection)
    this.model.rollback(transaction)
    this.#wake()
  }

  #commit(transaction: ModelTransaction, mayBeLost = false): void {
    if (mayBeLost) this.#unsynced.push({ at: this.#world.now, changes: this.model.changesOf(transaction) })
    else if (transaction.written.size > 0) this.#unsynced.length = 0
    this.model.commit(transaction)
    this.#wake()
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
    const sent: Sent = { connection, sql, parameters, isInTransaction: connection.transaction !== null }
    const now = { transaction: transaction.startedAt, clock: this.now }
    try {
      const result = this.model.run(this.#sabotage(sql), parameters, transaction, this.now)
      this.twin?.ran(sent, now, { result })
      return result
    } catch (error) {
      if (error instanceof Blocked) this.twin?.waits(sent, now)
      if (sqlState(error) === undefined) throw error
      transaction.state = 'failed'
      this.twin?.ran(sent, now, { error })
      throw error
    }
  }

  // Waiting for locks

  wait(call: Call, lock: Blocked): void {
    const { connection } = call
    if (connection === null) throw new Error(`${call.name} waits for a lock without a connection`)
    this.#world.count('waits for a lock')
    const { table, key, lockers } = lock.cell
    if (this.#world.isTraced) this.#world.trace(`${call.owner.name} waits for ${table.name} ${key}`)
    this.#waiting.push({ call, connection, lock })
    for (const holder of lockers.keys()) this.#watchHolder(holder)
    this.#world.schedule.add(STATEMENT_TIMEOUT, null, () => {
      const place = this.#waiting.findIndex((waiting) => waiting.call === call)
      if (place < 0) return
      this.#waiting.splice(place, 1)
      this.twin?.canceled(connection)
      const error = databaseError('57014', 'canceling statement due to statement timeout')
      this.#fail(connection)
      this.#world.count('lock timeout')
      this.#world.answer(call, error)
    })
  }

  /** A transaction that holds a lock and does nothing is ended. */
  #watchHolder(holder: ModelTransaction): void {
    for (const { process } of this.#world.places)
      for (const connection of process?.connections ?? [])
        if (connection.transaction === holder) this.#watch(connection)
  }

  /** Tries the statements that need not wait any more, in their order. */
  #wake(): void {
    for (const waiting of this.#waiting.slice()) {
      const { call, connection, lock } = waiting
      if (isLockedByOther(lock.cell, lock.mode, lock.transaction)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      this.#world.schedule.add(0, null, () => {
        if (!call.isDone && call.owner.isAlive) this.#world.perform(call)
        else this.twin?.canceled(connection)
      })
    }
  }

  // Failures

  failureOf(call: Call): Failure | null {
    const connection = call.connection as Connection
    const { random, weather, down } = this.#world
    if (connection.isDead) return null
    if (down.has('database')) {
      connection.isDead = true
      return { error: systemCall('ECONNREFUSED', 'connect'), isAfter: false }
    }
    if (call.faults === 'commit') return this.#failureOfCommit(call, connection)
    if (call.faults === 'statement' && random.chance(weather.conflict)) {
      this.#fail(connection)
      return { error: databaseError(random.pick(['40001', '40P01']), 'a conflict'), isAfter: false }
    }
    if (!random.chance(weather.databaseError)) return null
    if (random.chance(0.3)) {
      this.#fail(connection)
      return { error: databaseError('57014', 'canceling statement due to statement timeout'), isAfter: false }
    }
    return this.#lose(call, connection, call.faults === 'automatic' && random.chance(0.5))
  }

  #failureOfCommit(call: Call, connection: Connection): Failure | null {
    const { random, weather, schedule } = this.#world
    if (random.chance(weather.lostAnswer)) return this.#lose(call, connection, random.chance(0.6))
    if (!random.chance(weather.lateCommit)) return null
    // The client gives up; the server commits a while later, as if the connection had hung.
    const { transaction } = connection
    if (transaction !== null) this.#runUnsent(connection, transaction)
    connection.isDead = true
    connection.transaction = null
    schedule.add(random.between(0.1, 5) * SECOND, null, () => {
      if (transaction?.state !== 'open') return
      this.#world.trace(`the late commit of ${connection.owner.name} takes effect`)
      this.twin?.committed(connection)
      this.#commit(transaction)
    })
    return { error: new Error('Query read timeout'), isAfter: false }
  }

  /** The connection breaks: after the statement was done, or before. */
  #lose(call: Call, connection: Connection, isAfter: boolean): Failure {
    const error = systemCall('ECONNRESET', 'read')
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
    const { random, schedule } = this.#world
    for (const waiting of this.#waiting.slice())
      if (waiting.call.owner === process) {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        this.twin?.canceled(waiting.connection)
      }
    for (const connection of process.connections) this.end(connection)
    // The server hears of a machine that vanished only after a while.
    if (random.chance(0.1)) schedule.add(random.between(10, 40) * SECOND, null, () => this.#release(process))
    else this.#release(process)
  }

  /** Ends all connections, also those that hold the locks of living processes. */
  goDown(): void {
    for (const { call, connection } of this.#waiting.splice(0)) {
      this.twin?.canceled(connection)
      this.#world.answer(call, new Error('Connection terminated unexpectedly'))
    }
    for (const { process } of this.#world.places) {
      if (process === null) continue
      this.#release(process)
      for (const connection of process.connections) this.end(connection)
    }
    // The other database does not crash.
    if (this.#world.random.chance(0.5) && this.twin === null) this.#loseUnsynced()
  }

  /** A crash loses the last commits that did not wait for the disk. */
  #loseUnsynced(): void {
    for (const { at, changes } of this.#unsynced.splice(0).reverse()) {
      if (at < this.#world.now - UNSYNCED) continue
      this.#world.count('commit lost')
      this.#world.trace(`the database loses ${changes.length} changes that were not on disk`)
      for (const change of changes.reverse()) this.model.lose(change)
      for (const { cell, before, after } of changes)
        this.onLost({ table: cell.table.name as TableName, before, after })
    }
  }

  comeBack(): void {
    for (const { process } of this.#world.places) if (process !== null) this.hold(process)
  }

  /** The transactions of a process that does nothing end after a while. */
  watchIdle(process: Process): void {
    for (const connection of process.connections) this.#watch(connection)
  }

  #watch(connection: Connection): void {
    const { transaction, usedAt } = connection
    if (transaction === null) return
    this.#world.schedule.add(IDLE_TIMEOUT, null, () => {
      if (connection.transaction !== transaction || connection.usedAt !== usedAt) return
      this.#world.count('idle transaction')
      this.#world.trace(`the database ends an idle transaction of ${connection.owner.name}`)
      this.end(connection)
    })
  }
}

const systemCall = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall })
