import { errorFileLimits } from '@veridict/contract/limits'
import type { Comparison } from '../comparisons.ts'
import { addPositions, type Counts } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import type { Truth } from '../generate/rows.ts'
import type { ProgramEntry } from '../programs.ts'
import { countErrorRows, countNotes, countRedCells } from './written-workbook.ts'

/** What is wrong with what a program found or wrote; null where it agrees with the truth. */
export function checkResult(
  program: ProgramEntry,
  result: Comparison['result'],
  { truth, dictionary }: DataFile,
  printed: Counts | null,
  outputPath: string,
): string | null {
  const columns = dictionary.fields.length
  switch (result) {
    case 'counts':
      return printed && differences(printed, expected(truth, program))
    case 'highlightedWorkbook':
      return (
        differences(countRedCells(outputPath, columns), truth) ?? missingNotes(countNotes(outputPath), truth)
      )
    case 'errorsWorkbook':
      return differences(countErrorRows(outputPath, columns), truth)
  }
}

/** Faults that a program has no rule for are not asked of it. */
function expected(truth: Truth, { blindTo }: ProgramEntry): Counts {
  const unseen = blindTo && truth.byFault[blindTo]
  if (!unseen) return truth
  const { rows, badCells, positions } = truth
  return {
    rows,
    badCells: badCells - unseen.badCells,
    positions: addPositions(positions, -unseen.positions),
    perColumn: null,
  }
}

function missingNotes(found: number, { badCells }: Truth): string | null {
  const wanted = Math.min(badCells, errorFileLimits.maxNotes)
  return found === wanted ? null : `${found} notes instead of ${wanted}`
}

function differences(found: Counts, truth: Counts): string | null {
  const names = ['rows', 'badCells', 'positions', 'perColumn'] as const
  const wrong = names.filter(
    (name) => found[name] !== null && truth[name] !== null && String(found[name]) !== String(truth[name]),
  )
  return wrong.length === 0
    ? null
    : wrong.map((name) => `${name} ${String(found[name])} instead of ${String(truth[name])}`).join(', ')
}
