import { errorScreenLimits } from '@veridict/contract/limits'
import { joinedRemedies, remediesOf } from '@veridict/contract/messages/cause-sentences/remedies'
import type { CellFaultCode, RowKeyPart } from '@veridict/contract/model/cell-error'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type CollectedFile, concluded, type Conclusion } from '#causes/conclusion.ts'
import { type CellMemo, isClass, memoOf } from '#causes/cell-memo.ts'
import { separatorOf } from '#causes/diagnose-date.ts'
import { type Diagnosis, Proof } from '#causes/diagnosis.ts'
import {
  addExample,
  addValue,
  type DiagnosisCount,
  type ExampleValue,
  extentOf,
  joinedExtent,
  newCount,
  type ValueCount,
} from '#causes/diagnosis-count.ts'
import { type KeptCell, type KeptRow, shownValue } from '#causes/kept-cell.ts'
import { mostValuesOf, withoutEmptying, RowDiagnoser } from '#causes/row-diagnoser.ts'
import { type ColumnSwap, mayBeSwapped } from '#causes/swapped-columns.ts'
import { suggestedBy, Tally } from '#causes/tally.ts'
import type { ColumnQuestion, ValidValues } from '#causes/valid-values.ts'
import type { TextPlatform } from '#platform.ts'
import type { BadCell, RowView } from '#source/table-source.ts'

type FaultCounts = { counterOf(column: number, code: CellFaultCode): { count: number } }

/** `keyOf` returns the values by which people find the row. */
type RowKeyReader = { keyOf(row: RowView): RowKeyPart[] }

/** Rows kept of the causes of one column of a very wide table, all columns together. */
const MAX_KEPT_ROWS = 10_000
const FEWEST_ROWS = 2

/**
 * Finds the causes of bad cells row by row, in bounded memory: a column has few diagnoses, and of each only
 * counts, examples and first rows are kept. Which diagnoses make one cause, and which values are right, may
 * depend on the whole column: `conclude` decides it after the last row.
 */
export class CauseCollector {
  readonly #columns: readonly ColumnCheck[]
  readonly #platform: TextPlatform
  readonly #diagnoser: RowDiagnoser
  /** By column, as they appeared; the last but one for cells beyond the header, the last for whole rows. */
  readonly #counts: DiagnosisCount[][]
  readonly #mostValues: number
  readonly #mostRows: number
  readonly #faults: FaultCounts
  readonly #keys: RowKeyReader
  /** By column, the last for cells beyond the header. */
  readonly #tallies: Tally[][]
  readonly #cellDiagnosis = (cell: BadCell): Diagnosis => this.#diagnoser.cellDiagnosis(cell)
  readonly #emptiedDiagnosis = (cell: BadCell): Diagnosis => withoutEmptying(this.#cellDiagnosis(cell))

