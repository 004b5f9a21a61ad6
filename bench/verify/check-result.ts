import { errorFileLimits } from '@veridict/contract/limits'
import type { Comparison } from '../comparisons.ts'
import { addPositions, type Counts } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import type { Truth } from '../generate/rows.ts'
import type { ProgramEntry } from '../programs.ts'
import { countErrorRows, countNotes, countRedCells } from './written-workbook.ts'

/** How the result of a program differs from the truth, in words; null if it does not. */
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

/** The truth without the faults for which a program has no rule. */
function expected(truth: Truth, { unchecked }: ProgramEntry): Counts {
  const uncheckedCells = unchecked && truth.byFault[unchecked]
  if (!uncheckedCells) return truth
  const { rows, badCells, positions } = truth
  return {
    rows,
    badCells: badCells - uncheckedCells.badCells,
    positions: addPositions(positions, -uncheckedCells.positions),
    perColumn: null,
  }
}

function missingNotes(found: number, { badCells }: Truth): string | null {
  const expectedNotes = Math.min(badCells, errorFileLimits.maxNotes)
  return found === expectedNotes ? null : `${found} notes instead of ${expectedNotes}`
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
