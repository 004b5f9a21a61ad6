import type { Rule } from '@veridict/contract/model/rule'
import { type CellMemo, Fit, memoOf } from '#causes/cell-memo.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell } from '#source/table-source.ts'

/** How much it says that a value fits the rule of a neighbour's column. */
const WEIGHTS: Readonly<Record<Rule['type'], number>> = { text: 0, number: 1, date: 2, pattern: 2, list: 2 }
/** Texts that only a pattern for nearly everything accepts. */
const PROBES = ['?~ ?', 'x y#9', '0']
/** Values that fit the neighbours, by weight; less if the row is too long or too short as well. */
const ENOUGH = 4
const ENOUGH_AT_END = 3
const FEWEST_FITS = 2
/** Bad values of a row that are tried before a row is given up in which none fits. */
const MOST_TRIES = 3

/**
 * Recognizes rows whose cells stand one column too far right or left: values that break the rule of their own
 * column fit the rule of the neighbour, where that is no coincidence.
 */
export class ShiftDetector {
  readonly #columns: readonly ColumnCheck[]
  /** By column, what it says that a value of another column fits its rule. */
  readonly #weights: readonly number[]
  /** By column, whether the column left of it has another rule. */
  readonly #isOther: readonly boolean[]

  constructor(columns: readonly ColumnCheck[]) {
    this.#columns = columns
    this.#weights = columns.map(weightOf)
    this.#isOther = columns.map((column, index) => index > 0 && isOtherRule(column, columns[index - 1]))
  }

  /** How far the row was shifted: 1 is one column to the right; 0 for a row that was not. */
  shiftOf(cells: readonly BadCell[]): -1 | 0 | 1 {
    if (!this.#mayBeShifted(cells)) return 0
    if (this.#isShifted(cells, 1)) return 1
    return this.#isShifted(cells, -1) ? -1 : 0
  }

  /**
   * Whether two values at least fit their neighbours. Asked first, and of few values that are not known:
   * where each cell of a row is bad, numbers out of bounds need then no text.
   */
  #mayBeShifted(cells: readonly BadCell[]): boolean {
    let { right, left } = possibleFits(cells)
    for (let index = 0; index < cells.length; index++) {
      if (right < FEWEST_FITS && left < FEWEST_FITS) return false
      const cell = cells[index]
      if (!isOpen(cell)) continue
      const memo = this.#fitsOf(cell)
      if (memo.right !== Fit.Fit) right--
      if (memo.left !== Fit.Fit) left--
    }
    return right >= FEWEST_FITS || left >= FEWEST_FITS
  }

  #isShifted(cells: readonly BadCell[], step: 1 | -1): boolean {
    let weight = 0
    let fits = 0
    let others = 0
    const { length } = this.#columns
    const last = cells[cells.length - 1]
    const isAtEnd =
      step === 1
        ? last.fault.code === 'extraCell' && last.column === length
        : last.fault.code === 'missingCell' || (last.fault.code === 'required' && last.column === length - 1)
    for (let index = cells.length - 1; index >= 0; index--) {
      const cell = cells[index]
      const { right, left } = this.#fitsOf(cell)
      const fit = step === 1 ? right : left
      if (fit === Fit.Empty) continue
      if (fit === Fit.Nowhere) {
        others++
        continue
      }
      if (fit === Fit.Misfit) others++
      else if (fit === Fit.Fit) {
        weight += this.#weights[cell.column - step]
        fits++
      }
      if (fits === 0 && others >= MOST_TRIES) return false
    }
    return fits >= FEWEST_FITS && weight >= (isAtEnd ? ENOUGH_AT_END : ENOUGH) && others * 4 <= fits
  }

  #fitsOf(cell: BadCell): CellMemo {
    const memo = memoOf(cell)
    if (memo.right === Fit.Unknown) {
      memo.right = this.#fit(cell, 1)
      memo.left = this.#fit(cell, -1)
    }
    return memo
  }

  #fit(cell: BadCell, step: 1 | -1): Fit {
    const { column, fault } = cell
    if (fault.code === 'required' || fault.code === 'missingCell') return Fit.Empty
    const { length } = this.#columns
    const source = column - step
    const neighbour = this.#columns[source]
    if (neighbour === undefined || column > length || neighbour.field === null) return Fit.Nowhere
    if (neighbour.check(cell.value) !== null) return Fit.Misfit
    const isOther = column === length || this.#isOther[Math.max(column, source)]
    // A number of the neighbour's that breaks the bounds here fits there, and says little.
    return isOther && MOVED_CODES.has(fault.code) ? Fit.Fit : Fit.Weak
  }
}

/** Whether it is not known yet if a cell fits its neighbours, and it may. */
const isOpen = (cell: BadCell): boolean =>
  memoOf(cell).right === Fit.Unknown && MOVED_CODES.has(cell.fault.code)

/** How many values fit their neighbours, at most. */
function possibleFits(cells: readonly BadCell[]): { right: number; left: number } {
  let right = 0
  let left = 0
  for (let index = 0; index < cells.length; index++) {
    const memo = memoOf(cells[index])
    const mayFit = isOpen(cells[index])
    if (mayFit || memo.right === Fit.Fit) right++
    if (mayFit || memo.left === Fit.Fit) left++
  }
  return { right, left }
}

function isOtherRule({ field: one }: ColumnCheck, { field: other }: ColumnCheck): boolean {
  if (one === null || other === null) return false
  const [own, theirs] = [one.rule, other.rule]
  if (own.type !== theirs.type) return true
  return (own.type === 'list' || own.type === 'pattern') && JSON.stringify(own) !== JSON.stringify(theirs)
}

/** Faults of values that belong to another column. */
const MOVED_CODES: ReadonlySet<string> = new Set([
  'notANumber',
  'notADate',
  'patternMismatch',
  'notInList',
  'extraCell',
  'textTooShort',
  'textTooLong',
])

function weightOf({ field, check }: ColumnCheck): number {
  if (field === null) return 0
  const weight = WEIGHTS[field.rule.type]
  return field.rule.type === 'pattern' && PROBES.some((probe) => check(probe) === null) ? 0 : weight
}
