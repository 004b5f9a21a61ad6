/** A cell that an output file changes. `column` counts from 0. */
type EditedCell = { readonly column: number }

/** The cells of a row that an output file changes, in the order of their columns. */
export type EditedRow<Cell extends EditedCell> = {
  readonly rowNumber: number
  readonly cells: readonly Cell[]
}

/** The rows that an output file changes, in the order of the file. */
export type EditedRows<Cell extends EditedCell> = {
  /** The next row, without taking it; null after the last one. */
  peek(): Promise<EditedRow<Cell> | null>
  take(): void
}
