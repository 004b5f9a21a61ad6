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
import { Ledger } from '#simulation/ledger.ts'
import { createProcess } from '#simulation/create-process.ts'
import type { ProcessKind } from '#simulation/process.ts'
import type { VirtualTime } from '#simulation/virtual-time.ts'
import { mixText, STORM, type Surroundings, World } from '#simulation/world.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** I3, and the end of a storm. */
const SETTLED_WITHIN = 120 * SECOND
const MAILED_WITHIN = 8 * MINUTE
/** The share of the worlds that go on to the purge after 90 days. */
const PURGE_SHARE = 0.02

/** What also happens after each event, and before the end. */
type Watcher = { afterEvent(): Promise<void>; end(): Promise<void> }

export type Ending = {
  violations: readonly string[]
  digest: number
  counts: Readonly<Record<string, number>>
  /** Rows of every status. */
  statuses: readonly number[]
}

/** The world whose code runs in this process. */
let present: World | null = null

export const virtualTime: VirtualTime = {
  dateNow: () => present?.now ?? 0,
  performanceNow: () => (present?.seconds ?? 0) * SECOND,
  random: () => present?.random.next() ?? 0,
  startTimer(run, milliseconds, isRepeated) {
    const world = present
    if (world === null) return () => {}
    const owner = world.current
    let isStopped = false
    const fire = () => {
      if (isStopped) return
      world.current = owner
      if (isRepeated) world.schedule.add(milliseconds, owner, fire)
      run()
    }
    world.schedule.add(milliseconds, owner, fire)
    return () => void (isStopped = true)
  },
}

/**
 * Runs the lives of some submissions: a time with faults, the time until all are settled, and the sweep.
 * Needs `installVirtualTime(() => virtualTime)`.
 */
export async function runWorld(
  seed: number,
  number: number,
  lives: readonly number[],
  surroundings: Surroundings,
  watch: (world: World) => Promise<Watcher> = async () => ({
    afterEvent: async () => {},
    end: async () => {},
  }),
): Promise<Ending> {
  const world = new World(seed, number, surroundings)
  present = world
  const ledger = new Ledger(world)
  const clients = new Clients(world)
  const { afterEvent, end } = await watch(world)
  for (const kind of ['web', 'web', 'worker', 'worker'] as const) world.places.push({ kind, process: null })
  for (const place of world.places.keys()) world.start(place)
  for (const life of lives) clients.begin(life)
  scheduleWeather(world)
  await runUntil(world, afterEvent, () => !world.isStormy)
  await settle(world, afterEvent)
  await retryAll(world, clients, afterEvent)
  world.isStormy = false
  await later(world, clients, afterEvent)
  await end()
  checkInvariants({ world, ledger, clients })
  present = null
  return endingOf(world)
}

async function runUntil(world: World, afterEvent: () => Promise<void>, isOver: () => boolean): Promise<void> {
  // What was called just now adds its first event in a promise.
  await new Promise(setImmediate)
  while (!isOver()) {
    const event = world.schedule.next()
    if (event === undefined) return
    const { owner } = event
    if (owner?.isAlive === false) continue
    if (owner !== null && owner.frozenUntil > world.now) {
      world.schedule.add(owner.frozenUntil - world.now, owner, event.run)
      continue
    }
    world.current = owner
    event.run()
    // Runs all that the event has caused in promises.
    await new Promise(setImmediate)
    await afterEvent()
  }
}

function scheduleWeather(world: World): void {
  const { schedule, weather, down, random, disk, database } = world
  for (const { of, from, to } of weather.outages) {
    schedule.add(from, null, () => {
      world.trace(`${of}: begins`)
      world.count(of)
      down.add(of)
      if (of === 'storageAway') disk.isMounted = false
      if (of === 'database') database.goDown()
    })
    schedule.add(to, null, () => {
      world.trace(`${of}: ends`)
      down.delete(of)
      if (of === 'storageAway') disk.isMounted = true
      if (of === 'database') database.comeBack()
    })
  }
  for (const at of weather.stops)
    schedule.add(at, null, () => {
      const { process } = random.pick(world.places)
      if (process !== null) world.stop(process)
    })
  for (const { at, by } of weather.clockJumps)
    schedule.add(at, null, () => {
      world.trace(`the database's clock jumps by ${(by / DAY).toFixed(2)} days`)
      world.count('clock jump')
      database.clockOffset += Math.round(by)
    })
  schedule.add(STORM, null, () => {
    world.trace('everything is healthy again')
    world.isStormy = false
    for (const { process } of world.places) if (process !== null) process.frozenUntil = 0
    database.comeBack()
  })
}

