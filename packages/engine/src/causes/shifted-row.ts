import type { ListRule, Rule } from '@veridict/contract/model/rule'
import { type CellMemo, Fit, isClass, memoOf, UNKNOWN } from '#causes/cell-memo.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell, RowView } from '#source/table-source.ts'

/** How much it says that a value fits the rule of a neighbour's column. */
const WEIGHTS: Readonly<Record<Rule['type'], number>> = { text: 0, number: 1, date: 2, pattern: 2, list: 2 }
/** Texts that only a pattern for nearly everything accepts. */
const TRIED_TEXTS = ['?~ ?', 'x y#9', '0']
/** The sum of weights that makes a shift sure; less if the row is too long or too short as well. */
const ENOUGH_WEIGHT = 4
const ENOUGH_WEIGHT_AT_END = 3
const FEWEST_FITS = 2
/** Values that fit for each one that does not fit its neighbour either: the row may have further faults. */
const FITS_OF_OTHER = 2
/**
 * The unit of weights of a shift to the left, so that one number holds both: 2 * LEFT + 1 is 2 for the left
 * neighbour, 1 for the right one. 16,384 columns of weight 2 never fill the lower half.
 */
const LEFT = 1 << 16
/** Bad values of a row that are tried before a row is given up in which none fits. */
const MOST_TRIES = 3

/**
 * A row is shifted by one column if values break their own rule and fit the neighbour's, where that is no
 * coincidence and the row has room for a shift.
 */
export class ShiftDetector {
  readonly #columns: readonly ColumnCheck[]
  /** By column, what it says that a value of another column fits its rule. */
  readonly #weights: readonly number[]
  /** By column, whether the column left of it has another rule. */
  readonly #differsFromLeft: readonly boolean[]

