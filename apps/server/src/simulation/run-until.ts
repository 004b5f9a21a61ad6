import type { Simulation } from '#simulation/simulation.ts'

/**
 * Runs the events of a simulation until `isOver`, or until none is left. Calls `afterEvent` after each event.
 */
export async function runUntil(
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
