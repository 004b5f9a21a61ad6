import { cellErrorKinds } from '@veridict/contract/messages/cells'
import type { CellFaultCode } from '@veridict/contract/model/cell-error'
import type { ErrorGroup } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'

/** How often a column has a fault. Cells beyond the header count as one column, the last. */
type ErrorCount = { readonly column: number; readonly code: CellFaultCode; count: number }

export class ErrorCounts {
  readonly #columns: readonly ColumnCheck[]
  /** By column, in the order in which the faults appeared. */
  readonly #counts: ErrorCount[][]

  constructor(columns: readonly ColumnCheck[]) {
    this.#columns = columns
    this.#counts = Array.from({ length: columns.length + 1 }, () => [])
  }

  /** The name of a column's field; '' for columns outside the table. */
  label(column: number): string {
    return this.#columns[column]?.field?.name ?? ''
  }

  /** Made at the first such fault. Searched one by one: a column has one to three kinds of fault. */
  counterOf(column: number, code: CellFaultCode): { count: number } {
    const { length } = this.#columns
    const counts = this.#counts[column < length ? column : length]
    for (let index = 0; index < counts.length; index++) {
      const known = counts[index]
      if (known.code === code) return known
    }
    const count: ErrorCount = { column: Math.min(column, length), code, count: 0 }
    counts.push(count)
    return count
  }

  /** Largest first, then by column, then as they appeared in the file. */
  groups(): ErrorGroup[] {
    return this.#counts
      .flat()
      .sort((one, other) => other.count - one.count)
      .map(({ column, code, count }) => ({
        columnPosition: columnLetter(column),
        label: this.label(column),
        error: cellErrorKinds[code],
        count,
      }))
  }
}
