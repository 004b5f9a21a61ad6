import type { Deps } from '#deps.ts'
import { failureOf } from '#simulation/call-failures.ts'
import { DatabaseServer } from '#simulation/database-server.ts'
import { Blocked } from '#simulation/lock-waits.ts'
import { JobServer } from '#simulation/job-server.ts'
import { MailServer } from '#simulation/mail-server.ts'
import { createDisk, type Disk, storageKinds } from '#simulation/memory-storage.ts'
import type { Mutation } from '#simulation/mutations.ts'
import type { Postgres } from '#simulation/postgres.ts'
import { createProcess, type Host } from '#simulation/create-process.ts'
import {
  type Call,
  type CallOptions,
  type FaultKind,
  type Process,
  type ProcessKind,
  takeEffect,
} from '#simulation/process.ts'
import { createRandomStream, type RandomStream } from '#simulation/random-stream.ts'
import { Schedule } from '#simulation/schedule.ts'
import { createFaultPlan, type Outage, type FaultPlan } from '#simulation/fault-plan.ts'

const SECOND = 1000
const START = Date.UTC(2026, 0, 5, 10)
/** How long each simulation has faults. */
export const FAULT_PERIOD = 90 * SECOND

/** The share of the simulations whose storage is an object store. */
const BUCKET_SHARE = 0.4

/** What all simulations of this process share. */
export type Settings = {
  env: Deps['env']
  metrics: Deps['metrics']
  postgres: Postgres
  trace?: ((line: string) => void) | null
  /** Changes some steps on purpose, so that an invariant breaks. */
  mutation?: Mutation
}

/** Processes, the servers that they call, virtual time, and faults. */
export class Simulation implements Host {
  readonly random: RandomStream
  readonly schedule = new Schedule<Process>(START)
  readonly faultPlan: FaultPlan
  readonly env: Deps['env']
  readonly metrics: Deps['metrics']
  readonly disk: Disk
  readonly database: DatabaseServer
  readonly jobs: JobServer
  readonly mails: MailServer
  /** The machines: each has one process at a time, or none until the next one starts. */
  readonly places: { kind: ProcessKind; process: Process | null }[] = []
  readonly down = new Set<Outage>()
  readonly violations: string[] = []
  /** How often the simulation made the validator fail, by the path of the file. */
  readonly failures = new Map<string, number>()
  /** How often something happened. */
  readonly counts: Record<string, number> = {}
  /** The process whose code runs at the moment. */
  current: Process | null = null
  hasFaults = true
  readonly #mutation: Mutation
  readonly #trace: ((line: string) => void) | null
  #processCount = 0

  constructor(seed: number, number: number, settings: Settings) {
    const { env, metrics, postgres, trace = null, mutation = (_step, effect) => effect() } = settings
    this.random = createRandomStream(seed, number)
    this.faultPlan = createFaultPlan(this.random, FAULT_PERIOD)
    this.env = env
    this.metrics = metrics
    this.#mutation = mutation
    this.#trace = trace
    const kind = this.random.isLikely(BUCKET_SHARE) ? this.random.oneOf(storageKinds.slice(1)) : 'folder'
    this.disk = createDisk(kind, 'the id')
    this.count(`storage: ${kind}`)
    this.database = new DatabaseServer(this, postgres)
    this.jobs = new JobServer(this)
    this.mails = new MailServer(this)
  }

