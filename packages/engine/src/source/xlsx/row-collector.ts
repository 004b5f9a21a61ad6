import { type CellTables, type CellType, readCell } from '#formats/spreadsheet/cell-text.ts'
import type { RowHandler } from '#formats/spreadsheet/sheet-reader.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'
import type { RowOptions, SourceCellKind, SourceRow } from '#source/table-source.ts'

/** Cells after which a batch is returned: a row may have 16,384. */
const CELLS_PER_BATCH = 64 * 1024

/** Collects rows as texts, without blank rows and without blank cells at the end of a row. */
export class RowCollector implements RowHandler {
  private readonly tables: CellTables
  private readonly limits: FileGuards
  private rows: SourceRow[] = []
  private cellCount = 0
  private rowNumber = 0
  private cells: string[] = []
  private kinds: (SourceCellKind | undefined)[] | undefined

  readonly options: RowOptions

  constructor(tables: CellTables, limits: FileGuards, options: RowOptions = {}) {
    this.tables = tables
    this.limits = limits
    this.options = options
  }

  get isFull(): boolean {
    return this.cellCount >= (this.options.cellsPerBatch ?? CELLS_PER_BATCH)
  }

  /** The rows collected since the last call. */
  take(): SourceRow[] {
    const { rows } = this
    this.rows = []
    this.cellCount = 0
    return rows
  }

  startRow(rowNumber: number): void {
    this.rowNumber = rowNumber
    this.cells = []
    this.kinds = undefined
  }

  cell(column: number, type: CellType, style: number, raw: string): void {
    const { text, kind } = readCell(type, style, raw, this.tables)
    if (text.length > this.limits.maxCellLength)
      throw workbookProblems.cellTooLong(this.rowNumber, this.limits.maxCellLength)
    if (column >= this.cells.length) {
      if (text === '') return
      while (this.cells.length < column) this.cells.push('')
    }
    this.cells[column] = text
    // If a cell comes twice, the last one counts.
    const special = kind === 'moment' || kind === 'error' ? kind : undefined
    if (this.options.withKinds === true && (special !== undefined || this.kinds !== undefined))
      (this.kinds ??= [])[column] = special
  }

  endRow(): void {
    const { cells } = this
    while (cells.length > 0 && cells[cells.length - 1].trim() === '') cells.pop()
    if (cells.length === 0) return
    this.rows.push({ rowNumber: this.rowNumber, cells, ...(this.kinds && { kinds: this.kinds }) })
    this.cellCount += cells.length
  }
}