/** I3, and the e-mails. */
async function settle(world: World, afterEvent: () => Promise<void>): Promise<void> {
  const begin = world.now
  // What is still being uploaded becomes a submission.
  const isOver = () => isIdle(world, 'web') && isAllSettled(world)
  await runUntil(world, afterEvent, () => world.now > begin + SETTLED_WITHIN || isOver())
  if (!isAllSettled(world))
    for (const { id, status } of submissionsOf(world))
      if ([0, 1, 3].includes(status)) world.violate(`I3: submission ${id} is still ${status}`)
  // The end of a run deletes the source after the last move.
  const isQuiet = () => areMailsDone(world) && isIdle(world, 'worker')
  await runUntil(world, afterEvent, () => world.now > begin + MAILED_WITHIN || isQuiet())
}

const isIdle = (world: World, wanted: ProcessKind): boolean =>
  world.places.every(
    ({ kind, process }) =>
      kind !== wanted || (process !== null && process.running === 0 && process.inFlight.size === 0),
  )

/** On a healthy system Retry stores every file. */
async function retryAll(world: World, clients: Clients, afterEvent: () => Promise<void>): Promise<void> {
  const failed = submissionsOf(world).filter(({ status }) => status === 5)
  const isKept = world.random.chance(0.5)
  if (failed.length === 0 || isKept) return
  const begin = world.now
  for (const { id } of failed) clients.retry(id)
  const isOver = () =>
    failed.every(({ id }) => submissionsOf(world).find((row) => row.id === id)?.status === 4)
  await runUntil(world, afterEvent, () => world.now > begin + SETTLED_WITHIN || isOver())
  if (!isOver()) world.violate(`I3: Retry of ${failed.map(({ id }) => id).join(', ')} did not end in 4`)
  await settle(world, afterEvent)
}

/** The hourly sweep; in some worlds also the purge after 90 days, with faults and Retry at the same time. */
async function later(world: World, clients: Clients, afterEvent: () => Promise<void>): Promise<void> {
  endAll(world)
  const operator = createProcess(world, 'worker', 0)
  const wait = async (length: number) => {
    const until = world.now + length
    world.schedule.add(length, null, () => {})
    await runUntil(world, afterEvent, () => world.now >= until)
  }
  const run = async (work: () => Promise<unknown>) => {
    let isDone = false
    world.current = operator
    work().then(
      () => (isDone = true),
      (error: unknown) => {
        world.violate(`the operator's work failed: ${String(error)}`)
        isDone = true
      },
    )
    await runUntil(world, afterEvent, () => isDone)
  }
  const skip = async (length: number) => {
    for (let left = length; left > 0; left -= 23 * HOUR) {
      await wait(Math.min(left, 23 * HOUR))
      await run(() => checkClock(operator.deps.db))
    }
  }
  const hasJumped = world.weather.clockJumps.length > 0
  if (!hasJumped && world.random.chance(PURGE_SHARE)) {
    world.trace('90 days later')
    await skip(84 * DAY)
    await run(() => expireStorageErrors(operator.deps))
    await skip(6 * DAY)
    await purgeInStorm(world, clients, afterEvent)
    await run(() => expireStorageErrors(operator.deps))
    for (const { id, status } of submissionsOf(world))
      if (status === 5) world.violate(`submission ${id} was not purged`)
    await settle(world, afterEvent)
    endAll(world)
  }
  await skip(hasJumped ? 25 * HOUR + 65 * MINUTE : 65 * MINUTE)
  await run(() => sweepStorage(operator.deps))
}

async function purgeInStorm(world: World, clients: Clients, afterEvent: () => Promise<void>): Promise<void> {
  for (const place of world.places.keys()) world.start(place)
  world.isStormy = true
  const begin = world.now
  for (let time = 0; time < 4; time++) {
    world.schedule.add(world.random.between(0, 20) * SECOND, null, () => {
      const worker = world.places.find(({ kind, process }) => kind === 'worker' && process !== null)?.process
      if (worker === undefined || worker === null) return
      world.current = worker
      expireStorageErrors(worker.deps).catch((error: unknown) => world.noticeBug(error))
    })
    world.schedule.add(world.random.between(0, 20) * SECOND, null, () => clients.retryOne())
  }
  await runUntil(world, afterEvent, () => world.now > begin + 40 * SECOND)
  world.isStormy = false
  for (const { process } of world.places) if (process !== null) process.frozenUntil = 0
  await settle(world, afterEvent)
}

/** Without a trace: what runs is over. */
function endAll(world: World): void {
  for (const [index, { kind, process }] of world.places.entries()) {
    world.places[index] = { kind, process: null }
    if (process === null) continue
    process.isAlive = false
    world.database.disconnect(process)
  }
}

function endingOf(world: World): Ending {
  const rows = submissionsOf(world)
  const all = [rows, mailsOf(world), world.database.model.tables.submissionMoves.committedRows()]
  const digest = mixText(world.digest, JSON.stringify([all, [...world.disk.files.keys()], world.violations]))
  const statuses = [0, 0, 0, 0, 0, 0, 0]
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1
  return { violations: world.violations, digest, counts: world.counts, statuses }
}
