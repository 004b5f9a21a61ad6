/** What a program found in a file, and what the generator put there: the two must agree. */
export type Counts = {
  /** Records below the header; null where a program does not tell. */
  rows: number | null
  badCells: number
  /** Bad cells of each column; null where a program does not tell. */
  perColumn: number[] | null
  /** Sum over the bad cells of a number made from row and column; null where a program only counts. */
  positions: number | null
}

/** A prime: two different sets of positions have equal sums only by accident. */
const POSITION_MODULUS = 1_000_003

/** The number of one cell in `Counts.positions`. Row and column are zero-based, the header not counted. */
export const positionOf = (row: number, column: number, columns: number): number => (row * columns + column) % POSITION_MODULUS

/** As many bad rows as the portal shows: what a program must keep in full, beyond its counts. */
const KEPT_ROWS = 100

type KeptCell = { row: number; column: number; value: string }

/** Collects what a program finds: exact counts for the whole file, values for the first rows with errors, as the portal does. */
export class Findings {
  rows = 0
  badCells = 0
  positions = 0
  readonly perColumn: number[]
  readonly kept: KeptCell[] = []
  readonly #columns: number
  #keptRows = 0
  #lastBadRow = -1

  constructor(columns: number) {
    this.#columns = columns
    this.perColumn = Array.from({ length: columns }, () => 0)
  }

  badCell(row: number, column: number, value: string): void {
    this.badCells++
    this.perColumn[column]++
    this.positions += positionOf(row, column, this.#columns)
    if (row !== this.#lastBadRow) {
      this.#lastBadRow = row
      this.#keptRows++
    }
    if (this.#keptRows <= KEPT_ROWS) this.kept.push({ row, column, value })
  }

  counts(): Counts {
    return { rows: this.rows, badCells: this.badCells, perColumn: this.perColumn, positions: this.positions }
  }
}
