import { addPositions, type Counts, positionOf } from '../findings.ts'
import { badCell, isOnlyTooPrecise } from './bad-cell.ts'
import type { Column } from './columns.ts'
import { SeededRandom } from './seeded-random.ts'

/** The bad cells of a generated file: every program's findings are compared with them. */
export type Truth = Counts & {
  bytes: number
  rows: number
  badRows: number
  perColumn: number[]
  positions: number
  /** The share of those that only have too many decimals. */
  tooPrecise: { badCells: number; positions: number }
}

/** Makes rows one after the other and counts their bad cells. */
export class RowMaker {
  readonly truth: Truth
  readonly #columns: readonly Column[]
  readonly #badShare: number
  readonly #random: SeededRandom

  constructor(columns: readonly Column[], seed: number, badShare: number) {
    this.#columns = columns
    this.#badShare = badShare
    this.#random = new SeededRandom(seed)
    this.truth = {
      bytes: 0,
      rows: 0,
      badRows: 0,
      badCells: 0,
      positions: 0,
      perColumn: columns.map(() => 0),
      tooPrecise: { badCells: 0, positions: 0 },
    }
  }

  next(): string[] {
    const badBefore = this.truth.badCells
    const cells = this.#columns.map((column, index) => this.#cell(column, index))
    this.truth.rows++
    if (this.truth.badCells > badBefore) this.truth.badRows++
    return cells
  }

  #cell(column: Column, index: number): string {
    const isBad = this.#badShare > 0 && this.#random.isLikely(this.#badShare)
    if (!isBad) return column.make(this.#random, this.truth.rows + 1)
    const text = badCell(column, this.#random)
    const { truth } = this
    const position = positionOf(truth.rows, index, this.#columns.length)
    truth.perColumn[index]++
    for (const counted of isOnlyTooPrecise(column, text) ? [truth, truth.tooPrecise] : [truth]) {
      counted.badCells++
      counted.positions = addPositions(counted.positions, position)
    }
    return text
  }
}
