import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { Diagnosis } from '#causes/diagnosis.ts'
import type { ValueCount } from '#causes/diagnosis-count.ts'
import type { Tally } from '#causes/tally.ts'
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

/** Faults of values that belong to another column. */
const MOVED_CODES: ReadonlySet<CellFaultCode> = new Set<CellFaultCode>([
  'notANumber',
  'dateCell',
  'notADate',
  'patternMismatch',
  'notInList',
  'extraCell',
  'textTooShort',
  'textTooLong',
])

/** More than any weights, so that a sum with it is enough. */
export const UNKNOWN = 1 << 20

/** What was found out about a bad cell, or what holds for all cells of a class. */
export class CellMemo {
  /** 1 if it is empty, else 0: added without a branch, which would often be mispredicted. */
  readonly empty: 0 | 1
  /** Whether its fault is one of values that belong to another column. */
  readonly isMoved: boolean
  /** If its row were shifted to the right, or to the left. */
  right: Fit = Fit.Unknown
  left: Fit = Fit.Unknown
  /** The most that it may say about a shift, as far as is known (see `ShiftDetector`). */
  weights: number
  /** Null until it was asked for. */
  diagnosis: Diagnosis | null = null
  /** Where the cell is counted, if it belongs to no cause of whole rows. */
  tally: Tally | null = null
  /** Its value among those of its diagnosis. */
  value: ValueCount | null = null

  constructor(code: CellFaultCode) {
    this.empty = code === 'required' || code === 'missingCell' ? 1 : 0
    this.isMoved = MOVED_CODES.has(code)
    this.weights = this.isMoved ? UNKNOWN : 0
  }
}

export const memoOf = (cell: BadCell): CellMemo => (cell.memo ??= new CellMemo(cell.fault.code)) as CellMemo

/** Whether cells with other values have the same memo. */
export const isClass = (cell: BadCell): boolean => cell.like === cell
