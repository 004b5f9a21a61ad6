import type { CellFault } from '@veridict/contract/model/cell-error'
import type { BadCell, CountingSink } from '#source/table-source.ts'

/** Instead of an id: the sink must see the cell. */
export const NOT_COUNTED = -1

/**
 * The most cells that are counted, so that their counts fit in the processor's first cache. Further cells are
 * reported row by row.
 */
const MAX_CELLS = 1 << 12

/**
 * If most rows have several bad cells, counting is not worth its time: each such row costs one credit, each
 * counted row adds some.
 */
const CREDITS = 512
const CREDITS_OF_COUNT = 8

/** What all cells with the same id have in common. The sink counts them by `memo`. */
export type CountedCell = {
  readonly column: number
  readonly fault: CellFault
  readonly memo: object | null
}

/**
 * Counts the rows whose only bad cell the sink need not see again, and reports the counts after the last row.
 * If few cells are bad, the sink's data about a cell is no longer in the processor's caches when the next bad
 * cell comes: a count in a small array takes a tenth of the time of reporting a row.
 */
export class CountedCells {
  readonly #sink: CountingSink
  readonly #cells: CountedCell[] = []
  readonly #rows = new Int32Array(MAX_CELLS)
  #credits = CREDITS

  constructor(sink: CountingSink) {
    this.#sink = sink
  }

  /** The id of what this cell and others like it have in common; NOT_COUNTED if the sink must see it. */
  idOf(cell: BadCell): number {
    if (this.#cells.length === MAX_CELLS || !this.#sink.needsOnlyCount(cell)) return NOT_COUNTED
    const { column, fault, memo } = cell
    return this.#cells.push({ column, fault, memo }) - 1
  }

  /** Whether most rows with a cell that could be counted have no other bad cell. */
  get isWorthwhile(): boolean {
    return this.#credits > 0
  }

  /**
   * The cell with this id, to report it: it cannot be counted, because another cell of its row is also bad.
   */
  uncountedCell(id: number): CountedCell {
    this.#credits--
    return this.#cells[id]
  }

  countRow(id: number): void {
    this.#rows[id]++
    if (this.#credits < CREDITS) this.#credits += CREDITS_OF_COUNT
  }

  /** Reports all counts to the sink. Must be called once, after the last row. */
  reportCounts(): void {
    for (const [id, { memo }] of this.#cells.entries()) this.#sink.countRows(memo, this.#rows[id])
  }
}
