import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DataFile } from '../generate/data-files.ts'
import type { Job } from '../job.ts'
import { measureProcess } from '../measure/measure-process.ts'
import { median } from '../measure/summary.ts'

/** Processor time of each validation in seconds; one of each kind follows the other. */
export type CauseTimes = { with: number[]; without: number[] }

/** `share`: how much longer a validation with causes takes, as a part of one without. */
export type CauseCost = { withCauses: number; without: number; share: number }

/** V8 compiles differently in each process, which is some percent of the time. */
const PROCESSES = 5

/** What the causes of a file cost in a process that has validated it before: medians of some processes. */
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
  const costs: CauseCost[] = []
  for (let index = 0; index < PROCESSES; index++) {
    const { output } = await measureProcess([script, jobPath, String(pairs)], join(folder, 'compile-cache'))
    costs.push(costOf(JSON.parse(output) as CauseTimes))
  }
  return {
    withCauses: median(costs.map(({ withCauses }) => withCauses)),
    without: median(costs.map(({ without }) => without)),
    share: median(costs.map(({ share }) => share)),
  }
}

/** By the fastest runs: others were disturbed, by the collector or by other programs. */
function costOf(times: CauseTimes): CauseCost {
  const withCauses = Math.min(...times.with)
  const without = Math.min(...times.without)
  return { withCauses, without, share: withCauses / without - 1 }
}

export function causeTable({ withCauses, without, share }: CauseCost): string {
  const ms = (seconds: number) => (seconds * 1000).toFixed(1)
  return [
    '### Causes and suggestions of the first file, in a process that has validated it before',
    '',
    '| Validated | CPU of the fastest run, ms | |',
    '|---|--:|--:|',
    `| errors counted, the first 100 rows kept | ${ms(without)} | |`,
    `| the same, and causes with suggestions | ${ms(withCauses)} | + ${(share * 100).toFixed(1)} % |`,
    '',
  ].join('\n')
}
