import { checkClock } from '#repositories/marks.ts'
import { expireStorageErrors } from '#services/submissions/expire-storage-errors.ts'
import { sweepStorage } from '#services/submissions/sweep-storage.ts'
import { Clients } from '#simulation/clients.ts'
import {
  areMailsDone,
  checkInvariants,
  isAllSettled,
  submissionsOf,
  mailsOf,
} from '#simulation/invariants.ts'
import { CommitObserver } from '#simulation/commit-observer.ts'
import { createProcess } from '#simulation/create-process.ts'
import { LATE_COMMIT_MILLISECONDS } from '#simulation/database-server.ts'
import type { ProcessKind } from '#simulation/process.ts'
import type { VirtualTime } from '#simulation/virtual-time.ts'
import { mixText, FAULT_PERIOD, type Settings, Simulation } from '#simulation/simulation.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The limit of I3, from the end of the faults. */
const SETTLED_WITHIN = 120 * SECOND
const MAILED_WITHIN = 8 * MINUTE
/** The share of the simulations that go on to the purge after 90 days. */
const PURGE_SHARE = 0.02

/** Called after each event, and before the end. */
type Watcher = { afterEvent(): Promise<void>; end(): Promise<void> }

export type SimulationResult = {
  violations: readonly string[]
  digest: number
  counts: Readonly<Record<string, number>>
  /** Rows of every status. */
  statuses: readonly number[]
}

/** The simulation that this process runs at the moment. */
let active: Simulation | null = null

export const virtualTime: VirtualTime = {
  dateNow: () => active?.now ?? 0,
  performanceNow: () => (active?.seconds ?? 0) * SECOND,
  random: () => active?.random.next() ?? 0,
  startTimer(run, milliseconds, isRepeated) {
    const simulation = active
    if (simulation === null) return () => {}
    const owner = simulation.current
    let isStopped = false
    const fire = () => {
      if (isStopped) return
      simulation.current = owner
      if (isRepeated) simulation.schedule.add(milliseconds, owner, fire)
      run()
    }
    simulation.schedule.add(milliseconds, owner, fire)
    return () => void (isStopped = true)
  },
}

/**
 * Runs the lives of some submissions: a time with faults, the time until all are settled, and the sweep.
 * Needs `installVirtualTime(() => virtualTime)`.
 */
export async function runSimulation(
  seed: number,
  number: number,
  lives: readonly number[],
  settings: Settings,
  watch: (simulation: Simulation) => Promise<Watcher> = async () => ({
    afterEvent: async () => {},
    end: async () => {},
  }),
): Promise<SimulationResult> {
  const simulation = new Simulation(seed, number, settings)
  active = simulation
  const observer = new CommitObserver(simulation)
  const clients = new Clients(simulation)
  const { afterEvent, end } = await watch(simulation)
  for (const kind of ['web', 'web', 'worker', 'worker'] as const)
    simulation.places.push({ kind, process: null })
  for (const place of simulation.places.keys()) simulation.start(place)
  for (const life of lives) clients.begin(life)
  scheduleFaults(simulation)
  await runUntil(simulation, afterEvent, () => !simulation.hasFaults)
  await settle(simulation, afterEvent)
  await retryAll(simulation, clients, afterEvent)
  simulation.hasFaults = false
  await purgeAndSweep(simulation, clients, afterEvent)
  await end()
  checkInvariants({ simulation, observer, clients })
  active = null
  return resultOf(simulation)
}

async function runUntil(
  simulation: Simulation,
  afterEvent: () => Promise<void>,
  isOver: () => boolean,
): Promise<void> {
  // A call that was just made adds its first event in a promise.
  await new Promise(setImmediate)
  while (!isOver()) {
    const event = simulation.schedule.next()
    if (event === undefined) return
    const { owner } = event
    if (owner?.isAlive === false) continue
    if (owner !== null && owner.frozenUntil > simulation.now) {
      simulation.schedule.add(owner.frozenUntil - simulation.now, owner, event.run)
      continue
    }
    simulation.current = owner
    event.run()
    // Runs all that the event has caused in promises.
    await new Promise(setImmediate)
    await afterEvent()
  }
}

