import { Clients } from '#simulation/clients.ts'
import { CommitObserver } from '#simulation/commit-observer.ts'
import { checkInvariants, mailsOf, submissionsOf } from '#simulation/invariants.ts'
import { purgeAndSweep } from '#simulation/purge-and-sweep.ts'
import { runUntil } from '#simulation/run-until.ts'
import { scheduleFaults } from '#simulation/schedule-faults.ts'
import { retryAll, settle } from '#simulation/settle.ts'
import { mixText, type Settings, Simulation } from '#simulation/simulation.ts'
import type { VirtualTime } from '#simulation/virtual-time.ts'

/** Functions that are called after each event, and before the invariants are checked. */
type Watcher = { afterEvent(): Promise<void>; end(): Promise<void> }

export type SimulationResult = {
  violations: readonly string[]
  digest: number
  counts: Readonly<Record<string, number>>
  /** The number of submissions in each status. */
  statuses: readonly number[]
}

/** The simulation that this process runs at the moment. */
let active: Simulation | null = null

export const virtualTime: VirtualTime = {
  dateNow: () => active?.now ?? 0,
  performanceNow: () => (active?.seconds ?? 0) * 1000,
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
 * Simulates the lives of some submissions: a time with faults, the time until all are settled, and the sweep.
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
