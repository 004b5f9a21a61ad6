import { parseArgs } from 'node:util'
import { type SimulationResult, runSimulation, virtualTime } from '#simulation/run-simulation.ts'
import { type Mutation, mutations } from '#simulation/mutations.ts'
import { Postgres } from '#simulation/postgres.ts'
import { livesOf, settings } from '#simulation/settings.ts'
import { installVirtualTime } from '#simulation/virtual-time.ts'

/** A report of a process about its simulations, printed as a line of JSON. */
export type ShardReport = {
  simulations: number
  digest: number
  violations: { life: number; text: string }[]
  counts: Record<string, number>
  statuses: number[]
}

/** How many simulations one report covers. */
const SIMULATIONS_PER_REPORT = 10

// Runs every simulation of a shard, or one simulation with a trace. This is a program of its own because it
// replaces the clock of the whole process.
const { values } = parseArgs({
  options: {
    database: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '0' },
    simulations: { type: 'string', default: '0' },
    shard: { type: 'string', default: '0' },
    shards: { type: 'string', default: '1' },
    simulation: { type: 'string' },
    mutation: { type: 'string' },
  },
})
const [seed, lives, simulations, shard, shards] = [
  values.seed,
  values.lives,
  values.simulations,
  values.shard,
  values.shards,
].map(Number) as [number, number, number, number, number]
const mutation = values.mutation === undefined ? {} : { mutation: mutations[values.mutation] as Mutation }
const postgres = await Postgres.open(values.database)
const all = { ...settings, ...mutation, postgres }
installVirtualTime(() => virtualTime)
if (values.simulation === undefined) await runShard()
else await runTraced(Number(values.simulation))
await postgres.close()

async function runShard(): Promise<void> {
  let report = emptyReport()
  let count = 0
  for (let simulation = shard; simulation < simulations; simulation += shards) {
    add(report, simulation, await runSimulation(seed, simulation, livesOf(simulation, lives), all))
    if (++count % SIMULATIONS_PER_REPORT > 0) continue
    console.log(JSON.stringify(report))
    report = emptyReport()
  }
  console.log(JSON.stringify(report))
}

async function runTraced(simulation: number): Promise<void> {
  const trace = (line: string) => console.log(line)
  const { violations } = await runSimulation(seed, simulation, livesOf(simulation, lives), { ...all, trace })
  console.log(`violations: ${violations.length}`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

function emptyReport(): ShardReport {
  return { simulations: 0, digest: 0, violations: [], counts: {}, statuses: [0, 0, 0, 0, 0, 0, 0] }
}

function add(
  report: ShardReport,
  simulation: number,
  { digest, violations, counts, statuses }: SimulationResult,
): void {
  report.simulations++
  report.digest = (report.digest + digest) >>> 0
  const life = livesOf(simulation)[0] ?? 0
  report.violations.push(...violations.map((text) => ({ life, text })))
  for (const [name, count] of Object.entries(counts)) report.counts[name] = (report.counts[name] ?? 0) + count
  for (const [status, count] of statuses.entries())
    report.statuses[status] = (report.statuses[status] ?? 0) + count
}
