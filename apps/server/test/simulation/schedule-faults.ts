import { FAULT_PERIOD, type Simulation } from '#simulation/simulation.ts'

const DAY = 86_400_000

/** Schedules the outages, stops and clock jumps of the fault plan, and the end of all faults. */
export function scheduleFaults(simulation: Simulation): void {
  const { schedule, faultPlan, down, random, disk, database } = simulation
  for (const { outage, from, to } of faultPlan.outages) {
    schedule.add(from, null, () => {
      simulation.trace(`${outage}: begins`)
      simulation.count(outage)
      down.add(outage)
      if (outage === 'storageAway') disk.isMounted = false
      if (outage === 'database') database.goDown()
    })
    schedule.add(to, null, () => {
      simulation.trace(`${outage}: ends`)
      down.delete(outage)
      if (outage === 'storageAway') disk.isMounted = true
      if (outage === 'database') database.comeBack()
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
