import type { Conclusion } from '#causes/conclusion.ts'
import { RowDiagnoser } from '#causes/row-diagnoser.ts'
import { swappedBack, swappedDate } from '#causes/swapped-dates.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell, RowView } from '#source/table-source.ts'

/** A bad cell with what the whole file says about it. `value` is its text, not trimmed and not cut. */
export type DiagnosedCell = {
  readonly column: number
  readonly value: string
  /** The `id` of its cause; null for a valid date that is swapped (see `withSwappedDates`). */
  readonly cause: string | null
  /** The value that would be right; null where none is nearly certain. '' empties the cell. */
  readonly suggestion: string | null
}

/**
 * For a second reading: returns cause and suggestion of each bad cell of a row, in the order of the columns.
 * `columns` are compiled from the same fields as for `findCauses`.
 */
export function diagnosedCells(columns: readonly ColumnCheck[], conclusion: Conclusion) {
  const diagnoser = new RowDiagnoser(columns, conclusion.currentYear, conclusion.headingEnd)
  return (rowNumber: number, cells: readonly BadCell[], row: RowView): DiagnosedCell[] => {
    if (cells.length === 0) return []
    const bad = cells.filter(({ fault }) => fault !== swappedDate)
    const diagnosisOf = diagnoser.diagnosesOf(rowNumber, bad, row)
    return cells.map((cell) => {
      const { column, value, fault } = cell
      if (fault === swappedDate)
        return { column, value, cause: null, suggestion: swappedBack(columns[column], value) }
      const diagnosis = diagnosisOf(cell)
      const cause = conclusion.causeOf(column, diagnosis)
      return { column, value, cause, suggestion: conclusion.suggestionFor(column, diagnosis) }
    })
  }
}
