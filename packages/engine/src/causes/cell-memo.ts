import type { Diagnosis } from '#causes/diagnosis.ts'
import type { DiagnosisCount, ValueCount } from '#causes/diagnosis-count.ts'
import type { BadCell } from '#source/table-source.ts'

/** What a value says about a shift of its row (see `ShiftDetector`). */
export const Fit = {
  Unknown: 0,
  /** The cell is empty, and says nothing. */
  Empty: 1,
  /** There is no column that it could belong to. */
  Nowhere: 2,
  /** It breaks the rule of the neighbour's column. */
  Misfit: 3,
  /** It fits the neighbour's column, and that says something. */
  Fit: 4,
  /** It fits, as many values would. */
  Weak: 5,
} as const
export type Fit = (typeof Fit)[keyof typeof Fit]

/** What was found out about a bad cell, which holds for each cell like it. */
export class CellMemo {
  /** If its row were shifted to the right, or to the left. */
  right: Fit = Fit.Unknown
  left: Fit = Fit.Unknown
  /** Null until it was asked for. */
  diagnosis: Diagnosis | null = null
  /** Where its fault is counted. */
  errors: { count: number } | null = null
  /** Where the cell is counted, if it belongs to no cause of whole rows. */
  count: DiagnosisCount | null = null
  /** Whether any reading of its column gives it a suggestion. */
  hasSuggestion = false
  /** Its value among those of `count`. */
  value: ValueCount | null = null
}

export const memoOf = (cell: BadCell): CellMemo => (cell.memo ??= new CellMemo()) as CellMemo
