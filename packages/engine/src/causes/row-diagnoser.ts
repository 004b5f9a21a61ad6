import { columnDiagnoser, type ColumnDiagnoser, type DiagnoserSettings } from '#causes/column-diagnoser.ts'
import { isClass, memoOf } from '#causes/cell-memo.ts'
import { corrected, type Diagnosis, emptiesCell, unresolved } from '#causes/diagnosis.ts'
import { isEnough, ShiftDetector } from '#causes/shifted-row.ts'
import { labelKey } from '@veridict/contract/notation/label'
import { type ColumnCheck, firstColumnOf, widthOf } from '#compile/column-check.ts'
import type { CellCheck } from '#fast-path/fast-path.ts'
import type { BadCell, RowView } from '#source/table-source.ts'

const shiftedRight: Diagnosis = { ...unresolved('shiftedRows', 'right'), isOfRow: true }
const shiftedLeft: Diagnosis = { ...unresolved('shiftedRows', 'left'), isOfRow: true }
const repeatedHeading: Diagnosis = { ...unresolved('secondHeading', 'repeated'), isOfRow: true }
const missingCell = unresolved('missingCell')
const shortRow = corrected('shortRows', '', '')
const secondHeading: Diagnosis = { ...unresolved('secondHeading'), isOfRow: true }
const totalsRow: Diagnosis = { ...unresolved('totalsRow'), isOfRow: true }
const nearlyEmpty: Diagnosis = { ...unresolved('nearlyEmpty'), isOfRow: true }

/** How many required values a row lacks that is nearly empty; also a part of them, and of all columns. */
const EMPTY = { fewest: 4, ofRequired: 0.75, ofColumns: 0.5 }
/** The same where the first column says that the row is a total. */
const EMPTY_OF_TOTAL = { fewest: 2, ofRequired: 0.5, ofColumns: 0 }
const TOTAL = new RegExp(
  '^(?:(?:grand|sub|overall|zwischen|end|opening|closing)[ -]?)?' +
    '(?:totals?|sum|summe|gesamt(?:summe)?|balance|saldo)[\\s:]*[\\d.,]*$',
  'i',
)

/** Not of a balance, which may be a record. */
const SURE_TOTAL =
  /^(?:(?:grand|sub|zwischen|end)[ -]?)?(?:totals?|sum|summe|gesamt(?:summe)?)[\s:]*[\d.,]*$/i

/** A record may have other separators than its table: then it has one cell, with all its values. */
const SEPARATED = /(?:[,;\t|][^,;\t|]*){3}/

/** Different values of one list column that are compared with its options; fewer in a wide table. */
const MOST_VALUES = 2000
const MOST_VALUES_OF_TABLE = 100_000
const FEWEST_VALUES = 20

/** See `DiagnoserSettings`. It depends on the dictionary alone, so every range of a file has the same. */
export const mostValuesOf = (columns: readonly ColumnCheck[]): number =>
  Math.max(FEWEST_VALUES, Math.min(MOST_VALUES, Math.floor(MOST_VALUES_OF_TABLE / (columns.length + 1))))

/** Without the suggestion to empty the cell: its row would be blank, and so no record. */
export const withoutEmptying = (diagnosis: Diagnosis): Diagnosis =>
  emptiesCell(diagnosis) ? { ...diagnosis, suggestion: null } : diagnosis

/** Says what seems to be wrong with the bad cells of a row. The same cells always get the same diagnoses. */
export class RowDiagnoser {
  readonly #columns: readonly ColumnCheck[]
  readonly #settings: DiagnoserSettings
  /** See `findSecondHeadings`. */
  readonly headingEnd: number
  /** From this column on, a row may end. */
  readonly #optionalFrom: number
  /** By column, how many required ones a row lacks that ends before it. */
  readonly #requiredFrom: readonly number[]
  readonly #emptyFrom: number
  readonly #emptyFromOfTotal: number
  readonly #firstColumn: number
  /** Columns whose names break their rules; counted at the first row with two bad cells. */
  #badNames: number | undefined
  /** Made at the first row with two bad cells. */
  #shifts: ShiftDetector | undefined
  /** By check, since columns with one rule have it in common; by column for lists: see `listDiagnoser`. */
  readonly #diagnosers = new Map<CellCheck | number | undefined, ColumnDiagnoser>()

  constructor(columns: readonly ColumnCheck[], currentYear: number, headingEnd: number) {
    this.#columns = columns
    this.headingEnd = headingEnd
    let required = 0
    const fromEnd = columns.toReversed().map(({ field }) => (field?.required ? ++required : required))
    this.#requiredFrom = fromEnd.reverse()
    this.#optionalFrom = columns.findLastIndex(({ field }) => field?.required) + 1
    this.#firstColumn = firstColumnOf(columns)
    this.#emptyFrom = emptyFrom(columns, EMPTY)
    this.#emptyFromOfTotal = emptyFrom(columns, EMPTY_OF_TOTAL)
    this.#settings = { currentYear, mostValues: mostValuesOf(columns) }
  }

