/** What a program found in a file, and what the generator put there: the two must agree. */
export type Counts = {
  /** Records below the header; null where a program does not tell. */
  rows: number | null
  badCells: number
  /** Bad cells of each column; null where a program does not tell. */
  perColumn: number[] | null
  /**
   * Sum (`addPositions`) over the bad cells of a number made from row and column; null where a program only
   * counts.
   */
  positions: number | null
}

/** Knuth's multiplier, 2³² ÷ the golden ratio: neighbouring cells get numbers far apart. */
const SPREAD = 0x9e3779b1

/**
 * The number of one cell in `Counts.positions`, 32 bits. Row and column are zero-based, the header not
 * counted.
 */
export function positionOf(row: number, column: number, columns: number): number {
  const cell = row * columns + column
  const spread = Math.imul(cell ^ (cell >>> 11), SPREAD)
  return spread ^ (spread >>> 15)
}

/** The sum of two `positions`. It wraps at 32 bits, so that nobody who counts pays for numbers beyond. */
export const addPositions = (a: number, b: number): number => (a + b) | 0

/** As many bad rows as the portal shows: what a program must keep in full, beyond its counts. */
const KEPT_ROWS = 100

type KeptCell = { row: number; column: number; value: string }

/**
 * Collects what a program finds: exact counts for the whole file, values for the first rows with errors, as
 * the portal does.
 */
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
    this.positions = addPositions(this.positions, positionOf(row, column, this.#columns))
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
