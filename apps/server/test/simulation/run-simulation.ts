import { Clients } from '#simulation/clients.ts'
import { CommitObserver } from '#simulation/commit-observer.ts'
import { checkInvariants, submissionsOf } from '#simulation/invariants.ts'
import { purgeAndSweep } from '#simulation/purge-and-sweep.ts'
import { runUntil } from '#simulation/run-until.ts'
import { scheduleFaults } from '#simulation/schedule-faults.ts'
import { retryAll, settle } from '#simulation/settle.ts'
import { mixText } from '#simulation/random-stream.ts'
import { type Settings, Simulation } from '#simulation/simulation.ts'
import type { VirtualTime } from '#simulation/virtual-time.ts'

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
): Promise<SimulationResult> {
  const simulation = new Simulation(seed, number, settings)
  await settings.postgres.reset(simulation.now)
  active = simulation
  const observer = new CommitObserver(simulation)
  const clients = new Clients(simulation)
  for (const kind of ['web', 'web', 'worker', 'worker'] as const)
    simulation.places.push({ kind, process: null })
  for (const place of simulation.places.keys()) simulation.start(place)
  for (const life of lives) clients.begin(life)
  scheduleFaults(simulation)
  await runUntil(simulation, () => !simulation.hasFaults)
  await settle(simulation)
  await retryAll(simulation, clients)
  simulation.hasFaults = false
  await purgeAndSweep(simulation, clients)
  await checkInvariants({ simulation, observer, clients })
  active = null
  return resultOf(simulation, observer)
}

/** The digest is that of what people see: the moves of each file, the e-mails, and the violations. */
function resultOf(simulation: Simulation, observer: CommitObserver): SimulationResult {
  const rows = submissionsOf(simulation)
  const files = rows.map(({ id, fileName, errorType, recordsCount }) => {
    const moves = observer.moves.filter((move) => move.id === id).map(({ to }) => to)
    return [fileName, errorType, recordsCount, moves]
  })
  const mails = simulation.mails.delivered.map(({ recipient, subject }) => [recipient, subject])
  const digest = mixText(0, JSON.stringify([files, mails, simulation.violations]))
  const statuses = [0, 0, 0, 0, 0, 0, 0]
  for (const { status } of rows) statuses[status] = (statuses[status] ?? 0) + 1
  return { violations: simulation.violations, digest, counts: simulation.counts, statuses }
}
