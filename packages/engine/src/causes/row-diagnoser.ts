import { columnDiagnoser, type ColumnDiagnoser, type DiagnoserSettings } from '#causes/column-diagnoser.ts'
import { memoOf } from '#causes/cell-memo.ts'
import { type Diagnosis, unresolved } from '#causes/diagnosis.ts'
import { ShiftDetector } from '#causes/shifted-row.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell, RowView } from '#source/table-source.ts'

const shiftedRight: Diagnosis = { ...unresolved('shiftedRight'), isOfRow: true }
const shiftedLeft: Diagnosis = { ...unresolved('shiftedLeft'), isOfRow: true }

/** Different values of one list column that are compared with its options; fewer in a wide table. */
const MOST_VALUES = 2000
const MOST_VALUES_OF_TABLE = 100_000
const FEWEST_VALUES = 20

/** See `DiagnoserSettings`. It depends on the dictionary alone, so every range of a file has the same. */
export const mostValuesOf = (columns: readonly ColumnCheck[]): number =>
  Math.max(FEWEST_VALUES, Math.min(MOST_VALUES, Math.floor(MOST_VALUES_OF_TABLE / (columns.length + 1))))

/** Of a cell that is not emptied, because its row would be blank. */
export const notEmptied = (diagnosis: Diagnosis): Diagnosis =>
  diagnosis.suggestion === '' ? { ...diagnosis, suggestion: null } : diagnosis

/** Says what seems to be wrong with the bad cells of a row. The same cells always have the same diagnoses. */
export class RowDiagnoser {
  readonly #columns: readonly ColumnCheck[]
  readonly #settings: DiagnoserSettings
  /** Made at the first row with two bad cells. */
  #shifts: ShiftDetector | undefined
  /** By column, the last for cells beyond the header. Made when a column has its first bad cell. */
  readonly #diagnosers: (ColumnDiagnoser | undefined)[]

  constructor(columns: readonly ColumnCheck[], currentYear: number) {
    this.#columns = columns
    this.#settings = { currentYear, mostValues: mostValuesOf(columns) }
    this.#diagnosers = Array.from({ length: columns.length + 1 })
  }

  /** What is wrong with the row as a whole, and so with each of its cells; null where each has its own. */
  ofRow(cells: readonly BadCell[]): Diagnosis | null {
    if (cells.length === 1) return null
    const shift = (this.#shifts ??= new ShiftDetector(this.#columns)).shiftOf(cells)
    return shift === 0 ? null : shift === 1 ? shiftedRight : shiftedLeft
  }

  /**
   * Whether the row would be blank if its cells were corrected. A blank row is no record, so its other errors
   * would be gone with it.
   */
  emptiesRow(cells: readonly BadCell[], row: RowView): boolean {
    let isEmptying = false
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      if (memoOf(cell).tally?.isEmptying ?? this.of(cell).suggestion === '') isEmptying = true
      else if (cell.value.trim() !== '') return false
    }
    return isEmptying && !row.hasContentBeside(cells)
  }

  /** What is wrong with each cell of a row, also as a part of it. */
  diagnosesOf(cells: readonly BadCell[], row: RowView): (cell: BadCell) => Diagnosis {
    const ofRow = this.ofRow(cells)
    if (ofRow !== null) return () => ofRow
    return this.emptiesRow(cells, row) ? (cell) => notEmptied(this.of(cell)) : (cell) => this.of(cell)
  }

  /** The diagnosis of a cell by itself. */
  of(cell: BadCell): Diagnosis {
    const memo = memoOf(cell)
    if (memo.diagnosis !== null) return memo.diagnosis
    const diagnosis = this.#diagnosis(cell)
    if (!memo.isShared) memo.diagnosis = diagnosis
    return diagnosis
  }

  #diagnosis(cell: BadCell): Diagnosis {
    const index = Math.min(cell.column, this.#columns.length)
    const diagnoser = (this.#diagnosers[index] ??= columnDiagnoser(this.#columns[index], this.#settings))
    return diagnoser(cell)
  }
}