  constructor(columns: readonly ColumnCheck[]) {
    this.#columns = columns
    this.#weights = columns.map(weightOf)
    this.#differsFromLeft = columns.map(
      (column, index) => index > 0 && haveDifferentRules(column, columns[index - 1]),
    )
  }

  /** 1 is one column to the right, 0 no shift. */
  shiftOf(cells: readonly BadCell[], row: Pick<RowView, 'isTooLong'>): -1 | 0 | 1 {
    if (!this.#mayBeShifted(cells)) return 0
    if (this.#isShifted(cells, 1) && (this.#isTooLong(cells, row) || this.#isMovedAside(cells))) return 1
    return this.#isShifted(cells, -1) && this.#mayLackCell(cells) ? -1 : 0
  }

  /** Asks the row only where no bad cell says so, because it must be read again for that. */
  #isTooLong(cells: readonly BadCell[], row: Pick<RowView, 'isTooLong'>): boolean {
    return cells[cells.length - 1].column >= this.#columns.length || row.isTooLong()
  }

  /** Whether values that fit follow an empty cell, and at their end a column may be empty. */
  #isMovedAside(cells: readonly BadCell[]): boolean {
    const fits = cells.map((cell) => this.#fitsOf(cell).right)
    const last = fits.lastIndexOf(Fit.Fit)
    const isRoomBehind = this.#columns.slice(cells[last].column).some(({ field }) => !field!.required)
    return isRoomBehind && fits.slice(0, last).includes(Fit.Empty)
  }

  /** Whether a cell behind values that fit is empty, or may be. */
  #mayLackCell(cells: readonly BadCell[]): boolean {
    const fits = cells.map((cell) => this.#fitsOf(cell).left)
    const last = fits.lastIndexOf(Fit.Fit)
    if (fits.includes(Fit.Empty, last)) return true
    const isBad = (column: number) => cells.some((cell) => cell.column === column)
    return this.#columns.some(
      ({ field }, column) => column > cells[last].column && !field!.required && !isBad(column),
    )
  }

  /**
   * Asked first, since it compares few values: otherwise numbers out of bounds would be decoded to text, even
   * in a row whose cells are all bad.
   */
  #mayBeShifted(cells: readonly BadCell[]): boolean {
    let sum = 0
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      const memo = memoOf(cell)
      // The most that any value of the cell may say.
      if (memo.weights === UNKNOWN)
        memo.weights = this.#weightsOf(cell.column, this.#fit(cell, null, 1), this.#fit(cell, null, -1))
      sum += memo.weights
    }
    for (let index = 0; index < cells.length && isEnough(sum); index++) {
      const cell = cells[index]
      const most = memoOf(cell).weights
      if (most === 0) continue
      const { right, left } = this.#fitsOf(cell)
      sum += this.#weightsOf(cell.column, right, left) - most
    }
    return isEnough(sum)
  }

  #weightsOf(column: number, right: Fit, left: Fit): number {
    return (
      (right === Fit.Fit ? this.#weights[column - 1] : 0) +
      (left === Fit.Fit ? this.#weights[column + 1] * LEFT : 0)
    )
  }

  #isShifted(cells: readonly BadCell[], step: 1 | -1): boolean {
    let weight = 0
    let fits = 0
    let others = 0
    let areNumbers = true
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
        const source = cell.column - step
        weight += this.#weights[source]
        fits++
        if (!isOfNumbers(this.#columns[source])) areNumbers = false
      }
      if (fits === 0 && others >= MOST_TRIES) return false
    }
    // Numbers alone say nothing: codes, and dates as Excel's day numbers, fit any number column beside their
    // own. A shift would also have moved other values into number columns.
    if (areNumbers) return false
    return (
      fits >= FEWEST_FITS &&
      weight >= (isAtEnd ? ENOUGH_WEIGHT_AT_END : ENOUGH_WEIGHT) &&
      others * FITS_OF_OTHER <= fits
    )
  }

  #fitsOf(cell: BadCell): CellMemo {
    const memo = memoOf(cell)
    // Other values of a class may fit elsewhere.
    const isOfMany = isClass(cell)
    if (memo.right === Fit.Unknown || isOfMany) {
      const value = memo.empty === 1 ? '' : cell.value
      memo.right = this.#fit(cell, value, 1)
      memo.left = this.#fit(cell, value, -1)
      if (!isOfMany) memo.weights = this.#weightsOf(cell.column, memo.right, memo.left)
    }
    return memo
  }

  /** `value` is null for any value that the cell may have. */
  #fit(cell: BadCell, value: string | null, step: 1 | -1): Fit {
    const { column, fault } = cell
    if (memoOf(cell).empty === 1) return Fit.Empty
    const { length } = this.#columns
    const source = column - step
    const neighbour = this.#columns[source]
    if (neighbour === undefined || column > length || neighbour.field === null) return Fit.Nowhere
    // Any value of a class of dates has three numbers.
    const isNoNumber = value === null && fault.code === 'notADate' && isClass(cell) && isOfNumbers(neighbour)
    if (isNoNumber || (value !== null && neighbour.check(value) !== null)) return Fit.Misfit
    // A number of the neighbour's that breaks the bounds here fits there, and says little.
    const isTelling = column === length || this.#differsFromLeft[Math.max(column, source)]
    return memoOf(cell).isMoved && isTelling ? Fit.Fit : Fit.Weak
  }
}

/** `sum`: the weights of all bad cells of a row. No weight is above 2, so two values fit at least. */
export const isEnough = (sum: number): boolean =>
  (sum & (LEFT - 1)) >= ENOUGH_WEIGHT_AT_END || sum / LEFT >= ENOUGH_WEIGHT_AT_END

const isOfNumbers = ({ field }: ColumnCheck): boolean => field?.rule.type === 'number'

function haveDifferentRules({ field: one }: ColumnCheck, { field: other }: ColumnCheck): boolean {
  if (one === null || other === null) return false
  const [own, theirs] = [one.rule, other.rule]
  if (own.type === 'list' && theirs.type === 'list') return !hasCommonOption(own, theirs)
  if (own.type !== theirs.type) return true
  return own.type === 'pattern' && JSON.stringify(own) !== JSON.stringify(theirs)
}

/** Then an option of one may well be what the other lacks, as where both columns are times of day. */
function hasCommonOption(one: ListRule, other: ListRule): boolean {
  const options = new Set(other.options)
  return one.options.some((option) => options.has(option))
}

function weightOf({ field, check }: ColumnCheck): number {
  if (field === null) return 0
  const weight = WEIGHTS[field.rule.type]
  return field.rule.type === 'pattern' && TRIED_TEXTS.some((text) => check(text) === null) ? 0 : weight
}
