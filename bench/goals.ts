import type { CauseCosts } from './causes/measure-causes.ts'
import type { ComparisonName } from './comparisons.ts'
import type { Summary } from './measure/summary.ts'
import type { ProgramName } from './programs.ts'

export type Results = Partial<Record<ComparisonName, readonly Summary[]>>

type Run = { of: ComparisonName; program: ProgramName }
type Figure = 'median' | 'peakMegabytes'

/** `figure` of `ours`, divided by that of `theirs` if given, must be at most `atMost`. */
type Goal = { ours: Run; figure: Figure; theirs?: Run; atMost: number }

const time = (of: ComparisonName, program: ProgramName, theirs: Run, atMost: number): Goal => ({
  ours: { of, program },
  figure: 'median',
  theirs,
  atMost,
})

const memory = (of: ComparisonName, program: ProgramName, atMost: number): Goal => ({
  ours: { of, program },
  figure: 'peakMegabytes',
  atMost,
})

/** The goals of Veridict. Proportions, not seconds, so that they hold on any machine. */
const goals: readonly Goal[] = [
  time('csv25', 'ours', { of: 'csv25', program: 'duckdb2' }, 0.55),
  time('csv25', 'ours', { of: 'csv25', program: 'udsv' }, 0.4),
  time('csv25', 'ours', { of: 'csv25', program: 'tableschema' }, 1 / 30),
  memory('csv25', 'ours', 80),
  time('csv250', 'ours', { of: 'csv250', program: 'duckdb2' }, 0.6),
  time('csv250', 'ours-cli', { of: 'csv250', program: 'duckdb2' }, 0.4),
  memory('csv250', 'ours', 100),
  time('wide25', 'ours', { of: 'wide25', program: 'udsv' }, 0.5),
  time('allbad25', 'ours', { of: 'clean25', program: 'ours' }, 2),
  time('key25', 'ours', { of: 'clean25', program: 'ours' }, 1.5),
  time('key25', 'ours', { of: 'key25', program: 'duckdb2' }, 0.75),
  time('order25', 'ours', { of: 'order25', program: 'duckdb2' }, 0.75),
  time('cases25', 'ours', { of: 'clean25', program: 'ours' }, 1.5),
  time('cases25', 'ours', { of: 'cases25', program: 'duckdb2' }, 0.75),
  time('xlsx', 'ours', { of: 'xlsx', program: 'read-excel-file' }, 1 / 8),
  time('xlsx', 'ours', { of: 'xlsx', program: 'inflate' }, 2.5),
  memory('xlsx', 'ours', 150),
  time('highlighted', 'ours-highlighted', { of: 'highlighted', program: 'exceljs-highlighted' }, 1 / 6),
  memory('highlighted', 'ours-highlighted', 150),
  {
    ours: { of: 'csv1g', program: 'ours-cli' },
    figure: 'peakMegabytes',
    theirs: { of: 'csv250', program: 'ours-cli' },
    atMost: 1.15,
  },
]

/** What causes may add to the time of a file with 1 % bad cells. */
const MOST_FOR_CAUSES = 0.05

/** One line for each goal whose programs were measured. */
export function goalLines(results: Results, causes: CauseCosts | null): string[] {
  const lines = goals.flatMap((goal) => {
    const ours = figureOf(goal.ours, goal.figure, results)
    const theirs = goal.theirs ? figureOf(goal.theirs, goal.figure, results) : 1
    if (ours === null || theirs === null) return []
    const value = ours / theirs
    const numbers = [goal.atMost, value].map((number) => goalNumber(goal, number))
    return [goalLine(described(goal), numbers, value <= goal.atMost)]
  })
  return causes === null ? lines : [...lines, ...causeLines(causes)]
}

/** Of the last pairs: a server's process, too, has validated many files before. */
function causeLines(causes: CauseCosts): string[] {
  const { elapsed, processor } = causes[causes.length - 1]
  return Object.entries({ 'elapsed time': elapsed, 'processor time': processor }).map(([unit, { share }]) => {
    const numbers = [MOST_FOR_CAUSES, share].map((number) => number.toFixed(3))
    return goalLine(`${unit} for causes ÷ the rest (csv25)`, numbers, share <= MOST_FOR_CAUSES)
  })
}

const goalLine = (figure: string, numbers: readonly string[], isMet: boolean): string =>
  `| ${[figure, ...numbers, isMet ? 'met' : '**missed**'].join(' | ')} |`

function figureOf({ of, program }: Run, figure: Figure, results: Results): number | null {
  return results[of]?.find((summary) => summary.program === program)?.[figure] ?? null
}

function described({ ours, figure, theirs }: Goal): string {
  const unit = theirs ? ` ÷ ${runName(theirs)}` : ', MB'
  return `${figure === 'median' ? 'time' : 'peak memory'}: ${runName(ours)}${unit}`
}

const runName = ({ of, program }: Run): string => `${program} (${of})`

const goalNumber = ({ theirs }: Goal, value: number): string => (theirs ? value.toFixed(3) : value.toFixed(0))
