import { join } from 'node:path'
import type { Counts } from '../findings.ts'
import type { Job } from '../job.ts'

const main = join(import.meta.dirname, '../../apps/cli/src/main.mjs')

/** `veridict validate` as a person types it, with JSON as output. */
export const cliArgs = ({ path, dictionaryPath }: Job): string[] => [
  main,
  'validate',
  path,
  '--dictionary',
  dictionaryPath,
  '--json',
]

/** It counts everything and shows the first rows with errors. */
export function cliCounts(output: string): Counts {
  const { recordsCount, cellErrorCount } = JSON.parse(output) as {
    recordsCount: number | null
    cellErrorCount: number | null
  }
  if (cellErrorCount === null) throw new Error('The file was not validated.')
  return { rows: recordsCount, badCells: cellErrorCount, perColumn: null, positions: null }
}