function scheduleFaults(simulation: Simulation): void {
  const { schedule, faultPlan, down, random, disk, database } = simulation
  for (const { of, from, to } of faultPlan.outages) {
    schedule.add(from, null, () => {
      simulation.trace(`${of}: begins`)
      simulation.count(of)
      down.add(of)
      if (of === 'storageAway') disk.isMounted = false
      if (of === 'database') database.goDown()
    })
    schedule.add(to, null, () => {
      simulation.trace(`${of}: ends`)
      down.delete(of)
      if (of === 'storageAway') disk.isMounted = true
      if (of === 'database') database.comeBack()
    })
  }
  for (const at of faultPlan.stops)
    schedule.add(at, null, () => {
      const { process } = random.oneOf(simulation.places)
      if (process !== null) simulation.stop(process)
    })
  for (const { at, by } of faultPlan.clockJumps)
    schedule.add(at, null, () => {
      simulation.trace(`the database's clock jumps by ${(by / DAY).toFixed(2)} days`)
      simulation.count('clock jump')
      database.clockOffset += Math.round(by)
    })
  schedule.add(FAULT_PERIOD, null, () => {
    simulation.trace('everything is healthy again')
    simulation.hasFaults = false
    for (const { process } of simulation.places) if (process !== null) process.frozenUntil = 0
    database.comeBack()
  })
}

/** Runs until all submissions are settled (I3 if they are not in time) and all e-mails are sent. */
async function settle(simulation: Simulation, afterEvent: () => Promise<void>): Promise<void> {
  const healthy = simulation.now
  // What is still being uploaded, or committed late, becomes a submission.
  const isUploaded = () => simulation.now > healthy + LATE_COMMIT_MILLISECONDS && isIdle(simulation, 'web')
  await runUntil(simulation, afterEvent, () => simulation.now > healthy + SETTLED_WITHIN || isUploaded())
  const begin = simulation.now
  const isOver = () => isIdle(simulation, 'web') && isAllSettled(simulation)
  await runUntil(simulation, afterEvent, () => simulation.now > begin + SETTLED_WITHIN || isOver())
  if (!isAllSettled(simulation))
    for (const { id, status } of submissionsOf(simulation))
      if ([0, 1, 3].includes(status)) simulation.violate(`I3: submission ${id} is still ${status}`)
  // The end of a run deletes the source after the last move.
  const isQuiet = () => areMailsDone(simulation) && isIdle(simulation, 'worker')
  await runUntil(simulation, afterEvent, () => simulation.now > begin + MAILED_WITHIN || isQuiet())
}

const isIdle = (simulation: Simulation, wanted: ProcessKind): boolean =>
  simulation.places.every(
    ({ kind, process }) =>
      kind !== wanted || (process !== null && process.runningJobs === 0 && process.inFlight.size === 0),
  )

/** In half of the simulations, clicks Retry for every storage error: a healthy system stores these files. */
async function retryAll(
  simulation: Simulation,
  clients: Clients,
  afterEvent: () => Promise<void>,
): Promise<void> {
  const failed = submissionsOf(simulation).filter(({ status }) => status === 5)
  const isLeft = simulation.random.isLikely(0.5)
  if (failed.length === 0 || isLeft) return
  const begin = simulation.now
  for (const { id } of failed) clients.retry(id)
  const isOver = () =>
    failed.every(({ id }) => submissionsOf(simulation).find((row) => row.id === id)?.status === 4)
  await runUntil(simulation, afterEvent, () => simulation.now > begin + SETTLED_WITHIN || isOver())
  if (!isOver()) simulation.violate(`I3: Retry of ${failed.map(({ id }) => id).join(', ')} did not end in 4`)
  await settle(simulation, afterEvent)
}

