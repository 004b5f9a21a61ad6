import type { Score } from './measure-pair.ts'

/** Prints a table with a line for each name, and one for all. Returns the precision of all. */
export function printScores(title: string, scores: ReadonlyMap<string, Score>): number {
  const all = [...scores.values()].reduce(
    (sum, score) => ({
      badCells: sum.badCells + score.badCells,
      correctable: sum.correctable + score.correctable,
      suggestions: sum.suggestions + score.suggestions,
      right: sum.right + score.right,
    }),
    { badCells: 0, correctable: 0, suggestions: 0, right: 0 },
  )
  console.log(`\n### ${title}\n`)
  console.log('| | Bad cells | Suggestions | Precision | Recall |')
  console.log('|---|--:|--:|--:|--:|')
  for (const [name, score] of [...scores, ['**All**', all] as const]) {
    const { badCells, suggestions } = score
    console.log(
      `| ${name} | ${badCells} | ${suggestions} | ${shown(precisionOf(score))} | ${shown(recallOf(score))} |`,
    )
  }
  return precisionOf(all) ?? 1
}

/** null if there is no suggestion. */
const precisionOf = ({ suggestions, right }: Score) => (suggestions === 0 ? null : right / suggestions)
const recallOf = ({ correctable, right }: Score) => (correctable === 0 ? null : right / correctable)
const shown = (share: number | null) => (share === null ? '–' : share.toFixed(3))