  constructor(
    columns: readonly ColumnCheck[],
    platform: TextPlatform,
    faults: FaultCounts,
    keys: RowKeyReader,
    maxRowsPerCause: number | undefined,
    headingEnd: number,
  ) {
    this.#columns = columns
    this.#platform = platform
    this.#faults = faults
    this.#keys = keys
    this.#tallies = Array.from({ length: columns.length + 1 }, () => [])
    this.#diagnoser = new RowDiagnoser(columns, platform.currentYear, headingEnd)
    this.#counts = Array.from({ length: columns.length + 2 }, () => [])
    this.#mostValues = mostValuesOf(columns)
    this.#mostRows = Math.min(
      maxRowsPerCause ?? errorScreenLimits.maxRowsPerCause,
      Math.max(FEWEST_ROWS, Math.floor(MAX_KEPT_ROWS / columns.length)),
    )
  }

  add(rowNumber: number, cells: readonly BadCell[], row: RowView): void {
    if (this.count(rowNumber, cells)) return
    const rowDiagnosis = this.#diagnoser.rowDiagnosis(rowNumber, cells, row)
    if (rowDiagnosis === null) this.#addCells(rowNumber, cells, row)
    else this.#addRow(rowNumber, cells, row, rowDiagnosis)
  }

  /**
   * Counts the bad cells of a row that is not to be kept, if cells like them are known, and nothing may be
   * wrong with the whole row. A cell that its row lacks is a new one in each row, and so never known.
   */
  count(rowNumber: number, cells: readonly BadCell[]): boolean {
    if (rowNumber <= this.#diagnoser.headingEnd) return false
    let empty = 0
    let emptied = 0
    let weights = 0
    for (let index = 0; index < cells.length; index++) {
      const memo = cells[index].memo as CellMemo | null
      if (memo === null) return false
      const { tally } = memo
      if (tally === null || tally.keepsRows) return false
      empty += memo.empty
      emptied += tally.emptied
      weights += memo.weights
    }
    // Where these cells become empty, the whole row may be blank.
    if (emptied > 0 && empty + emptied >= cells.length) return false
    if (cells.length > 1 && this.#diagnoser.mayBeOfRow(cells, empty, weights)) return false
    for (let index = 0; index < cells.length; index++) {
      const { tally, value } = cells[index].memo as CellMemo
      tally!.cells++
      if (value !== null) value.cells++
    }
    return true
  }

  keep(rowNumber: number, cells: readonly BadCell[], row: RowView): KeptRow {
    return this.#kept(rowNumber, cells, row, this.#diagnoser.diagnosesOf(rowNumber, cells, row))
  }

  /** What to ask the valid values of the file (`readValidValues`). To be called after the last row. */
  questions(recordsCount: number): ColumnQuestion[] {
    this.#settle()
    const ofRows = this.#counts[this.#columns.length + 1]
    const records = recordsCount - ofRows.reduce((sum, { rows }) => sum + rows, 0)
    return this.#counts.slice(0, this.#columns.length).flatMap((counts, column): ColumnQuestion[] => {
      const rule = this.#columns[column].field?.rule
      if (rule === undefined || counts.length === 0) return []
      // Without a valid value there is nobody to ask; values in rows that are wrong as a whole prove nothing.
      if (counts.reduce((sum, { cells }) => sum + cells, 0) >= records) return []
      if (counts.some(({ kind }) => kind === 'lostZeros')) return [{ column, about: 'leadingZeros' }]
      if (rule.type !== 'date') return []
      if (isOrderOpen(rule.format, counts)) return [{ column, about: 'dayAndMonth' }]
      return rule.format.includes('d') && mayBeMisread(counts) ? [{ column, about: 'misreadDates' }] : []
    })
  }

  /** For `readColumnSwaps`. To be called after the last row. */
  swapCandidates(recordsCount: number): number[] {
    this.#settle()
    return mayBeSwapped(this.#counts.slice(0, this.#columns.length), recordsCount)
  }

  /** After the last row, with the answers to `questions`. */
  conclude(
    recordsCount: number,
    valid: ReadonlyMap<number, ValidValues>,
    swaps: readonly ColumnSwap[],
    rowInSource?: CollectedFile['rowInSource'],
  ): Conclusion {
    this.#settle()
    return concluded({
      columns: this.#columns,
      counts: this.#counts,
      valid,
      swaps,
      recordsCount,
      mostValues: this.#mostValues,
      mostRows: this.#mostRows,
      currentYear: this.#platform.currentYear,
      headingEnd: this.#diagnoser.headingEnd,
      rowInSource,
    })
  }

  #addCells(rowNumber: number, cells: readonly BadCell[], row: RowView): void {
    let mayBeEmptied = false
    let mayBeKept = false
    for (let index = 0; index < cells.length; index++) {
      const memo = memoOf(cells[index])
      const tally = (memo.tally ??= this.#addNew(rowNumber, cells[index], memo))
      tally.cells++
      if (memo.value !== null) memo.value.cells++
      if (tally.keepsRows) mayBeKept = true
      if (tally.emptied === 1) mayBeEmptied = true
    }
    if (!mayBeKept && !mayBeEmptied) return
    const isEmptied = mayBeEmptied && this.#diagnoser.wouldBlankRow(cells, row)
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]
      const tally = isEmptied ? this.#moveToEmptied(rowNumber, cell) : memoOf(cell).tally!
      if (tally.keepsRows) this.#keepRow(tally, rowNumber, cell, isEmptied, row)
    }
  }

  #settle(): void {
    for (const ofColumn of this.#tallies) for (const tally of ofColumn) tally.settle()
  }

  /** Adds what counts once for all cells like this one, and says where they are counted. */
  #addNew(rowNumber: number, cell: BadCell, memo: CellMemo): Tally {
    const diagnosis = this.#cellDiagnosis(cell)
    const tally = this.#tallyOf(rowNumber, cell, diagnosis)
    const { count } = tally
    count.proves |= diagnosis.proves
    const suggestion = diagnosis.suggestion ?? diagnosis.readings?.find((reading) => reading !== null)
    if (suggestion != null && count.remedies?.works !== 0) {
      const rule = this.#columns[cell.column]?.field?.rule
      const decimals = rule?.type === 'number' ? rule.scale : undefined
      const found = remediesOf(diagnosis, cell.value, suggestion, decimals)
      count.remedies = joinedRemedies(count.remedies, found)
    }
    if (count.values !== null) memo.value = this.#addValue(count, rowNumber, cell.value, diagnosis)
    else if (count.examples.length < errorScreenLimits.maxExamples)
      addExample(count.examples, this.#example(rowNumber, cell.value, diagnosis))
    if (count.kind === 'textTooLong') count.extent = joinedExtent(count.extent, extentOf(cell.value.trim()))
    // There are enough examples: the values of further cells of the class are of no interest.
    if (cell.like !== undefined && count.examples.length >= errorScreenLimits.maxExamples)
      memoOf(cell.like).tally = tally
    return tally
  }

  /** Counts a cell, whose row would be blank if it was emptied, as one without a suggestion. */
  #moveToEmptied(rowNumber: number, cell: BadCell): Tally {
    const memo = memoOf(cell)
    const tally = this.#tallyOf(rowNumber, cell, this.#emptiedDiagnosis(cell))
    memo.tally!.cells--
    tally.cells++
    const example = memo.value ?? tally.count.examples.find((one) => one.rowNumber === rowNumber)
    // An example says of its own row what the row says.
    if (example?.rowNumber === rowNumber) example.diagnosis = withoutEmptying(example.diagnosis)
    return tally
  }

  #tallyOf(rowNumber: number, { column, fault: { code } }: BadCell, diagnosis: Diagnosis): Tally {
    const index = Math.min(column, this.#columns.length)
    const tallies = this.#tallies[index]
    const suggested = suggestedBy(diagnosis)
    for (let at = 0; at < tallies.length; at++) {
      const tally = tallies[at]
      const { kind, detail } = tally.count
      if (
        tally.code === code &&
        tally.suggested === suggested &&
        kind === diagnosis.kind &&
        detail === diagnosis.detail
      )
        return tally
    }
    const count = this.#countOf(index, diagnosis, rowNumber)
    const tally = new Tally(code, suggested, count, this.#faults.counterOf(column, code))
    tally.keepsRows = count.kept.length < this.#mostRows
    tallies.push(tally)
    return tally
  }

  #keepRow(tally: Tally, rowNumber: number, cell: BadCell, isEmptied: boolean, row: RowView): void {
    const { kept } = tally.count
    tally.keepsRows = kept.length < this.#mostRows
    if (!tally.keepsRows) return
    const diagnosisOf = isEmptied ? this.#emptiedDiagnosis : this.#cellDiagnosis
    kept.push(this.#keptCell(rowNumber, this.#keys.keyOf(row), cell, diagnosisOf))
  }

  #kept(
    rowNumber: number,
    cells: readonly BadCell[],
    row: RowView,
    diagnosisOf: (cell: BadCell) => Diagnosis,
  ): KeptRow {
    const key = this.#keys.keyOf(row)
    return { rowNumber, key, cells: cells.map((cell) => this.#keptCell(rowNumber, key, cell, diagnosisOf)) }
  }

  /** Copies the cell and cuts its value. `diagnosisOf` must find the same after the last row. */
  #keptCell(
    rowNumber: number,
    key: RowKeyPart[],
    cell: BadCell,
    diagnosisOf: KeptCell['diagnosisOf'],
  ): KeptCell {
    const { column, fault, value } = cell
    const shown = shownValue(value, this.#platform)
    const memo = isClass(cell) ? null : cell.memo
    if (shown !== value) {
      const diagnosis = diagnosisOf(cell)
      diagnosisOf = () => diagnosis
    }
    return { rowNumber, key, column, fault, value: shown, memo, diagnosisOf }
  }

  #example(rowNumber: number, value: string, diagnosis: Diagnosis): ExampleValue {
    return { rowNumber, value: shownValue(value, this.#platform), diagnosis }
  }

  /** The value among those of a count, this cell not counted yet; null where it gives up counting. */
  #addValue(
    count: DiagnosisCount,
    rowNumber: number,
    value: string,
    diagnosis: Diagnosis,
  ): ValueCount | null {
    const known = count.values!.get(value)
    if (known !== undefined) return known
    addValue(count, value, this.#mostValues, { ...this.#example(rowNumber, value, diagnosis), cells: 0 })
    return count.values?.get(value) ?? null
  }

  #addRow(rowNumber: number, cells: readonly BadCell[], row: RowView, diagnosis: Diagnosis): void {
    const count = this.#countOf(null, diagnosis, rowNumber)
    count.cells += cells.length
    count.rows++
    for (const { column, fault } of cells) this.#faults.counterOf(column, fault.code).count++
    for (const { column, value } of cells) {
      if (count.examples.length >= errorScreenLimits.maxExamples) break
      if (value.trim() === '') continue
      const label = this.#columns[column]?.field?.name
      addExample(count.examples, { ...this.#example(rowNumber, value, diagnosis), label })
    }
    if (count.rows > this.#mostRows) return
    count.kept.push(...this.#kept(rowNumber, cells, row, () => diagnosis).cells)
  }

  #countOf(
    column: number | null,
    diagnosis: Pick<Diagnosis, 'kind' | 'detail'>,
    rowNumber: number,
  ): DiagnosisCount {
    const counts = this.#counts[column ?? this.#columns.length + 1]
    for (let index = 0; index < counts.length; index++) {
      const count = counts[index]
      if (count.kind === diagnosis.kind && count.detail === diagnosis.detail) return count
    }
    const count = newCount(column, diagnosis, rowNumber)
    counts.push(count)
    return count
  }
}

/** Whether valid dates may show the order of bad ones with the same separator, or may be swapped. */
function isOrderOpen(format: string, counts: readonly DiagnosisCount[]): boolean {
  const own = counts.filter(({ detail }) => separatorOf(detail) === separatorOf(format))
  const proves = own.reduce((all, count) => all | count.proves, 0)
  // The column shows both orders whatever its valid dates show.
  if ((proves & Proof.DayFirst) !== 0 && (proves & Proof.MonthFirst) !== 0) return false
  const isOwnSwapped = (proves & Proof.SwappedOwn) !== 0
  const isOpen = own.some(
    ({ kind, suggested: [open, first, , both] }) =>
      kind === 'dateOrder' || (kind === 'timeOfDay' && (first !== open || open !== both)),
  )
  // Valid dates that begin with the year show nothing about others.
  return isOwnSwapped || (isOpen && !format.startsWith('y'))
}

/** Texts with a day above 12 that make it likely that a spreadsheet has read the others as dates. */
const FEWEST_LEFT_AS_TEXT = 3

/** Whether all texts of one order are dates that a spreadsheet of the other order leaves as text. */
function mayBeMisread(counts: readonly DiagnosisCount[]): boolean {
  const orders = counts.reduce((all, count) => all | count.proves, 0) & (Proof.DayFirst | Proof.MonthFirst)
  if (orders !== Proof.DayFirst && orders !== Proof.MonthFirst) return false
  const left = counts.filter(({ kind, proves }) => kind === 'dateFormat' && (proves & orders) !== 0)
  const isOpen = counts.some(({ kind }) => kind === 'dateOrder')
  return !isOpen && left.reduce((sum, { cells }) => sum + cells, 0) >= FEWEST_LEFT_AS_TEXT
}
