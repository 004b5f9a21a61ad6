import { join } from 'node:path'
import type { Counts } from '../findings.ts'
import type { Job } from '../job.ts'

const main = join(import.meta.dirname, '../../apps/cli/src/main.ts')

/** `veridict validate`, as a person types it, but with an answer for programs. */
export const cliWords = ({ path, dictionaryPath }: Job): string[] => [main, 'validate', path, '--dictionary', dictionaryPath, '--json']

export function cliCounts(output: string): Counts {
  return JSON.parse(output) as Counts
}
