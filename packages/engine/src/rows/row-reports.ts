import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellError, CellFault, RowReport } from '@veridict/contract/model/cell-error'
import type { Verdict } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { Platform } from '#platform.ts'
import { type ErrorCount, ErrorCounts } from '#rows/error-counts.ts'
import type { FaultSink, CellView } from '#source/table-source.ts'

/** The errors of a range of a file, as plain data, which threads can send to each other. */
export type RangeReport = {
  records: number
  errorRows: number
  cellErrors: number
  counts: readonly ErrorCount[]
  rows: readonly RowReport[]
}

/**
 * Collects the faults of all rows in bounded memory: exact counts, and the first rows with errors in full.
 * Beyond those rows no sentence is made and no value is read, so a file in which every cell is bad costs
 * little more than a clean one.
 */
export class RowReports implements FaultSink {
  readonly #platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>
  readonly #maxErrorRows: number
  readonly #rows: RowReport[] = []
  readonly #counts: ErrorCounts
  #records = 0
  #errorRows = 0
  #cellErrors = 0
  #lastErrorRow = 0

  constructor(
    columns: readonly ColumnCheck[],
    platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>,
    maxErrorRows: number = errorScreenLimits.maxRows,
  ) {
    this.#platform = platform
    this.#maxErrorRows = maxErrorRows
    this.#counts = new ErrorCounts(columns)
  }

  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView): void {
    this.#cellErrors++
    this.#counts.add(column, fault.code)
    if (rowNumber !== this.#lastErrorRow) {
      this.#lastErrorRow = rowNumber
      this.#errorRows++
      if (this.#rows.length < this.#maxErrorRows)
        this.#rows.push({ rowNumber, totalCount: 0, columnValidationErrors: [] })
    }
    if (this.#errorRows > this.#maxErrorRows) return
    const row = this.#rows[this.#rows.length - 1]
    row.totalCount++
    row.columnValidationErrors.push(this.#cellError(column, fault, cell.value))
  }

  record(): void {
    this.#records++
  }

  get recordsCount(): number {
    return this.#records
  }

  rangeReport(): RangeReport {
    return {
      records: this.#records,
      errorRows: this.#errorRows,
      cellErrors: this.#cellErrors,
      counts: this.#counts.all(),
      rows: this.#rows,
    }
  }

  /** Adds the report of the next range of the file; its rows count from 1 and follow `rowsBefore` others. */
  add({ records, errorRows, cellErrors, counts, rows }: RangeReport, rowsBefore: number): void {
    this.#records += records
    this.#errorRows += errorRows
    this.#cellErrors += cellErrors
    this.#counts.addAll(counts)
    for (const row of rows) {
      if (this.#rows.length >= this.#maxErrorRows) break
      this.#rows.push({ ...row, rowNumber: row.rowNumber + rowsBefore })
    }
  }

  /** Whether the report of the next range leaves out rows with errors that the verdict could still hold. */
  lacksRowsOf({ errorRows, rows }: RangeReport): boolean {
    return rows.length < errorRows && this.#rows.length + rows.length < this.#maxErrorRows
  }

  /** To be called after the last row. */
  verdict(): Verdict {
    if (this.#errorRows === 0) return { kind: 'passed', recordsCount: this.#records }
    return {
      kind: 'rowErrors',
      recordsCount: this.#records,
      errorRowCount: this.#errorRows,
      cellErrorCount: this.#cellErrors,
      rows: this.#rows,
      groups: this.#counts.groups(),
    }
  }

  #cellError(column: number, { error, expected }: CellFault, value: string): CellError {
    return {
      columnPosition: columnLetter(column),
      label: this.#counts.label(column),
      error,
      value: this.#shown(value),
      expected,
    }
  }

  /** Cut without splitting a character, and copied: a slice would keep the whole long value in memory. */
  #shown(value: string): string {
    const limit = errorScreenLimits.maxValueLength
    if (value.length <= limit) return value
    const cut = value.slice(0, value.codePointAt(limit - 1)! > 0xffff ? limit - 1 : limit)
    const bytes = this.#platform.encodeUtf8(cut)
    return this.#platform.decodeUtf8(bytes, 0, bytes.length)
  }
}
