import type { CellFault } from '@veridict/contract/model/cell-error'
import type { BadCell, CountingSink } from '#source/table-source.ts'

/** No id: the sink must see the cell. */
export const NOT_COUNTED = -1

/** Further cells are reported row by row. Their counts stay in the processor's first cache. */
const MAX_CELLS = 1 << 12

/** Where rows have several bad cells, nothing is counted: each such row takes a credit, others give some. */
const CREDITS = 512
const CREDITS_OF_COUNT = 8

/** What cells that are only counted have in common. `memo`: what the sink counts them by. */
export type CountedCell = {
  readonly column: number
  readonly fault: CellFault
  readonly memo: object | null
}

/**
 * Counts the rows whose only bad cell the sink need not see again, and tells the sink after the last row.
 * Where few cells are bad, what the sink knows of a cell has left the processor's caches whenever the next
 * bad one comes: a count in a small array costs a tenth of the report of a row.
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

  /** The cell that was not counted, because another one of its row is bad. */
  given(id: number): CountedCell {
    this.#credits--
    return this.#cells[id]
  }

  countRow(id: number): void {
    this.#rows[id]++
    if (this.#credits < CREDITS) this.#credits += CREDITS_OF_COUNT
  }

  /** Tells the sink all counts. To be called once, after the last row. */
  tell(): void {
    for (const [id, { memo }] of this.#cells.entries()) this.#sink.countRows(memo, this.#rows[id])
  }
}
