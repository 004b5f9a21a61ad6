import type { CauseCosts } from './causes/measure-causes.ts'
import type { ComparisonName } from './comparisons.ts'
import type { Summary } from './measure/summary.ts'
import goalList from './goals.json' with { type: 'json' }
import { markdownTable, outcome } from './print.ts'
import type { ProgramName } from './programs.ts'

export type Results = Partial<Record<ComparisonName, readonly Summary[]>>

type Run = readonly [of: ComparisonName, program: ProgramName]
type Figure = 'median' | 'peakMegabytes'

/** The figure of `ours`, divided by that of `theirs` if given, must be at most `atMost`. */
type Goal = readonly [figure: Figure, ours: Run, theirs: Run | null, atMost: number]

/** Proportions, not seconds, hold on any machine. The memory for keys includes 120 MB of the file itself. */
const goals = goalList as unknown as readonly Goal[]

/** What causes may add to the time of a file with 1 % bad cells. */
const MOST_FOR_CAUSES = 0.05

/** One line for each goal whose programs were measured; '' if there is none. */
export function goalTable(results: Results, causes: CauseCosts | null): string {
  const rows = goals.flatMap(([figure, ours, theirs, atMost]) => {
    const own = figureOf(ours, figure, results)
    const other = theirs === null ? 1 : figureOf(theirs, figure, results)
    if (own === null || other === null) return []
    const unit = theirs === null ? ', MB' : ` ÷ ${runName(theirs)}`
    const what = `${figure === 'median' ? 'time' : 'peak memory'}: ${runName(ours)}${unit}`
    const numbers = [atMost, own / other].map((number) => number.toFixed(theirs === null ? 0 : 3))
    return [[what, ...numbers, outcome(own / other <= atMost)]]
  })
  rows.push(...(causes === null ? [] : causeRows(causes)))
  if (rows.length === 0) return ''
  return `### Goals\n\n${markdownTable(['Figure', 'At most', 'Measured', ''], rows, [0, 3])}\n`
}

function causeRows(costs: CauseCosts): string[][] {
  return Object.entries(costs).map(([unit, { share }]) => {
    const numbers = [MOST_FOR_CAUSES, share].map((number) => number.toFixed(3))
    return [`${unit} time for causes ÷ the rest (csv25)`, ...numbers, outcome(share <= MOST_FOR_CAUSES)]
  })
}

function figureOf([of, program]: Run, figure: Figure, results: Results): number | null {
  return results[of]?.find((summary) => summary.program === program)?.[figure] ?? null
}

const runName = ([of, program]: Run): string => `${program} (${of})`
