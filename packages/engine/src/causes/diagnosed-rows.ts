import type { Conclusion } from '#causes/conclusion.ts'
import { RowDiagnoser } from '#causes/row-diagnoser.ts'
import { swappedBack, swappedDate } from '#causes/swapped-dates.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell, FaultSink, RowView } from '#source/table-source.ts'

/** A bad cell with what the whole file says about it. `value` is its text, not trimmed and not cut. */
export type DiagnosedCell = {
  readonly column: number
  readonly value: string
  /** The `id` of its cause; null for a valid date that is swapped (see `withSwappedDates`). */
  readonly cause: string | null
  /** The value that would be right; null where none is nearly certain. '' empties the cell. */
  readonly suggestion: string | null
}

/** The bad cells of a row, in the order of their columns. */
export type DiagnosedRow = { readonly rowNumber: number; readonly cells: readonly DiagnosedCell[] }

/**
 * A sink for a second reading that knows cause and suggestion of every bad cell, row by row, in the memory of
 * one row. `columns` are compiled from the same fields as for `findCauses`.
 */
export class DiagnosedRows implements FaultSink {
  readonly #diagnoser: RowDiagnoser
  readonly #columns: readonly ColumnCheck[]
  readonly #conclusion: Conclusion
  readonly #take: (row: DiagnosedRow) => void

  constructor(
    columns: readonly ColumnCheck[],
    conclusion: Conclusion,
    /** Called for each row with errors. */
    take: (row: DiagnosedRow) => void,
  ) {
    this.#diagnoser = new RowDiagnoser(columns, conclusion.currentYear, conclusion.headingEnd)
    this.#columns = columns
    this.#conclusion = conclusion
    this.#take = take
  }

  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView): void {
    if (cells.length > 0) this.#take({ rowNumber, cells: this.diagnosed(rowNumber, cells, row) })
  }

  diagnosed(rowNumber: number, cells: readonly BadCell[], row: RowView): DiagnosedCell[] {
    if (cells.length === 0) return []
    const bad = cells.filter(({ fault }) => fault !== swappedDate)
    const diagnosisOf = this.#diagnoser.diagnosesOf(rowNumber, bad, row)
    return cells.map((cell) => {
      const { column, value, fault } = cell
      if (fault === swappedDate)
        return { column, value, cause: null, suggestion: swappedBack(this.#columns[column], value) }
      const diagnosis = diagnosisOf(cell)
      return {
        column,
        value,
        cause: this.#conclusion.causeOf(column, diagnosis),
        suggestion: this.#conclusion.suggestionFor(column, diagnosis),
      }
    })
  }

  records(): void {}
}
