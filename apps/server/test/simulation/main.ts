// `npm run simulate -- --lives 10000 --seed 1`: simulates submissions under faults; docs/RELIABILITY.md.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import type { ShardReport } from '#simulation/shard.ts'
import { withPostgres } from '#simulation/with-postgres.ts'
import { LIVES_PER_SIMULATION } from '#simulation/settings.ts'

/**
 * `npm run simulate -- --lives 10000 --seed 1`: simulates submissions under faults. A life is one submission;
 * the same seed gives the same lives, also with another number of processes. `--life 4711` runs only the
 * simulation with this life and prints what happens. `--mutation` breaks an invariant on purpose.
 */
const { values } = parseArgs({
  options: {
    lives: { type: 'string', default: '10000' },
    seed: { type: 'string', default: '1' },
    processes: { type: 'string', default: String(Math.min(2, availableParallelism())) },
    life: { type: 'string' },
    mutation: { type: 'string' },
  },
})
const [lives, seed, processes] = ['lives', 'seed', 'processes'].map((name) =>
  numberOf(name, values[name as 'lives']),
) as [number, number, number]
/** The interval between two lines of progress on the error output. */
const PROGRESS_MILLISECONDS = 60_000
const begin = Date.now()
if (values.life === undefined) process.exitCode = (await runAll()) === 0 ? 0 : 1
else process.exitCode = await runOne(numberOf('life', values.life))

function numberOf(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  console.error(`--${name} must be a whole number, not ${text}.`)
  process.exit(2)
}

/** Runs every life. Returns the number of violations. */
async function runAll(): Promise<number> {
  const total: ShardReport = { simulations: 0, digest: 0, violations: [], counts: {}, statuses: [] }
  const simulations = Math.ceil(lives / LIVES_PER_SIMULATION)
  const progress = setInterval(() => {
    const seconds = Math.round((Date.now() - begin) / 1000)
    const done = total.simulations * LIVES_PER_SIMULATION
    console.error(`${done} lives after ${seconds} s, ${total.violations.length} violations`)
  }, PROGRESS_MILLISECONDS)
  await Promise.all(
    Array.from({ length: processes }, (_unused, shard) =>
      runShard(
        ['--simulations', String(simulations), '--shard', String(shard), '--shards', String(processes)],
        total,
      ),
    ),
  )
  clearInterval(progress)
  for (const { life, text } of total.violations.toSorted((a, b) => a.life - b.life).slice(0, 20)) {
    console.log(`violation: ${text}`)
    console.log(`  npm run simulate -- --lives ${lives} --seed ${seed} --life ${life}`)
  }
  const faults = Object.entries(total.counts).sort(([, a], [, b]) => b - a)
  console.log(`faults: ${faults.map(([name, count]) => `${name} ${count}`).join(', ')}`)
  console.log(`statuses: ${total.statuses.map((count, status) => `${status}: ${count}`).join(', ')}`)
  console.log(`time: ${((Date.now() - begin) / 1000).toFixed(1)} s`)
  console.log(`lives: ${lives}`)
  console.log(`violations: ${total.violations.length}`)
  console.log(`digest: ${total.digest.toString(16).padStart(8, '0')}`)
  return total.violations.length
}

function runOne(life: number): Promise<number> {
  const simulation = Math.floor(life / LIVES_PER_SIMULATION)
  return withPostgres((url) => startShard(url, ['--simulation', String(simulation)], 'inherit').ended)
}

/** Runs a part of the simulations in a process of its own, and adds its reports to `total`. */
function runShard(options: string[], total: ShardReport): Promise<void> {
  return withPostgres((url) => collectReports(startShard(url, options, 'pipe'), total))
}

async function collectReports(
  { child, ended }: ReturnType<typeof startShard>,
  total: ShardReport,
): Promise<void> {
  if (child.stdout === null) throw new Error('The process has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const { simulations, digest, violations, counts, statuses } = JSON.parse(line) as ShardReport
    total.simulations += simulations
    total.digest = (total.digest + digest) >>> 0
    total.violations.push(...violations)
    // Printed at once, because a long run may be ended before its final report.
    for (const { life, text } of violations) console.error(`life ${life}: ${text}`)
    for (const [name, count] of Object.entries(counts)) total.counts[name] = (total.counts[name] ?? 0) + count
    for (const [status, count] of statuses.entries())
      total.statuses[status] = (total.statuses[status] ?? 0) + count
  }
  if ((await ended) !== 0) throw new Error('A process of the simulation failed')
}

function startShard(url: string, options: string[], stdout: 'inherit' | 'pipe') {
  const program = new URL('shard.ts', import.meta.url).pathname
  const mutation = values.mutation === undefined ? [] : ['--mutation', values.mutation]
  const args = [
    program,
    '--database',
    url,
    '--seed',
    String(seed),
    '--lives',
    String(lives),
    ...mutation,
    ...options,
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', stdout, 'inherit'] })
  return { child, ended: once(child, 'exit').then(([code]) => Number(code ?? 1)) }
}
