import type { CompiledQuery } from 'kysely'
import type { MailRow, SubmissionRow } from '#platform/database/tables.ts'
import { sqlState } from '#platform/database/transaction.ts'
import {
  connectionLost,
  databaseError,
  deadlock,
  socketError,
  statementTimeout,
} from '#simulation/database-errors.ts'
import { Blocked, LockWaits } from '#simulation/lock-waits.ts'
import type { Change, Postgres, Result, Session } from '#simulation/postgres.ts'
import type {
  Call,
  Connection,
  Failure,
  Process,
  SimulationContext,
  Transaction,
} from '#simulation/process.ts'
import type { Row } from '#simulation/rows.ts'

const SECOND = 1000
/** A setting of the portal's connections; `platform/database/database.ts`. */
const IDLE_TIMEOUT = 30 * SECOND
/** PostgreSQL writes every commit to disk within three times `wal_writer_delay`. */
const UNSYNCED_MILLISECONDS = 600
/** A commit that the client no longer waits for takes effect within this time. */
export const LATE_COMMIT_MILLISECONDS = 5_000

const MESSAGE = 'simulation: '
const isMessage = (sql: string): boolean => sql.startsWith(MESSAGE)
const isAsyncCommit = (sql: string): boolean => sql.includes('synchronous_commit')

/** What the connections of the processes do in PostgreSQL: they fail, time out and wait for locks. */
export class DatabaseServer {
  /** The committed rows. */
  rows: { submissions: readonly SubmissionRow[]; mails: readonly MailRow[] } = { submissions: [], mails: [] }
  /** By how many milliseconds the database's clock is ahead of virtual time. */
  clockOffset = 0
  /** The numbers of the processes that have their advisory lock. */
  readonly holders = new Set<number>()
  /**
   * Gets the pseudo-statements `simulation: <name>` when they are committed: jobs and status events, which
   * have no table in the simulation.
   */
  onMessage: (name: string, values: readonly unknown[]) => void = () => {}
  onChange: (change: Change) => void = () => {}
  onLost: (change: Change) => void = () => {}
  readonly #simulation: SimulationContext
  readonly #postgres: Postgres
  readonly #lockWaits: LockWaits
  /** Commits whose client has given up. */
  readonly #lateCommits = new Set<Connection>()
  /** All work in PostgreSQL so far: each piece begins when those before have ended or wait for a lock. */
  #work: Promise<unknown> = Promise.resolve()
  #hasCommits = true

  constructor(simulation: SimulationContext, postgres: Postgres) {
    this.#simulation = simulation
    this.#postgres = postgres
    this.#lockWaits = new LockWaits(simulation, (connection) => this.#giveUp(connection))
  }

  get now(): number {
    return this.#simulation.now + this.clockOffset
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#work.then(work)
    this.#work = result.catch(() => {})
    return result
  }

  /** Resolves when PostgreSQL has done everything, but for statements that wait for a lock. */
  async whenIdle(): Promise<void> {
    for (let done: unknown = null; done !== this.#work;) {
      done = this.#work
      await done
      // Runs all that this has caused in promises.
      await new Promise(setImmediate)
    }
    if (!this.#hasCommits) return
    this.#hasCommits = false
    for (const change of await this.#postgres.takeChanges()) this.onChange(change)
    await this.#readRows()
  }

  async #readRows(): Promise<void> {
    const [submissions, mails] = [await this.rowsOf('submissions'), await this.rowsOf('mails')]
    this.rows = { submissions, mails } as unknown as DatabaseServer['rows']
  }

  rowsOf(table: string): Promise<Row[]> {
    return this.#postgres.rowsOf(table)
  }

  /** Gives a process its advisory lock, which shows that it is alive; not while the database is down. */
  lockFor({ holder }: Process): void {
    const { random, faultPlan, hasFaults, down } = this.#simulation
    if (down.has('database') || (hasFaults && random.isLikely(faultPlan.lostListener))) return
    if (this.holders.has(holder)) return
    this.holders.add(holder)
    void this.#enqueue(() => this.#postgres.lockHolder(holder, true))
  }

  #releaseLock({ holder }: Process): void {
    if (this.holders.delete(holder)) void this.#enqueue(() => this.#postgres.lockHolder(holder, false))
  }

  connect(owner: Process): Connection {
    const connection: Connection = {
      owner,
      session: null,
      transaction: null,
      isDead: false,
      usedAt: this.now,
    }
    owner.connections.add(connection)
    return connection
  }

  /** The process no longer needs the connection. */
  release(connection: Connection): void {
    connection.owner.connections.delete(connection)
    void this.#enqueue(() => this.#undo(connection))
  }

  begin(connection: Connection): void {
    connection.transaction = this.#newTransaction()
  }

