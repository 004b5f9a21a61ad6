import { errorFileLimits } from '@veridict/contract/limits'
import { addPositions, type Counts } from '../findings.ts'
import type { DataFile } from '../generate/data-files.ts'
import type { Truth } from '../generate/rows.ts'
import type { ProgramEntry } from '../programs.ts'
import { countNotes, countRedCells } from './written-workbook.ts'

/** How the result of a program differs from the truth, in words; null if it does not. */
export function checkResult(
  program: ProgramEntry,
  { truth, dictionary }: DataFile,
  printed: Counts | null,
  /** The workbook that it wrote, if it was to write one. */
  workbook: string | undefined,
): string | null {
  if (workbook === undefined) return printed && differences(printed, expected(truth, program))
  const red = countRedCells(workbook, dictionary.fields.length)
  return differences(red, truth) ?? missingNotes(countNotes(workbook), truth)
}

/** The truth without the faults for which a program has no rule. */
function expected(truth: Truth, { ignoresScale }: ProgramEntry): Counts {
  if (!ignoresScale) return truth
  const { rows, badCells, positions, tooPrecise } = truth
  return {
    rows,
    badCells: badCells - tooPrecise.badCells,
    positions: addPositions(positions, -tooPrecise.positions),
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
