import type { FileGuards } from '#limits.ts'
import type { SourceRow } from '#source/table-source.ts'
import { type CellTables, type CellType, readCell } from '#source/xlsx/cell-text.ts'
import type { RowHandler } from '#source/xlsx/row-handler.ts'
import { workbookProblems } from '#source/xlsx/workbook-problems.ts'

/** Cells after which a batch is handed on: sparse rows may be 16,384 cells wide. */
const CELLS_PER_BATCH = 64 * 1024

/** Gathers rows as texts; blank rows and blank cells at the end of a row are left out. */
export class CollectRows implements RowHandler {
  private readonly tables: CellTables
  private readonly limits: FileGuards
  private rows: SourceRow[] = []
  private cellCount = 0
  private rowNumber = 0
  private cells: string[] = []

  private readonly cellsPerBatch: number

  constructor(tables: CellTables, limits: FileGuards, cellsPerBatch = CELLS_PER_BATCH) {
    this.tables = tables
    this.limits = limits
    this.cellsPerBatch = cellsPerBatch
  }

  get isFull(): boolean {
    return this.cellCount >= this.cellsPerBatch
  }

  /** The rows gathered since the last time. */
  take(): SourceRow[] {
    const { rows } = this
    this.rows = []
    this.cellCount = 0
    return rows
  }

  startRow(rowNumber: number): void {
    this.rowNumber = rowNumber
    this.cells = []
  }

  cell(column: number, type: CellType, style: number, raw: string): void {
    const { text } = readCell(type, style, raw, this.tables)
    if (text.length > this.limits.maxCellLength) throw workbookProblems.cellTooLong(this.rowNumber, this.limits.maxCellLength)
    if (column >= this.cells.length) {
      if (text === '') return
      while (this.cells.length < column) this.cells.push('')
    }
    this.cells[column] = text
  }

  endRow(): void {
    const { cells } = this
    while (cells.length > 0 && cells[cells.length - 1].trim() === '') cells.pop()
    if (cells.length === 0) return
    this.rows.push({ rowNumber: this.rowNumber, cells })
    this.cellCount += cells.length
  }
}
