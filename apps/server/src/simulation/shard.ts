import { parseArgs } from 'node:util'
import { type Ending, runWorld, virtualTime } from '#simulation/run-world.ts'
import { type Sabotage, sabotages } from '#simulation/sabotage.ts'
import { livesOf, surroundings } from '#simulation/surroundings.ts'
import { installVirtualTime } from '#simulation/virtual-time.ts'

/** What a process reports of its worlds, as a line of JSON. */
export type ShardReport = {
  worlds: number
  digest: number
  violations: { life: number; text: string }[]
  counts: Record<string, number>
  statuses: number[]
}

/** Worlds between two reports. */
const REPORTED = 100

// Runs every world of a shard, or one world with a trace. A program of its own, because it replaces the clock
// of the whole process.
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    lives: { type: 'string', default: '0' },
    worlds: { type: 'string', default: '0' },
    shard: { type: 'string', default: '0' },
    shards: { type: 'string', default: '1' },
    world: { type: 'string' },
    sabotage: { type: 'string' },
  },
})
const [seed, lives, worlds, shard, shards] = [
  values.seed,
  values.lives,
  values.worlds,
  values.shard,
  values.shards,
].map(Number) as [number, number, number, number, number]
const sabotage = values.sabotage === undefined ? {} : { sabotage: sabotages[values.sabotage] as Sabotage }
installVirtualTime(() => virtualTime)
if (values.world === undefined) await runShard()
else await runTraced(Number(values.world))

async function runShard(): Promise<void> {
  let report = emptyReport()
  let count = 0
  for (let world = shard; world < worlds; world += shards) {
    add(report, world, await runWorld(seed, world, livesOf(world, lives), { ...surroundings, ...sabotage }))
    if (++count % REPORTED > 0) continue
    console.log(JSON.stringify(report))
    report = emptyReport()
  }
  console.log(JSON.stringify(report))
}

async function runTraced(world: number): Promise<void> {
  const trace = (line: string) => console.log(line)
  const { violations } = await runWorld(seed, world, livesOf(world, lives), {
    ...surroundings,
    ...sabotage,
    trace,
  })
  console.log(`violations: ${violations.length}`)
  process.exitCode = violations.length === 0 ? 0 : 1
}

function emptyReport(): ShardReport {
  return { worlds: 0, digest: 0, violations: [], counts: {}, statuses: [0, 0, 0, 0, 0, 0, 0] }
}

function add(report: ShardReport, world: number, { digest, violations, counts, statuses }: Ending): void {
  report.worlds++
  report.digest = (report.digest + digest) >>> 0
  const life = livesOf(world)[0] ?? 0
  report.violations.push(...violations.map((text) => ({ life, text })))
  for (const [name, count] of Object.entries(counts)) report.counts[name] = (report.counts[name] ?? 0) + count
  for (const [status, count] of statuses.entries())
    report.statuses[status] = (report.statuses[status] ?? 0) + count
}
