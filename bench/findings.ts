import type { Field } from '@veridict/contract/model/field'
import type { RowRule } from '@veridict/contract/model/row-rule'

/** The bad cells that a program found in a file; they must equal those that the generator made. */
export type Counts = {
  /** Records below the header; null if a program does not print them. */
  rows: number | null
  badCells: number
  /** Bad cells of each column; null if a program does not print them. */
  perColumn: number[] | null
  /** Sum (`addPositions`) of `positionOf` over the bad cells; null if a program only counts. */
  positions: number | null
}

/** Knuth's multiplier, 2³² ÷ the golden ratio: neighbouring cells get numbers far apart. */
const SPREAD = 0x9e3779b1

/** The number of one cell in `Counts.positions`, 32 bits. Row 0 is the first record, column 0 the first. */
export function positionOf(row: number, column: number, columns: number): number {
  const cell = row * columns + column
  const spread = Math.imul(cell ^ (cell >>> 11), SPREAD)
  return spread ^ (spread >>> 15)
}

/** The sum of two `positions`, modulo 2³²: larger numbers would slow down the programs that count. */
export const addPositions = (a: number, b: number): number => (a + b) | 0

/** The input of a measured program. */
export type Job = {
  path: string
  dictionaryPath: string
  fields: readonly Field[]
  rules?: readonly RowRule[]
  /** The path for the workbook that a program writes. */
  outputPath: string
}

/** Does a job in this process and returns what it found; null if it counts nothing. */
export type Program = (job: Job) => Promise<Counts | null>
