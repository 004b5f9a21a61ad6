import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFile } from '../generate/data-files.ts'
import type { Job } from '../job.ts'
import { measureProcess } from '../measure/measure-process.ts'
import { median } from '../measure/summary.ts'

/** Processor time of each validation in seconds; those with the same index ran next to each other. */
export type CauseTimes = { with: number[]; without: number[] }

/** Medians. `share`: how much longer a validation with causes takes, as a part of one without. */
export type CauseCost = { withCauses: number; without: number; share: number }

/** V8 compiles differently in each process, which is some percent of the time. */
const PROCESSES = 5

/** What the causes of a file cost in a process that has validated it before. */
export async function measureCauses(
  { path, dictionaryPath, dictionary }: DataFile,
  folder: string,
  pairs: number,
): Promise<CauseCost> {
  const out = join(folder, 'out')
  mkdirSync(out, { recursive: true })
  const job: Job = { path, dictionaryPath, fields: dictionary.fields, outputPath: '', settings: {} }
  const jobPath = join(out, 'causes.job.json')
  writeFileSync(jobPath, JSON.stringify(job))
  const script = join(import.meta.dirname, 'cause-cost.ts')
  const times: CauseTimes = { with: [], without: [] }
  for (let index = 0; index < PROCESSES; index++) {
    const { output } = await measureProcess([script, jobPath, String(pairs)], join(folder, 'compile-cache'))
    const measured = JSON.parse(output) as CauseTimes
    times.with.push(...measured.with)
    times.without.push(...measured.without)
  }
  return costOf(times)
}

/**
 * By the pairs, whose validations run next to each other: other programs slow both. On a busy machine
 * fastest runs gave from -13 to +22 % where the median of the pairs of one process gave from 3 to 11 %.
 */
function costOf(times: CauseTimes): CauseCost {
  return {
    withCauses: median(times.with),
    without: median(times.without),
    share: median(times.with.map((seconds, pair) => seconds / times.without[pair])) - 1,
  }
}

export function causeTable({ withCauses, without, share }: CauseCost): string {
  const ms = (seconds: number) => (seconds * 1000).toFixed(1)
  return [
    '### Causes and suggestions of the first file, in a process that has validated it before',
    '',
    '| Validated | CPU, ms | |',
    '|---|--:|--:|',
    `| errors counted, the first 100 rows kept | ${ms(without)} | |`,
    `| the same, and causes with suggestions | ${ms(withCauses)} | + ${(share * 100).toFixed(1)} % |`,
    '',
  ].join('\n')
}
