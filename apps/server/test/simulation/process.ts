import type { Deps } from '#deps.ts'
import type { Session } from '#simulation/postgres.ts'
import type { RandomStream } from '#simulation/random-stream.ts'
import type { Schedule } from '#simulation/schedule.ts'
import type { Outage, FaultPlan } from '#simulation/fault-plan.ts'

/** A transaction of a process. */
export type Transaction = {
  /** What now() returns, in milliseconds since 1970. */
  readonly startedAt: number
  /** It can only be rolled back. */
  isFailed: boolean
  /** Jobs and status events, which take effect when it is committed. */
  readonly messages: { name: string; values: readonly unknown[] }[]
}

/** A connection to the database. Its server ends it at an outage, or when it was idle for too long. */
export type Connection = {
  readonly owner: Process
  /** Its connection in PostgreSQL; null while it needs none. */
  session: Session | null
  transaction: Transaction | null
  isDead: boolean
  /** When its last statement ended. */
  usedAt: number
}

/** A call of a process to a server or the disk, which it waits for. */
export type Call = {
  readonly owner: Process
  readonly name: string
  /** Whether a server does the work, which goes on while the process is frozen. */
  readonly isRemote: boolean
  readonly connection: Connection | null
  /** The file that the validator reads. */
  readonly source: string | null
  /** What it does; a promise if PostgreSQL does it. */
  readonly effect: () => unknown
  /** Decides which failures it can have. */
  readonly faults: FaultKind
  settle(error: unknown, result?: unknown): void
  /** Whether its effect has happened or failed, so that only the response is missing. */
  isDecided: boolean
  isDone: boolean
}
/** What a call does, which decides how it can fail. `autocommit` is a statement outside of a transaction. */
export const faultKinds = [
  'statement',
  'autocommit',
  'commit',
  'storage',
  'mail',
  'validator',
  'none',
] as const
export type FaultKind = (typeof faultKinds)[number]

export type ProcessKind = 'web' | 'worker'

/** A web server or worker with its own connections, timers and memory. It can be killed and frozen. */
export type Process = {
  readonly name: string
  readonly number: number
  readonly kind: ProcessKind
  /** The number of its advisory lock. */
  readonly holder: number
  readonly inFlight: Set<Call>
  readonly connections: Set<Connection>
  readonly deps: Deps
  isAlive: boolean
  /** Takes no more work. */
  isStopping: boolean
  frozenUntil: number
  /** How many jobs it runs. */
  runningJobs: number
}

/** The part of a simulation that its processes and servers use. */
export type SimulationContext = {
  readonly random: RandomStream
  readonly schedule: Schedule<Process>
  readonly faultPlan: FaultPlan
  /** The machines: each has one process at a time, or none until the next one starts. */
  readonly places: { kind: ProcessKind; process: Process | null }[]
  readonly down: Set<Outage>
  readonly hasFaults: boolean
  readonly isTraced: boolean
  /** Virtual time in milliseconds since 1970. */
  readonly now: number
  /** The process whose code runs at the moment. */
  current: Process | null
  trace(line: string): void
  count(what: string): void
  /** Reports an error if only a bug can cause it, such as a TypeError. */
  reportIfBug(error: unknown): void
  call<T>(owner: Process, name: string, effect: () => T | Promise<T>, options?: CallOptions): Promise<T>
  perform(call: Call): void
  respond(call: Call, error: unknown): void
}
export type CallOptions = {
  faults?: FaultKind
  isRemote?: boolean
  delayMilliseconds?: number
  connection?: Connection
  /** The file that the validator reads. */
  source?: string
}
/** How a call fails. */
export type Failure = {
  error: Error
  /** Whether its effect happens before it fails. */
  isAfter: boolean
  /** What else the fault causes at the same time. */
  also?: () => void
}

/** Does what a call does, although nobody gets its result. */
export function takeEffect({ effect }: Call): void {
  // If it fails, it has no effect.
  void Promise.try(effect).catch(() => {})
}
