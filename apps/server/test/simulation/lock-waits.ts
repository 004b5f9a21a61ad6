import { statementTimeout } from '#simulation/database-errors.ts'
import type { Session } from '#simulation/postgres.ts'
import type { Call, Connection, SimulationContext } from '#simulation/process.ts'

/** A setting of the portal's connections; `platform/database/database.ts`. */
const STATEMENT_TIMEOUT_MILLISECONDS = 8_000

/** Thrown by a statement that waits for locks of other sessions; its call is performed again later. */
export class Blocked extends Error {
  /** The ids of the sessions that have the locks. */
  readonly blockers: readonly number[]
  constructor(blockers: readonly number[]) {
    super('the statement waits for a lock')
    this.blockers = blockers
  }
}

type Waiting = { connection: Connection; session: Session; blockers: readonly number[] }

/**
 * The calls that wait for locks, in the order in which they began to wait. In PostgreSQL only the first one
 * waits: it gives a lock to any of those that wait, and a simulation must be the same in each run. The
 * statements of the others were taken back, and are sent again when a lock may be free.
 */
export class LockWaits {
  readonly #simulation: SimulationContext
  readonly #giveUp: (connection: Connection) => void
  readonly #waiting = new Map<Call, Waiting>()

  /** `giveUp` ends the statement of a connection that has waited too long. */
  constructor(simulation: SimulationContext, giveUp: (connection: Connection) => void) {
    this.#simulation = simulation
    this.#giveUp = giveUp
  }

  /** The session whose statement waits in PostgreSQL. */
  get waiter(): Session | null {
    for (const { session } of this.#waiting.values()) if (session.pending !== null) return session
    return null
  }

  /** Adds a call, or tells what it waits for now. */
  add(call: Call, { blockers }: Blocked): void {
    const { connection } = call
    const session = connection?.session
    if (connection === null || session === null || session === undefined)
      throw new Error(`${call.name} waits for a lock without a connection`)
    const isNew = !this.#waiting.has(call)
    this.#waiting.set(call, { connection, session, blockers })
    if (!isNew) return
    this.#simulation.count('waits for a lock')
    if (this.#simulation.isTraced) this.#simulation.trace(`${call.owner.name} waits for a lock: ${call.name}`)
    this.#simulation.schedule.add(STATEMENT_TIMEOUT_MILLISECONDS, null, () => {
      if (!this.#waiting.delete(call)) return
      this.#simulation.count('lock timeout')
      this.#giveUp(connection)
      this.#simulation.respond(call, statementTimeout())
    })
  }

  remove(call: Call): void {
    this.#waiting.delete(call)
  }

  /** Whether a session whose locks are in the way waits itself for `session`, directly or through others. */
  isDeadlock(session: Session, blockers: readonly number[]): boolean {
    const seen = new Set<number>()
    const open = [...blockers]
    for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
      if (pid === session.pid) return true
      if (seen.has(pid)) continue
      seen.add(pid)
      for (const waiting of this.#waiting.values())
        if (waiting.session.pid === pid) open.push(...waiting.blockers)
    }
    return false
  }

  /** Performs the calls again, because a lock may be free. */
  wake(): void {
    for (const call of this.#waiting.keys())
      this.#simulation.schedule.add(0, null, () => {
        if (!this.#waiting.has(call)) return
        if (call.isDone || !call.owner.isAlive) this.#waiting.delete(call)
        else this.#simulation.perform(call)
      })
  }

  /** Removes the calls that match, and returns them. */
  cancel(isMatch: (call: Call) => boolean): Call[] {
    const canceled = [...this.#waiting.keys()].filter(isMatch)
    for (const call of canceled) this.#waiting.delete(call)
    return canceled
  }
}
