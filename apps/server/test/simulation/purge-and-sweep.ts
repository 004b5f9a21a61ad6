import { checkClock } from '#platform/database/marks.ts'
import { expireStorageErrors } from '#submissions/expire-storage-errors.ts'
import { sweepStorage } from '#submissions/sweep-storage.ts'
import type { Clients } from '#simulation/clients.ts'
import { createProcess } from '#simulation/create-process.ts'
import { submissionsOf } from '#simulation/invariants.ts'
import { runUntil } from '#simulation/run-until.ts'
import { settle } from '#simulation/settle.ts'
import type { Simulation } from '#simulation/simulation.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** The share of the simulations that go on to the purge after 90 days. */
const PURGE_SHARE = 0.02

/** Runs the sweep. In some simulations first the purge after 90 days, with faults and Retry meanwhile. */
export async function purgeAndSweep(simulation: Simulation, clients: Clients): Promise<void> {
  endAll(simulation)
  const operator = createProcess(simulation, 'worker', 0)
  const wait = async (length: number) => {
    const until = simulation.now + length
    simulation.schedule.add(length, null, () => {})
    await runUntil(simulation, () => simulation.now >= until)
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
    await runUntil(simulation, () => isDone)
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
    await purgeUnderFaults(simulation, clients)
    await run(() => expireStorageErrors(operator.deps))
    for (const { id, status } of submissionsOf(simulation))
      if (status === 5) simulation.violate(`submission ${id} was not purged`)
    await settle(simulation)
    endAll(simulation)
  }
  // Workers do this every few seconds. A clock jump delays the sweep from the time when it is noticed.
  await run(() => checkClock(operator.deps.db))
  await passTime(hasJumped ? 25 * HOUR + 65 * MINUTE : 65 * MINUTE)
  await run(() => sweepStorage(operator.deps))
}

async function purgeUnderFaults(simulation: Simulation, clients: Clients): Promise<void> {
  for (const place of simulation.places.keys()) simulation.start(place)
  simulation.hasFaults = true
  const begin = simulation.now
  for (let attempt = 0; attempt < 4; attempt++) {
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
  await runUntil(simulation, () => simulation.now > begin + 40 * SECOND)
  simulation.hasFaults = false
  for (const { process } of simulation.places) if (process !== null) process.frozenUntil = 0
  await settle(simulation)
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