  /** Virtual time in milliseconds since 1970. */
  get now(): number {
    return this.schedule.now
  }
  /** Seconds since the simulation began. */
  get seconds(): number {
    return (this.now - START) / SECOND
  }
  get isTraced(): boolean {
    return this.#trace !== null
  }
  trace(line: string): void {
    this.#trace?.(`${this.seconds.toFixed(3).padStart(11)} s  ${line}`)
  }
  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }
  violate(text: string): void {
    this.violations.push(text)
    this.trace(`VIOLATION ${text}`)
  }

  logOf(owner: Process): Deps['log'] {
    const write = (level: string) => (given: unknown, text?: string) => {
      const { err } = (typeof given === 'object' ? given : {}) as { err?: unknown }
      this.reportIfBug(err)
      const cause = err === undefined ? '' : ` (${String(err)})`
      if (this.isTraced) this.trace(`${owner.name} logs ${level}: ${text ?? String(given)}${cause}`)
    }
    const error = write('error')
    const silent = () => {}
    const log = {
      info: write('info'),
      warn: write('warn'),
      error,
      fatal: error,
      debug: silent,
      trace: silent,
    }
    return log as unknown as Deps['log']
  }

  /** Reports an error if only a bug can cause it, such as a TypeError. */
  reportIfBug(error: unknown): void {
    if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError)
      this.violate(`a bug: ${error.stack ?? String(error)}`)
  }

  start(place: number): Process {
    const { kind } = this.places[place] as (typeof this.places)[number]
    const process = createProcess(this, kind, ++this.#processCount)
    this.places[place] = { kind, process }
    this.trace(`${process.name} starts`)
    this.database.lockFor(process)
    this.current = process
    if (kind === 'worker') this.jobs.startWorker(process)
    return process
  }

  /** Ends a process; its last calls may still take effect. */
  kill(process: Process, reason: 'crashes' | 'stops'): void {
    if (!process.isAlive) return
    process.isAlive = false
    this.count(reason)
    this.trace(`${process.name} ${reason}`)
    for (const call of process.inFlight) {
      call.isDone = true
      if (
        call.isDecided ||
        call.faults === 'none' ||
        call.faults === 'statement' ||
        !this.random.isLikely(0.5)
      )
        continue
      if (this.isTraced) this.trace(`a last call of ${process.name} takes effect: ${call.name}`)
      takeEffect(call)
    }
    this.mails.allowResend(process)
    this.database.disconnect(process)
    const place = this.places.findIndex((found) => found.process === process)
    if (place < 0) return
    this.places[place] = { kind: process.kind, process: null }
    this.schedule.add(this.random.between(0.1, 10) * SECOND, null, () => void this.start(place))
  }

  /** Does what SIGTERM does: jobs have some seconds to end, then they are aborted. */
  stop(process: Process): void {
    if (process.isStopping) return
    process.isStopping = true
    this.trace(`${process.name} gets SIGTERM`)
    this.jobs.stopWorker(process)
    this.schedule.add(15 * SECOND, process, () => this.kill(process, 'stops'))
  }

  #freeze(process: Process): void {
    const milliseconds = Math.round(this.random.between(1, 90) * SECOND)
    process.frozenUntil = this.now + milliseconds
    this.count('is frozen')
    this.trace(`${process.name} is frozen for ${(milliseconds / SECOND).toFixed(1)} s`)
    this.mails.allowResend(process)
    this.database.watchIdle(process)
  }

  /** Calls a server or the disk for a process. Never settles if the process dies before. */
  call<T>(
    owner: Process,
    name: string,
    effect: () => T | Promise<T>,
    { faults = 'none', isRemote = false, delayMilliseconds, connection, source }: CallOptions = {},
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const call: Call = {
        owner,
        name,
        effect: () => this.#mutation(name, effect, this.database),
        faults,
        isRemote,
        connection: connection ?? null,
        source: source ?? null,
        isDecided: false,
        isDone: false,
        settle: (error, result) => {
          if (call.isDone) return
          call.isDone = true
          owner.inFlight.delete(call)
          this.current = owner
          if (error === null) resolve(result as T)
          else reject(error as Error)
        },
      }
      if (!owner.isAlive) return
      owner.inFlight.add(call)
      this.schedule.add(delayMilliseconds ?? this.#latency(faults), isRemote ? null : owner, () =>
        this.#arrive(call),
      )
    })
  }

  #latency(faults: FaultKind): number {
    if (this.hasFaults && this.random.isLikely(this.faultPlan.slow))
      return this.random.between(20, faults === 'storage' ? 40_000 : 7_000) * this.random.next()
    return this.random.below(4)
  }

  #arrive(call: Call): void {
    const { owner } = call
    if (call.isDone || !owner.isAlive) return
    if (this.hasFaults) {
      if (this.random.isLikely(this.faultPlan.crash)) return this.kill(owner, 'crashes')
      if (owner.frozenUntil <= this.now && this.random.isLikely(this.faultPlan.freeze)) this.#freeze(owner)
    }
    if (!call.isRemote && owner.frozenUntil > this.now) {
      this.schedule.add(owner.frozenUntil - this.now, owner, () => this.#arrive(call))
      return
    }
    const failure = this.hasFaults ? failureOf(call, this) : null
    if (failure === null) return this.perform(call)
    this.count(`${call.faults} fails`)
    if (call.source !== null) this.failures.set(call.source, (this.failures.get(call.source) ?? 0) + 1)
    const when = failure.isAfter ? ' after its effect' : ''
    if (this.isTraced) this.trace(`${owner.name} ${call.name} fails${when}: ${failure.error.message}`)
    if (failure.isAfter) takeEffect(call)
    failure.also?.()
    this.respond(call, failure.error)
  }

  /** Runs the effect of a call, or lets the call wait for a lock. */
  perform(call: Call): void {
    let result: unknown
    try {
      result = call.effect()
    } catch (error) {
      return this.#failed(call, error)
    }
    if (result instanceof Promise)
      result.then(
        (value) => this.#done(call, value),
        (error: unknown) => this.#failed(call, error),
      )
    else this.#done(call, result)
  }

  #done(call: Call, result: unknown): void {
    if (this.isTraced) this.trace(`${call.owner.name} ${call.name}`)
    this.database.endWait(call)
    this.respond(call, null, result)
  }

  #failed(call: Call, error: unknown): void {
    if (error instanceof Blocked) return this.database.wait(call, error)
    this.reportIfBug(error)
    if (this.isTraced) this.trace(`${call.owner.name} ${call.name} fails: ${String(error)}`)
    this.database.endWait(call)
    this.respond(call, error)
  }

  /** A frozen process gets the response when it is resumed. */
  respond(call: Call, error: unknown, result?: unknown): void {
    const { owner } = call
    call.isDecided = true
    if (owner.frozenUntil <= this.now) call.settle(error, result)
    else this.schedule.add(owner.frozenUntil - this.now, owner, () => call.settle(error, result))
  }
}
