import type { CellType } from '#formats/spreadsheet/cell-text.ts'

/** What a reader of a sheet tells as it goes: rows with their cells, in the order of the file. */
export type RowHandler = {
  startRow(rowNumber: number): void
  /**
   * `raw` is the text of the cell's value, entities resolved; '' for a blank one. `column` is zero-based, in
   * any order.
   */
  cell(column: number, type: CellType, style: number, raw: string): void
  endRow(): void
  /** Whether the reader should stop at the next row, to let what was gathered be taken away. */
  readonly isFull: boolean
}
