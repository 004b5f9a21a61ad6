import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Job } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import { measureProcess } from '../measure/measure-process.ts'
import { median } from '../measure/summary.ts'
import { markdownTable } from '../print.ts'

/** Of one validation, in seconds; the processor time is that of all threads, with V8's compilers. */
export type ValidationTime = { elapsed: number; processor: number }

/** By the number of the pair; validations of the same pair ran next to each other. */
export type CauseTimes = { with: ValidationTime[]; without: ValidationTime[] }

/** Medians in seconds. `share`: how much longer a validation with causes takes, as a part of one without. */
type Cost = { withCauses: number; without: number; share: number }

/** What causes cost in pairs `from` to `to`, counted from 1. */
type CostOfPairs = { from: number; to: number; elapsed: Cost; processor: Cost }

/** While a process is young, while V8's compilers still run beside it, and after: the last is the goal. */
export type CauseCosts = readonly CostOfPairs[]

/** V8 compiles differently in each process, which is some percent of the time. */
const PROCESSES = 5
/** Until about the 80th pair V8 compiles on other threads what runs once for each file. */
const PAIRS_UNTIL_COMPILED = 80
/** The first of a process is another matter: all its code is new, with causes and without. */
const YOUNG_PAIRS = 20

/** What the causes of a file cost in processes that each validate it `pairs` times after V8 has compiled. */
export async function measureCauses(
  { path, dictionaryPath, dictionary }: DataFile,
  folder: string,
  pairs: number,
): Promise<CauseCosts> {
  const out = join(folder, 'out')
  mkdirSync(out, { recursive: true })
  const job: Job = { path, dictionaryPath, fields: dictionary.fields, outputPath: '' }
  const jobPath = join(out, 'causes.job.json')
  writeFileSync(jobPath, JSON.stringify(job))
  const script = join(import.meta.dirname, 'cause-cost.ts')
  const all = PAIRS_UNTIL_COMPILED + pairs
  const processes: CauseTimes[] = []
  for (let index = 0; index < PROCESSES; index++) {
    const { output } = await measureProcess([script, jobPath, String(all)], join(folder, 'compile-cache'))
    processes.push(JSON.parse(output) as CauseTimes)
  }
  return [
    costOfPairs(processes, 2, YOUNG_PAIRS),
    costOfPairs(processes, YOUNG_PAIRS + 1, PAIRS_UNTIL_COMPILED),
    costOfPairs(processes, PAIRS_UNTIL_COMPILED + 1, all),
  ]
}

function costOfPairs(processes: readonly CauseTimes[], from: number, to: number): CostOfPairs {
  const timesOf = (kind: keyof CauseTimes) => processes.flatMap((times) => times[kind].slice(from - 1, to))
  const [withCauses, without] = [timesOf('with'), timesOf('without')]
  const costIn = (unit: keyof ValidationTime) =>
    costOf(
      withCauses.map((time) => time[unit]),
      without.map((time) => time[unit]),
    )
  return { from, to, elapsed: costIn('elapsed'), processor: costIn('processor') }
}

/**
 * Compares the two validations of each pair, which run next to each other, so that other programs slow both.
 * On a busy machine, comparing the fastest runs gave -13 to +22 %; the median of the pairs of one process
 * gave 3 to 11 %.
 */
function costOf(withCauses: readonly number[], without: readonly number[]): Cost {
  return {
    withCauses: median(withCauses),
    without: median(without),
    share: median(withCauses.map((seconds, pair) => seconds / without[pair])) - 1,
  }
}

export function causeTable(costs: CauseCosts): string {
  const of = (unit: string) => [`${unit} without, ms`, 'with, ms', '']
  const rows = costs.map(({ from, to, elapsed, processor }) => {
    return [`${2 * (from - 1)} – ${2 * to - 1}`, ...costCells(elapsed), ...costCells(processor)]
  })
  return [
    '### Causes and suggestions of the first file, in a process that has validated it before',
    'Without: errors counted, the first 100 rows kept. Processor time is that of all threads.',
    `${markdownTable(['Files validated before', ...of('Elapsed'), ...of('Processor')], rows)}\n`,
  ].join('\n\n')
}

function costCells({ without, withCauses, share }: Cost): string[] {
  const ms = (seconds: number) => (seconds * 1000).toFixed(1)
  return [ms(without), ms(withCauses), `+ ${(share * 100).toFixed(1)} %`]
}