/** Runs the sweep; in some simulations first the purge after 90 days, with faults and Retry meanwhile. */
async function purgeAndSweep(
  simulation: Simulation,
  clients: Clients,
  afterEvent: () => Promise<void>,
): Promise<void> {
  endAll(simulation)
  const operator = createProcess(simulation, 'worker', 0)
  const wait = async (length: number) => {
    const until = simulation.now + length
    simulation.schedule.add(length, null, () => {})
    await runUntil(simulation, afterEvent, () => simulation.now >= until)
  }
  const run = async (work: () => Promise<unknown>) => {
    let isDone = false
    simulation.current = operator
    work().then(
      () => (isDone = true),
      (error: unknown) => {
        simulation.violate(`the operator's work failed: ${String(error)}`)
        isDone = true
      },
    )
    await runUntil(simulation, afterEvent, () => isDone)
  }
  const passTime = async (length: number) => {
    for (let left = length; left > 0; left -= 23 * HOUR) {
      await wait(Math.min(left, 23 * HOUR))
      await run(() => checkClock(operator.deps.db))
    }
  }
  const hasJumped = simulation.faultPlan.clockJumps.length > 0
  if (!hasJumped && simulation.random.isLikely(PURGE_SHARE)) {
    simulation.trace('90 days later')
    await passTime(84 * DAY)
    await run(() => expireStorageErrors(operator.deps))
    await passTime(6 * DAY)
    await purgeUnderFaults(simulation, clients, afterEvent)
    await run(() => expireStorageErrors(operator.deps))
    for (const { id, status } of submissionsOf(simulation))
      if (status === 5) simulation.violate(`submission ${id} was not purged`)
    await settle(simulation, afterEvent)
    endAll(simulation)
  }
  // As workers do every few seconds: a clock jump delays the sweep from the time when it is noticed.
  await run(() => checkClock(operator.deps.db))
  await passTime(hasJumped ? 25 * HOUR + 65 * MINUTE : 65 * MINUTE)
  await run(() => sweepStorage(operator.deps))
}

async function purgeUnderFaults(
  simulation: Simulation,
  clients: Clients,
  afterEvent: () => Promise<void>,
): Promise<void> {
  for (const place of simulation.places.keys()) simulation.start(place)
  simulation.hasFaults = true
  const begin = simulation.now
  for (let time = 0; time < 4; time++) {
    simulation.schedule.add(simulation.random.between(0, 20) * SECOND, null, () => {
      const worker = simulation.places.find(
        ({ kind, process }) => kind === 'worker' && process !== null,
      )?.process
      if (worker === undefined || worker === null) return
      simulation.current = worker
      expireStorageErrors(worker.deps).catch((error: unknown) => simulation.reportIfBug(error))
    })
    simulation.schedule.add(simulation.random.between(0, 20) * SECOND, null, () => clients.retryOne())
  }
  await runUntil(simulation, afterEvent, () => simulation.now > begin + 40 * SECOND)
  simulation.hasFaults = false
  for (const { process } of simulation.places) if (process !== null) process.frozenUntil = 0
  await settle(simulation, afterEvent)
}

/** Ends all processes; none of their calls takes effect. */
function endAll(simulation: Simulation): void {
  for (const [index, { kind, process }] of simulation.places.entries()) {
    simulation.places[index] = { kind, process: null }
    if (process === null) continue
    process.isAlive = false
    simulation.database.disconnect(process)
  }
}

function resultOf(simulation: Simulation): SimulationResult {
  const rows = submissionsOf(simulation)
  const all = [rows, mailsOf(simulation), simulation.database.model.tables.submissionMoves.committedRows()]
  const digest = mixText(
    simulation.digest,
    JSON.stringify([all, [...simulation.disk.files.keys()], simulation.violations]),
  )
  const statuses = [0, 0, 0, 0, 0, 0, 0]
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1
  return { violations: simulation.violations, digest, counts: simulation.counts, statuses }
}
