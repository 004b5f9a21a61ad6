import { failTransaction, statementTimeout } from '#simulation/connection-errors.ts'
import { type Blocked, cellName, endWait, type ModelTransaction } from '#simulation/database/rows.ts'
import type { Call, Connection, SimulationContext } from '#simulation/process.ts'
import type { Reference } from '#simulation/reference.ts'

/** A setting of the portal's connections; `db/database.ts`. */
const STATEMENT_TIMEOUT_MILLISECONDS = 8_000

/** A statement that waits for a lock. */
type Waiting = { call: Call; connection: Connection; lock: Blocked }

/** What the database does for the statements that wait. */
type Database = {
  reference(): Reference | null
  /** Rolls back a transaction that one statement began for itself. */
  endAlone(transaction: ModelTransaction): void
}

/** The statements that wait for locks, in the order in which they began to wait. */
export class LockWaits {
  readonly #simulation: SimulationContext
  readonly #database: Database
  readonly #waiting: Waiting[] = []

  constructor(simulation: SimulationContext, database: Database) {
    this.#simulation = simulation
    this.#database = database
  }

  add(call: Call, lock: Blocked): void {
    const { connection } = call
    if (connection === null) throw new Error(`${call.name} waits for a lock without a connection`)
    this.#simulation.count('waits for a lock')
    if (this.#simulation.isTraced)
      this.#simulation.trace(`${call.owner.name} waits for ${cellName(lock.cell)}`)
    this.#waiting.push({ call, connection, lock })
    this.#simulation.schedule.add(STATEMENT_TIMEOUT_MILLISECONDS, null, () => {
      if (this.cancel((waiting) => waiting.call === call).length === 0) return
      failTransaction(connection)
      this.#simulation.count('lock timeout')
      this.#simulation.respond(call, statementTimeout())
    })
  }

  /** Runs the statements whose locks are free now, again in the order in which they began to wait. */
  grant(): void {
    for (const waiting of this.#waiting.slice()) {
      const { call, connection, lock } = waiting
      if (!endWait(lock)) continue
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      this.#database.reference()?.onGrant(connection)
      this.#simulation.schedule.add(0, null, () => {
        if (call.isDone || !call.owner.isAlive || connection.isDead) this.#end(waiting)
        if (!call.isDone && call.owner.isAlive) this.#simulation.perform(call)
      })
    }
  }

  /** Removes the statements that match; they do not run again. Returns them. */
  cancel(isMatch: (waiting: Waiting) => boolean): Waiting[] {
    const canceled = this.#waiting.filter(isMatch)
    for (const waiting of canceled) this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
    for (const waiting of canceled) this.#end(waiting)
    return canceled
  }

  #end({ connection, lock }: Waiting): void {
    this.#database.reference()?.onCancel(connection)
    if (lock.transaction !== connection.transaction) this.#database.endAlone(lock.transaction)
  }
}
