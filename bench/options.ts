import { parseArgs } from 'node:util'
import { end, namesIn, wholeNumber } from './option-values.ts'
import { type ComparisonName, comparisonNames } from './comparisons.ts'
import { type ProgramName, programNames } from './programs.ts'

export type Options = {
  comparisons: readonly ComparisonName[]
  /** null means all programs. */
  only: readonly ProgramName[] | null
  runs: number
  /** Small files, to test the measurements: the figures mean nothing. */
  quick: boolean
  /** Writes the printed tables into docs/PERFORMANCE.md. */
  write: boolean
}

const DEFAULT_RUNS = 5

const USAGE = `npm run bench -- [options]

  --files <names>  what to measure, by name: ${comparisonNames.join(', ')}
  --only <names>   which programs: ${programNames.join(', ')}
  --runs <n>       rounds, after one to warm up (${DEFAULT_RUNS}; 1 with --quick)
  --write          also writes the tables into docs/PERFORMANCE.md
  --quick          a tenth of every file: a test of the measurements, not of speed
  --help           this text

Data is generated once from a seed, in bench/data.`

/** Ends the process after `--help` and after invalid options. */
export function readOptions(args: string[]): Options {
  try {
    const { values } = parseArgs({
      args,
      options: {
        files: { type: 'string' },
        only: { type: 'string' },
        runs: { type: 'string' },
        quick: { type: 'boolean', default: false },
        write: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) end(USAGE, 0)
    return {
      comparisons: values.files === undefined ? comparisonNames : namesIn(values.files, comparisonNames),
      only: values.only === undefined ? null : namesIn(values.only, programNames),
      runs: wholeNumber('runs', values.runs ?? String(values.quick ? 1 : DEFAULT_RUNS)),
      quick: values.quick,
      write: values.write,
    }
  } catch (error) {
    return end(`${(error as Error).message}\n\n${USAGE}`, 1)
  }
}
