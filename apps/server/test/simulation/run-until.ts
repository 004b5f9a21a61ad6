import type { Simulation } from '#simulation/simulation.ts'

/** Runs the events of a simulation until `isOver`, or until none is left. */
export async function runUntil(simulation: Simulation, isOver: () => boolean): Promise<void> {
  await simulation.database.whenIdle()
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
    await simulation.database.whenIdle()
  }
}