  /** What is wrong with the whole row, and so with each of its cells; null where each cell has its own. */
  rowDiagnosis(rowNumber: number, cells: readonly BadCell[], row: RowView): Diagnosis | null {
    if (rowNumber <= this.headingEnd) return secondHeading
    if (cells.length === 1) return null
    if (this.#isNearlyEmpty(cells)) return this.#isTotal(cells[0], SURE_TOTAL) ? totalsRow : nearlyEmpty
    if (this.#isHeading(cells)) return repeatedHeading
    const shift = (this.#shifts ??= new ShiftDetector(this.#columns)).shiftOf(cells, row)
    return shift === 0 ? null : shift === 1 ? shiftedRight : shiftedLeft
  }

  /** Whether something may be wrong with a whole row, by the sums of its bad cells, none of them missing. */
  mayBeOfRow(cells: readonly BadCell[], empty: number, weights: number): boolean {
    const { length } = cells
    return isEnough(weights) || this.#lacksMost(cells[0], empty) || (this.#badNames ?? length) === length
  }

  /** A line with a total, a note, or where the export ended: no record, so its columns have no causes. */
  #isNearlyEmpty(cells: readonly BadCell[]): boolean {
    let empty = 0
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      if (cell.fault.code === 'missingCell' && !SEPARATED.test(cells[0].value))
        empty += this.#requiredFrom[cell.column]
      else empty += memoOf(cell).empty
    }
    return this.#lacksMost(cells[0], empty)
  }

  #lacksMost(first: BadCell, empty: number): boolean {
    return empty >= this.#emptyFrom || (empty >= this.#emptyFromOfTotal && this.#isTotal(first, TOTAL))
  }

  /** Of a cell that is bad, so that the word is no value of the first column. */
  #isTotal(cell: BadCell, words: RegExp): boolean {
    return cell.column === this.#firstColumn && memoOf(cell).empty === 0 && words.test(cell.value.trim())
  }

  /** Whether each bad cell is the name of its column, as where files were joined below each other. */
  #isHeading(cells: readonly BadCell[]): boolean {
    this.#badNames ??= this.#columns.filter(hasBadName).length
    // Asked first, because it needs no text of a cell.
    return cells.length === this.#badNames && cells.every(this.#isOwnName, this)
  }

  #isOwnName({ column, value }: BadCell): boolean {
    const name = this.#columns[column]?.field?.name
    return name !== undefined && value.length <= 2 * name.length && labelKey(value) === labelKey(name)
  }

  /** Whether corrections would blank the row. It would be no record then, and its other errors gone. */
  wouldBlankRow(cells: readonly BadCell[], row: RowView): boolean {
    let emptiesCells = false
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      const { tally } = memoOf(cell)
      if (tally === null ? emptiesCell(this.cellDiagnosis(cell)) : tally.emptied === 1) emptiesCells = true
      else if (cell.value.trim() !== '') return false
    }
    return emptiesCells && !row.hasContentBeside(cells)
  }

  /** What is wrong with each cell of a row, also as a part of it. */
  diagnosesOf(rowNumber: number, cells: readonly BadCell[], row: RowView): (cell: BadCell) => Diagnosis {
    const rowDiagnosis = this.rowDiagnosis(rowNumber, cells, row)
    if (rowDiagnosis !== null) return () => rowDiagnosis
    return this.wouldBlankRow(cells, row)
      ? (cell) => withoutEmptying(this.cellDiagnosis(cell))
      : (cell) => this.cellDiagnosis(cell)
  }

  /** Of the cell by itself, whatever else is in its row. */
  cellDiagnosis(cell: BadCell): Diagnosis {
    const memo = memoOf(cell)
    if (memo.diagnosis !== null) return memo.diagnosis
    const diagnosis = this.#diagnosis(cell)
    if (!isClass(cell)) memo.diagnosis = diagnosis
    return diagnosis
  }

  #diagnosis(cell: BadCell): Diagnosis {
    if (cell.fault.code === 'missingCell') return cell.column < this.#optionalFrom ? missingCell : shortRow
    const column = this.#columns.at(cell.column)
    const key = column?.field?.rule.type === 'list' ? cell.column : column?.check
    let diagnoser = this.#diagnosers.get(key)
    if (diagnoser === undefined)
      this.#diagnosers.set(key, (diagnoser = columnDiagnoser(column, this.#settings)))
    return diagnoser(cell)
  }
}

const hasBadName = ({ field, check }: ColumnCheck): boolean => field !== null && check(field.name) !== null

function emptyFrom(columns: readonly ColumnCheck[], { fewest, ofRequired, ofColumns }: typeof EMPTY): number {
  const required = columns.filter(({ field }) => field?.required).length
  return Math.max(fewest, Math.ceil(required * ofRequired), Math.ceil(widthOf(columns) * ofColumns))
}
