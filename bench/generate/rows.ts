import { addPositions, type Counts, positionOf } from '../findings.ts'
import { badCell, type Fault } from './bad-cell.ts'
import type { Column } from './columns.ts'
import { SeededRandom } from './seeded-random.ts'

/** The bad cells of a generated file: every program's findings are compared with them. */
export type Truth = Counts & {
  bytes: number
  rows: number
  badRows: number
  perColumn: number[]
  positions: number
  /** The share of each kind of fault, for programs that cannot express one. */
  byFault: Partial<Record<Fault, { badCells: number; positions: number }>>
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
      byFault: {},
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
    const { text, fault } = badCell(column, this.#random)
    this.#count(fault, index)
    return text
  }

  #count(fault: Fault, index: number): void {
    const { truth } = this
    const position = positionOf(truth.rows, index, this.#columns.length)
    const ofFault = (truth.byFault[fault] ??= { badCells: 0, positions: 0 })
    truth.badCells++
    truth.positions = addPositions(truth.positions, position)
    truth.perColumn[index]++
    ofFault.badCells++
    ofFault.positions = addPositions(ofFault.positions, position)
  }
}
