import type { BadCell, FaultSink } from '@veridict/engine'

/** Rows with errors that the portal shows. */
const KEPT_ROWS = 100

type KeptCell = { column: number; error: string; expected: string; value: string }

/**
 * The sink of a validator without causes: it counts errors by column and kind, and stores the first rows with
 * all their errors.
 */
export class CountingSink implements FaultSink {
  cellErrors = 0
  readonly rows: { rowNumber: number; cells: readonly KeptCell[] }[] = []
  readonly #counts: Map<string, number>[]

  constructor(columns: number) {
    this.#counts = Array.from({ length: columns + 1 }, () => new Map())
  }

  badCells(rowNumber: number, cells: readonly BadCell[]): void {
    this.cellErrors += cells.length
    for (const { column, fault } of cells) {
      const counts = this.#counts[Math.min(column, this.#counts.length - 1)]
      counts.set(fault.code, (counts.get(fault.code) ?? 0) + 1)
    }
    if (this.rows.length >= KEPT_ROWS) return
    const kept = cells.map(({ column, fault: { error, expected }, value }) => ({
      column,
      error,
      expected,
      value,
    }))
    this.rows.push({ rowNumber, cells: kept })
  }

  record(): void {}
}
