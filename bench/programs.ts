import { join } from 'node:path'
import type { Counts, Job } from './findings.ts'
import { bundledProgram } from './ours/bundle.ts'

/** How to start a program and read its output. */
export type ProgramEntry = {
  title: string
  /** The script and its arguments. */
  args: (job: Job, jobPath: string) => readonly string[]
  /** From what it printed. */
  counts: (output: string) => Counts | null
}

const cli = join(import.meta.dirname, '../apps/cli/src/main.mjs')
const measuredProcess = join(import.meta.dirname, 'measure/measured-process.ts')

/** One of our programs, by its name in `ours/bundle.ts`. */
const ours = (title: string, name: string): ProgramEntry => ({
  ...inProcess(title, name),
  args: (_, jobPath) => [measuredProcess, bundledProgram(name), jobPath],
})

/** A module that exports a `Program`, run in its own process. `module`: a path from here. */
const inProcess = (title: string, module: string): ProgramEntry => ({
  title,
  args: (_, jobPath) => [measuredProcess, join(import.meta.dirname, module), jobPath],
  counts: (output) => JSON.parse(output.trim().split('\n').at(-1)!) as Counts | null,
})

export const programs = {
  ours: ours('**Veridict**, one thread', 'validate'),
  'ours-cli': {
    title: '**Veridict**, command line',
    args: ({ path, dictionaryPath }) => [cli, 'validate', path, '--dictionary', dictionaryPath, '--json'],
    counts: cliCounts,
  },
  'ours-highlighted': ours('**Veridict**', 'highlighted'),
  duckdb2: inProcess('DuckDB, 2 threads, counts only', 'peers/duckdb.ts'),
  udsv: inProcess('uDSV + checks by hand', 'peers/udsv.ts'),
  inflate: inProcess('(floor: inflating alone)', 'peers/inflate.ts'),
  'read-excel-file': inProcess('read-excel-file + checks by hand', 'peers/read-excel-file.ts'),
  'exceljs-highlighted': inProcess(
    'uDSV + checks by hand + exceljs, streaming',
    'peers/exceljs-highlighted.ts',
  ),
} as const satisfies Record<string, ProgramEntry>

export type ProgramName = keyof typeof programs
export const programNames = Object.keys(programs) as ProgramName[]

/** The command line counts everything and shows the first rows with errors. */
function cliCounts(output: string): Counts {
  const { recordsCount, cellErrorCount } = JSON.parse(output) as {
    recordsCount: number | null
    cellErrorCount: number | null
  }
  if (cellErrorCount === null) throw new Error('The file was not validated.')
  return { rows: recordsCount, badCells: cellErrorCount, perColumn: null, positions: null }
}
