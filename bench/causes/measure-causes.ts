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
export type CauseCosts = Readonly<Record<keyof ValidationTime, Cost>>

/** V8 compiles differently in each process, which is some percent of the time. */
const PROCESSES = 5
/** Until then V8 compiles on other threads what runs once for each file; a server's process is older. */
const PAIRS_UNTIL_COMPILED = 80

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
  const args = [join(import.meta.dirname, 'cause-cost.ts'), jobPath, String(PAIRS_UNTIL_COMPILED + pairs)]
  const times: CauseTimes = { with: [], without: [] }
  for (let index = 0; index < PROCESSES; index++) {
    const { output } = await measureProcess(args, join(folder, 'compile-cache'))
    const measured = JSON.parse(output) as CauseTimes
    for (const kind of ['with', 'without'] as const)
      times[kind].push(...measured[kind].slice(PAIRS_UNTIL_COMPILED))
  }
  return { elapsed: costOf(times, 'elapsed'), processor: costOf(times, 'processor') }
}

/**
 * The two validations of a pair run next to each other, so that other programs slow both. On a busy machine,
 * comparing the fastest runs gave -13 to +22 %; the median of the pairs of one process 3 to 11 %.
 */
function costOf(times: CauseTimes, unit: keyof ValidationTime): Cost {
  const withCauses = times.with.map((time) => time[unit])
  const without = times.without.map((time) => time[unit])
  const shares = withCauses.map((seconds, pair) => seconds / without[pair])
  return { withCauses: median(withCauses), without: median(without), share: median(shares) - 1 }
}

export function causeTable(costs: CauseCosts): string {
  const ms = (seconds: number) => (seconds * 1000).toFixed(1)
  const rows = Object.entries(costs).map(([unit, { without, withCauses, share }]) => {
    return [unit, ms(without), ms(withCauses), `+ ${(share * 100).toFixed(1)} %`]
  })
  return [
    '### Causes and suggestions of the first file, in a process that has validated it before',
    `${2 * PAIRS_UNTIL_COMPILED} times. Without: errors counted, the first 100 rows kept. ` +
      'Processor time is that of all threads.',
    `${markdownTable(['Time', 'Without, ms', 'With, ms', ''], rows)}\n`,
  ].join('\n\n')
}
