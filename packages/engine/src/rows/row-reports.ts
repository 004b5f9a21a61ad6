import { errorScreenLimits } from '@veridict/contract/limits'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Verdict } from '@veridict/contract/model/verdict'
import { CauseCollector, type CausePlatform } from '#causes/cause-collector.ts'
import { type Conclusion, rowReport } from '#causes/conclusion.ts'
import type { DiagnosisCount } from '#causes/diagnosis-count.ts'
import type { ColumnQuestion, ValidValues } from '#causes/valid-values.ts'
import type { BadCell } from '#causes/diagnosis.ts'
import type { KeptRow } from '#causes/kept-cell.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type ErrorCount, ErrorCounts } from '#rows/error-counts.ts'
import { RowKeys } from '#rows/row-keys.ts'
import type { FaultSink, CellView, RowView } from '#source/table-source.ts'

/** The errors of a range of a file, as plain data, which threads can send to each other. */
export type RangeReport = {
  records: number
  errorRows: number
  cellErrors: number
  counts: readonly ErrorCount[]
  diagnoses: readonly DiagnosisCount[]
  rows: readonly KeptRow[]
}

/**
 * Collects the faults of all rows in bounded memory: exact counts, the causes, and the first rows with errors
 * in full. Beyond those rows no sentence is made.
 */
export class RowReports implements FaultSink {
  readonly #maxErrorRows: number
  readonly #rows: KeptRow[] = []
  readonly #counts: ErrorCounts
  readonly #causes: CauseCollector
  readonly #keys: RowKeys
  #records = 0
  #errorRows = 0
  #cellErrors = 0
  /** The bad cells of the row that is read. */
  #openRow = 0
  #openCells: BadCell[] = []
  #openView: RowView | null = null

  constructor(
    columns: readonly ColumnCheck[],
    platform: CausePlatform,
    maxErrorRows: number = errorScreenLimits.maxRows,
  ) {
    this.#maxErrorRows = maxErrorRows
    this.#counts = new ErrorCounts(columns)
    this.#causes = new CauseCollector(columns, platform)
    this.#keys = new RowKeys(columns, platform)
  }

  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView, row: RowView): void {
    if (rowNumber !== this.#openRow) this.#endRow()
    this.#openRow = rowNumber
    this.#openView = row
    this.#openCells.push({ column, fault, value: cell.value })
    this.#counts.add(column, fault.code)
  }

  record(): void {
    this.#records++
    if (this.#openCells.length > 0) this.#endRow()
  }

  get recordsCount(): number {
    return this.#records
  }

  rangeReport(): RangeReport {
    this.#endRow()
    return {
      records: this.#records,
      errorRows: this.#errorRows,
      cellErrors: this.#cellErrors,
      counts: this.#counts.all(),
      diagnoses: this.#causes.all(),
      rows: this.#rows,
    }
  }

  /** Adds the report of the next range of the file; its rows count from 1 and follow `rowsBefore` others. */
  add({ records, errorRows, cellErrors, counts, diagnoses, rows }: RangeReport, rowsBefore: number): void {
    this.#records += records
    this.#errorRows += errorRows
    this.#cellErrors += cellErrors
    this.#counts.addAll(counts)
    this.#causes.addAll(diagnoses, rowsBefore)
    for (const row of rows) {
      if (this.#rows.length >= this.#maxErrorRows) break
      this.#rows.push({ ...row, rowNumber: row.rowNumber + rowsBefore })
    }
  }

  /** Whether the report of the next range leaves out rows with errors that the verdict could still hold. */
  lacksRowsOf({ errorRows, rows }: RangeReport): boolean {
    return rows.length < errorRows && this.#rows.length + rows.length < this.#maxErrorRows
  }

  /** What the valid values of the file should be asked before `conclude`. To be called after the last row. */
  questions(): ColumnQuestion[] {
    this.#endRow()
    return this.#causes.questions(this.#records)
  }

  /** What the whole file says about its bad cells. `valid`: the answers to `questions`. */
  conclude(valid: ReadonlyMap<number, ValidValues>): Conclusion {
    return this.#causes.conclude(this.#records, valid)
  }

  verdict(conclusion: Conclusion): Verdict {
    if (this.#errorRows === 0) return { kind: 'passed', recordsCount: this.#records }
    return {
      kind: 'rowErrors',
      recordsCount: this.#records,
      errorRowCount: this.#errorRows,
      cellErrorCount: this.#cellErrors,
      rows: this.#rows.map((row) => rowReport(row, conclusion)),
      groups: this.#counts.groups(),
      causes: conclusion.causes,
      causeRows: conclusion.causeRows,
    }
  }

  #endRow(): void {
    const cells = this.#openCells
    if (cells.length === 0) return
    this.#openCells = []
    this.#errorRows++
    this.#cellErrors += cells.length
    const key = this.#keys.reader(this.#openView!)
    const diagnoses = this.#causes.row(this.#openRow, cells, key)
    if (this.#rows.length < this.#maxErrorRows) {
      const kept = cells.map((cell, index) => this.#causes.keep(cell, diagnoses[index]))
      this.#rows.push({ rowNumber: this.#openRow, key: key(), cells: kept })
    }
  }
}