  #newTransaction(): Transaction {
    return { startedAt: this.now, isFailed: false, messages: [] }
  }

  statement(connection: Connection, { sql, parameters }: CompiledQuery): Promise<Result> {
    /** A statement that waits for a lock keeps the time at which it began. */
    let alone: Transaction | null = null
    const effect = () =>
      this.#enqueue(async () => {
        connection.usedAt = this.#simulation.now
        expectOpen(connection)
        const { transaction } = connection
        if (transaction !== null) return this.#run(connection, transaction, sql, parameters)
        alone ??= this.#newTransaction()
        return this.#runAlone(connection, alone, sql, parameters)
      })
    const name = this.#simulation.isTraced
      ? `${sql.trim().replace(/\s+/g, ' ').slice(0, 70)} ${JSON.stringify(parameters)}`
      : ''
    const faults = connection.transaction === null ? 'autocommit' : 'statement'
    return this.#call(connection, name, effect, faults)
  }

  commit(connection: Connection): Promise<void> {
    const effect = () =>
      this.#enqueue(async () => {
        expectOpen(connection)
        await this.#commitOf(connection)
      })
    return this.#call(connection, 'commit', effect, 'commit')
  }

  #call<T>(
    connection: Connection,
    name: string,
    effect: () => Promise<T>,
    faults: Call['faults'],
  ): Promise<T> {
    return this.#simulation.call(connection.owner, name, effect, { faults, isRemote: true, connection })
  }

  async #commitOf(connection: Connection): Promise<void> {
    const { transaction } = connection
    if (transaction === null) return
    connection.transaction = null
    if (transaction.isFailed) return this.#undo(connection)
    if (connection.session?.isInTransaction === true) {
      await connection.session.client.query('commit')
      connection.session.isInTransaction = false
    }
    await this.#committed(transaction)
  }

  async #committed({ messages }: Transaction): Promise<void> {
    this.#hasCommits = true
    for (const { name, values } of messages) this.onMessage(name, values)
    await this.#wakeWaiting()
  }

  /** Lets the statements that wait for a lock go on if it is free. */
  async #wakeWaiting(): Promise<void> {
    const { waiter } = this.#lockWaits
    if (waiter !== null) await this.#postgres.settle(waiter)
    this.#lockWaits.wake()
  }

  rollback(connection: Connection): void {
    connection.transaction = null
    void this.#enqueue(() => this.#undo(connection))
  }

  /** Rolls back what a connection has not committed. */
  async #undo(connection: Connection): Promise<void> {
    const { session } = connection
    if (session === null) return
    connection.session = null
    await this.#postgres.cancel(session)
    if (session.isInTransaction) await session.client.query('rollback')
    session.isInTransaction = false
    this.#postgres.release(session)
    await this.#wakeWaiting()
  }

  async #run(
    connection: Connection,
    transaction: Transaction,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<Result> {
    if (isMessage(sql)) {
      transaction.messages.push({ name: sql.slice(MESSAGE.length), values: parameters })
      return { rows: [], count: 0 }
    }
    const session = (connection.session ??= await this.#postgres.session())
    const isAlone = connection.transaction === null
    const now = { transaction: transaction.startedAt, clock: this.now }
    try {
      if (!isAlone && !session.isInTransaction) {
        await session.client.query('begin')
        session.isInTransaction = true
      }
      const hasSavepoint = await this.#send(session, isAlone, async () => {
        await this.#postgres.waitForDisk(session, !isAlone || !isAsyncCommit(sql))
        await this.#postgres.send(session, sql, parameters, now)
      })
      await this.#expectLock(session, hasSavepoint)
      const result = await this.#postgres.take(session)
      if (hasSavepoint) await session.client.query('release savepoint waiting')
      return result
    } catch (error) {
      if (sqlState(error) !== undefined) transaction.isFailed = true
      throw error
    }
  }

  /**
   * Sends a statement, unless it was sent and waits for a lock. While another one waits in PostgreSQL, it is
   * sent after a savepoint, to which it can be taken back.
   */
  async #send(session: Session, isAlone: boolean, send: () => Promise<void>): Promise<boolean> {
    if (session.pending !== null) return false
    const hasSavepoint = !isAlone && this.#lockWaits.waiter !== null
    if (hasSavepoint) await session.client.query('savepoint waiting')
    await send()
    return hasSavepoint
  }

  /** Throws `Blocked` if the pending statement of the session waits for a lock. */
  async #expectLock(session: Session, hasSavepoint: boolean): Promise<void> {
    const blockers = await this.#postgres.settle(session)
    if (blockers.length === 0) return
    this.#watchHolders(blockers)
    if (this.#lockWaits.isDeadlock(session, blockers)) {
      await this.#postgres.cancel(session)
      this.#simulation.count('deadlock')
      throw deadlock()
    }
    const { waiter } = this.#lockWaits
    if (waiter !== null && waiter !== session) {
      await this.#postgres.cancel(session)
      if (hasSavepoint) await session.client.query('rollback to savepoint waiting; release savepoint waiting')
    }
    throw new Blocked(blockers)
  }

  /** Runs a statement outside of a transaction, as one of its own. */
  async #runAlone(
    connection: Connection,
    transaction: Transaction,
    sql: string,
    parameters: readonly unknown[],
  ): Promise<Result> {
    const result = await this.#run(connection, transaction, sql, parameters)
    if (isAsyncCommit(sql))
      this.#simulation.schedule.add(
        UNSYNCED_MILLISECONDS,
        null,
        () => void this.#enqueue(() => this.#postgres.flush()),
      )
    await this.#committed(transaction)
    return result
  }

  /** Lets a call wait for a lock. */
  wait(call: Call, blocked: Blocked): void {
    this.#lockWaits.add(call, blocked)
  }

  /** The call has its lock, or has failed. */
  endWait(call: Call): void {
    if (call.connection !== null) this.#lockWaits.remove(call)
  }

  #giveUp(connection: Connection): void {
    failTransaction(connection)
    void this.#enqueue(async () => {
      if (connection.session !== null) await this.#postgres.cancel(connection.session)
      await this.#wakeWaiting()
    })
  }

  /** A transaction that holds a lock and does nothing is ended. */
  #watchHolders(pids: readonly number[]): void {
    for (const { process } of this.#simulation.places)
      for (const connection of process?.connections ?? [])
        if (connection.session !== null && pids.includes(connection.session.pid))
          this.#watchIdleTransaction(connection)
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
    return this.#breakConnection(connection, call.faults === 'autocommit' && random.isLikely(0.5))
  }

  #failureOfCommit(call: Call, connection: Connection): Failure | null {
    const { random, faultPlan } = this.#simulation
    if (random.isLikely(faultPlan.lostResponse))
      return this.#breakConnection(connection, random.isLikely(0.6))
    if (!random.isLikely(faultPlan.lateCommit)) return null
    this.#commitLater(connection)
    return { error: new Error('Query read timeout'), isAfter: false }
  }

  /** The client gives up; the server commits a while later, as if the connection had hung. */
  #commitLater(connection: Connection): void {
    const late = { ...connection }
    connection.isDead = true
    connection.session = null
    connection.transaction = null
    this.#lateCommits.add(late)
    const delay = this.#simulation.random.between(0.1 * SECOND, LATE_COMMIT_MILLISECONDS)
    this.#simulation.schedule.add(delay, null, () => {
      if (!this.#lateCommits.delete(late)) return
      this.#simulation.trace(`the late commit of ${late.owner.name} takes effect`)
      void this.#enqueue(async () => {
        await this.#commitOf(late)
        await this.#undo(late)
      })
    })
  }

  #undoLate(late: Connection): void {
    if (this.#lateCommits.delete(late)) void this.#enqueue(() => this.#undo(late))
  }

  /** The connection breaks, before the statement has run or after it. */
  #breakConnection(connection: Connection, isAfter: boolean): Failure {
    return { error: socketError('ECONNRESET', 'read'), isAfter, also: () => this.end(connection) }
  }

  /** Ends a connection, and rolls back what it did not commit. */
  end(connection: Connection): void {
    connection.isDead = true
    this.rollback(connection)
  }

  disconnect(process: Process): void {
    const { random, schedule } = this.#simulation
    this.#lockWaits.cancel(({ owner }) => owner === process)
    for (const connection of process.connections) this.end(connection)
    // PostgreSQL notices only after a while that a machine has vanished.
    if (random.isLikely(0.1))
      schedule.add(random.between(10, 40) * SECOND, null, () => this.#releaseLock(process))
    else this.#releaseLock(process)
  }

  /** Ends all connections, also those with the advisory locks of processes. */
  goDown(): void {
    for (const call of this.#lockWaits.cancel(() => true)) this.#simulation.respond(call, connectionLost())
    for (const { process } of this.#simulation.places) {
      if (process === null) continue
      this.#releaseLock(process)
      for (const connection of process.connections) this.end(connection)
    }
    for (const late of this.#lateCommits) this.#undoLate(late)
    if (this.#simulation.random.isLikely(0.5)) void this.#enqueue(() => this.#crash())
  }

  /** A crash loses the last commits that did not wait for the disk. */
  async #crash(): Promise<void> {
    for (const change of await this.#postgres.takeChanges()) this.onChange(change)
    const lost = await this.#postgres.crash()
    for (const change of lost.reverse()) this.onLost(change)
    this.#simulation.count('database crash')
    if (lost.length > 0) {
      this.#simulation.count('commit lost')
      this.#simulation.trace(`the database loses ${lost.length} changes that were not on disk`)
    }
    this.#hasCommits = true
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

  /** A statement of the simulation itself, outside of every rule. */
  tamper(sql: string): void {
    void this.#enqueue(() => this.#postgres.run(sql))
    this.#hasCommits = true
  }
}

function expectOpen({ isDead, transaction }: Connection): void {
  if (isDead) throw connectionLost()
  if (transaction?.isFailed === true) throw databaseError('25P02', 'current transaction is aborted')
}

/** As after an error of PostgreSQL: the transaction can only be rolled back. */
function failTransaction({ transaction }: Connection): void {
  if (transaction !== null) transaction.isFailed = true
}
