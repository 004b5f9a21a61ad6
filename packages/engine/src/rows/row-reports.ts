import { errorScreenLimits } from '@veridict/contract/limits'
import type { Verdict } from '@veridict/contract/model/verdict'
import { CauseCollector, type CausePlatform } from '#causes/cause-collector.ts'
import { type Conclusion, rowReport } from '#causes/conclusion.ts'
import type { DiagnosisCount } from '#causes/diagnosis-count.ts'
import type { ColumnSwap } from '#causes/swapped-columns.ts'
import type { ColumnQuestion, ValidValues } from '#causes/valid-values.ts'
import type { KeptRow } from '#causes/kept-cell.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { type ErrorCount, ErrorCounts } from '#rows/error-counts.ts'
import { RowKeys } from '#rows/row-keys.ts'
import type { BadCell, CountingSink, RowView } from '#source/table-source.ts'

/** How many rows with errors a verdict holds. */
export type RowLimits = {
  /**
   * How many rows from the start of the file with all their errors; by default the 100 of the error screen.
   */
  maxErrorRows?: number
  /** How many rows of each cause; by default as many as the error screen shows. */
  maxCauseRows?: number
}

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
export class RowReports implements CountingSink {
  readonly keepsMemos = true
  readonly #maxErrorRows: number
  readonly #rows: KeptRow[] = []
  readonly #counts: ErrorCounts
  readonly #causes: CauseCollector
  #records = 0
  #errorRows = 0
  #cellErrors = 0

  constructor(
    columns: readonly ColumnCheck[],
    platform: CausePlatform,
    { maxErrorRows = errorScreenLimits.maxRows, maxCauseRows }: RowLimits = {},
    /** See `findSecondHeadings`. */
    headingEnd = 0,
  ) {
    this.#maxErrorRows = maxErrorRows
    this.#counts = new ErrorCounts(columns)
    const keys = new RowKeys(columns, platform)
    this.#causes = new CauseCollector(columns, platform, this.#counts, keys, maxCauseRows, headingEnd)
  }

  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView): void {
    this.#errorRows++
    this.#cellErrors += cells.length
    this.#causes.add(rowNumber, cells, row)
    if (this.#rows.length < this.#maxErrorRows) this.#rows.push(this.#causes.keep(rowNumber, cells, row))
  }

  classifierOf(column: number): ReturnType<CountingSink['classifierOf']> {
    return this.#causes.classifierOf(column)
  }

  needsOnlyCount(cell: BadCell): boolean {
    return this.#rows.length >= this.#maxErrorRows && this.#causes.needsOnlyCount(cell)
  }

  countRows(memo: object | null, rows: number): void {
    this.#errorRows += rows
    this.#cellErrors += rows
    this.#causes.countRows(memo, rows)
  }

  record(): void {
    this.#records++
  }

  get recordsCount(): number {
    return this.#records
  }

  rangeReport(): RangeReport {
    // The collector of causes comes first, because it also counts the faults.
    const diagnoses = this.#causes.all()
    return {
      records: this.#records,
      errorRows: this.#errorRows,
      cellErrors: this.#cellErrors,
      counts: this.#counts.all(),
      diagnoses,
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

  /**
   * The questions about the valid values of the file that must be answered before `conclude`. Called after
   * the last row.
   */
  questions(): ColumnQuestion[] {
    return this.#causes.questions(this.#records)
  }

  /** The columns that may have the values of another column. Called after the last row. */
  swapCandidates(): number[] {
    return this.#causes.swapCandidates(this.#records)
  }

  /** The causes of the bad cells, from the whole file. `valid`: the answers to `questions`. */
  conclude(valid: ReadonlyMap<number, ValidValues>, swaps: readonly ColumnSwap[] = []): Conclusion {
    return this.#causes.conclude(this.#records, valid, swaps)
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
      causeRows: conclusion.causeRows(),
    }
  }
}
