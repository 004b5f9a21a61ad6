import type { Clients } from '#simulation/clients.ts'
import { LATE_COMMIT_MILLISECONDS } from '#simulation/database-server.ts'
import { areMailsDone, isAllSettled, submissionsOf } from '#simulation/invariants.ts'
import type { ProcessKind } from '#simulation/process.ts'
import { runUntil } from '#simulation/run-until.ts'
import type { Simulation } from '#simulation/simulation.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
/** The limit of I3, from the end of the faults. */
const SETTLED_WITHIN = 120 * SECOND
const MAILED_WITHIN = 8 * MINUTE

/** Runs until all submissions are settled and all e-mails are sent. Reports I3 if they are not in time. */
export async function settle(simulation: Simulation): Promise<void> {
  const healthySince = simulation.now
  // Uploads that are still running, and late commits, become submissions first.
  const isUploaded = () =>
    simulation.now > healthySince + LATE_COMMIT_MILLISECONDS && isIdle(simulation, 'web')
  await runUntil(simulation, () => simulation.now > healthySince + SETTLED_WITHIN || isUploaded())
  const begin = simulation.now
  const isOver = () => isIdle(simulation, 'web') && isAllSettled(simulation)
  await runUntil(simulation, () => simulation.now > begin + SETTLED_WITHIN || isOver())
  if (!isAllSettled(simulation))
    for (const { id, status } of submissionsOf(simulation))
      if ([0, 1, 3].includes(status)) simulation.violate(`I3: submission ${id} is still ${status}`)
  // A run deletes the source after its last move.
  const isQuiet = () => areMailsDone(simulation) && isIdle(simulation, 'worker')
  await runUntil(simulation, () => simulation.now > begin + MAILED_WITHIN || isQuiet())
}

const isIdle = (simulation: Simulation, wantedKind: ProcessKind): boolean =>
  simulation.places.every(
    ({ kind, process }) =>
      kind !== wantedKind || (process !== null && process.runningJobs === 0 && process.inFlight.size === 0),
  )

/** In half of the simulations, clicks Retry for every storage error: a healthy system stores these files. */
export async function retryAll(simulation: Simulation, clients: Clients): Promise<void> {
  const failed = submissionsOf(simulation).filter(({ status }) => status === 5)
  const isSkipped = simulation.random.isLikely(0.5)
  if (failed.length === 0 || isSkipped) return
  const begin = simulation.now
  for (const { id } of failed) clients.retry(id)
  const isOver = () =>
    failed.every(({ id }) => submissionsOf(simulation).find((row) => row.id === id)?.status === 4)
  await runUntil(simulation, () => simulation.now > begin + SETTLED_WITHIN || isOver())
  if (!isOver()) simulation.violate(`I3: Retry of ${failed.map(({ id }) => id).join(', ')} did not end in 4`)
  await settle(simulation)
}
