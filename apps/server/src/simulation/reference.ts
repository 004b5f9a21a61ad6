import type { Result } from '#simulation/database/compile-statement.ts'
import type { Connection } from '#simulation/process.ts'

export type SentStatement = {
  connection: Connection
  sql: string
  parameters: readonly unknown[]
  /** Whether BEGIN was sent before, and COMMIT or ROLLBACK will follow. */
  isInTransaction: boolean
}
/** What now() and clock_timestamp() return, in milliseconds. */
export type StatementTime = { transaction: number; clock: number }
export type Outcome = { result: Result } | { error: unknown }

/** A second database, which does the same as the model, to compare the results. */
export type Reference = {
  onResult(statement: SentStatement, now: StatementTime, outcome: Outcome): void
  /** The statement waits for a lock on this row. */
  onWait(statement: SentStatement, now: StatementTime, row: string): void
  /** The waiting statement of the connection has its lock and runs again. */
  onGrant(connection: Connection): void
  /** The waiting statement of the connection does not run again. */
  onCancel(connection: Connection): void
  onCommit(connection: Connection): void
  onRollback(connection: Connection): void
  /** A process got or lost its advisory lock. */
  onHolderLock(holder: number, isHeld: boolean): void
}
