import { errorScreenLimits } from '@veridict/contract/limits'
import type { CauseRows } from '@veridict/contract/model/cause'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { Verdict, Warnings } from '@veridict/contract/model/verdict'
import { CauseCollector } from '#causes/cause-collector.ts'
import { type Conclusion, rowReport } from '#causes/conclusion.ts'
import type { ColumnSwap } from '#causes/swapped-columns.ts'
import type { ColumnQuestion, ValidValues } from '#causes/valid-values.ts'
import type { KeptRow } from '#causes/kept-cell.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { TextPlatform } from '#platform.ts'
import { ErrorCounts } from '#rows/error-counts.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { RowKeys } from '#rows/row-keys.ts'
import { type RuleCause, RuleCounts } from '#rows/rule-counts.ts'
import type { BadCell, FaultSink, RowView } from '#source/table-source.ts'

/** How many rows with errors, or warnings, a verdict holds, and who else hears of bad cells. */
export type ReportSettings = {
  /** From the start of the file, with all their errors; by default the 100 of the error screen. */
  maxErrorRows?: number
  /** How many rows of each cause; by default as many as the error screen shows. */
  maxCauseRows?: number
  /** Of each row, also if only counted; again in each pass that keys need. Valid during the call. */
  onBadCells?: (rowNumber: number, cells: readonly BadCell[]) => void
}

/** The warnings are those of rules between cells. */
type Totals = {
  records: number
  errorRows: number
  cellErrors: number
  warnings: number
  warningRows: number
}

/**
 * Collects the faults of all rows in bounded memory: exact counts, the causes, and the first rows with errors
 * in full. Sentences are made only for rows that are kept.
 */
export class RowReports implements FaultSink {
  readonly #maxErrorRows: number
  readonly #rows: KeptRow[] = []
  readonly #counts: ErrorCounts
  readonly #newCauses: () => CauseCollector
  #madeCauses: CauseCollector | undefined
  readonly #rules: RuleCounts
  readonly #keys: RowKeys
  readonly #onBadCells: ReportSettings['onBadCells']
  readonly #warningRows: RowReport[] = []
  readonly #totals: Totals = { records: 0, errorRows: 0, cellErrors: 0, warnings: 0, warningRows: 0 }

  constructor(
    columns: readonly ColumnCheck[],
    platform: TextPlatform,
    settings: ReportSettings = {},
    /** See `findSecondHeadings`. */
    headingEnd = 0,
    rules: RowRules | null = null,
  ) {
    const { maxErrorRows = errorScreenLimits.maxRows, maxCauseRows } = settings
    this.#maxErrorRows = maxErrorRows
    this.#onBadCells = settings.onBadCells
    this.#counts = new ErrorCounts(columns)
    this.#keys = new RowKeys(columns, platform)
    this.#newCauses = () =>
      new CauseCollector(columns, platform, this.#counts, this.#keys, maxCauseRows, headingEnd)
    this.#rules = new RuleCounts(rules, platform, this.#keys, maxCauseRows)
  }

  /** Made for the first bad cell: without one, the code is not even loaded (`make-bundle.ts`). */
  get #causes(): CauseCollector {
    return (this.#madeCauses ??= this.#newCauses())
  }

  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView, unmet: readonly UnmetTest[]): void {
    const errors = unmet.length === 0 ? unmet : this.#addUnmet(rowNumber, unmet, row)
    if (cells.length + errors.length === 0) return
    this.#totals.errorRows++
    this.#totals.cellErrors += cells.length + errors.length
    if (cells.length > 0) {
      this.#causes.add(rowNumber, cells, row)
      this.#onBadCells?.(rowNumber, cells)
    }
    if (this.#rows.length >= this.#maxErrorRows) return
    const kept =
      cells.length > 0
        ? this.#causes.keep(rowNumber, cells, row)
        : { rowNumber, key: this.#keys.keyOf(row), cells: [] }
    this.#rows.push(errors.length > 0 ? { ...kept, unmet: this.#rules.errorsOf(errors) } : kept)
  }

  count(rowNumber: number, cells: readonly BadCell[]): boolean {
    if (this.#rows.length < this.#maxErrorRows || !this.#causes.count(rowNumber, cells)) return false
    this.#totals.errorRows++
    this.#totals.cellErrors += cells.length
    this.#onBadCells?.(rowNumber, cells)
    return true
  }

  /** Counts unmet tests of rules, and returns those that are errors. */
  #addUnmet(rowNumber: number, unmet: readonly UnmetTest[], row: RowView): readonly UnmetTest[] {
    this.#rules.add(rowNumber, unmet, row)
    const warnings = unmet.filter(({ isWarning }) => isWarning)
    if (warnings.length === 0) return unmet
    this.#totals.warnings += warnings.length
    this.#totals.warningRows++
    if (this.#warningRows.length < this.#maxErrorRows)
      this.#warningRows.push(this.#rules.rowReport(rowNumber, warnings, row))
    return unmet.filter(({ isWarning }) => !isWarning)
  }

  records(_firstRow: number, count: number): void {
    this.#totals.records += count
  }

  get recordsCount(): number {
    return this.#totals.records
  }

  /** About valid values, to be answered before `conclude`. Called after the last row. */
  questions(): ColumnQuestion[] {
    return this.#madeCauses?.questions(this.#totals.records) ?? []
  }

  /** The columns that may have the values of another column. Called after the last row. */
  swapCandidates(): number[] {
    return this.#madeCauses?.swapCandidates(this.#totals.records) ?? []
  }

  /** The causes of the bad cells, from the whole file. `valid`: the answers to `questions`. */
  conclude(
    valid: ReadonlyMap<number, ValidValues>,
    swaps: readonly ColumnSwap[] = [],
    rowInSource?: (row: number) => number,
  ): Conclusion {
    return this.#causes.conclude(this.#totals.records, valid, swaps, rowInSource)
  }

  /** The verdict on a file without errors; null for another one, whose causes must be found first. */
  passed(): Verdict | null {
    const { records, errorRows } = this.#totals
    return errorRows > 0 ? null : { kind: 'passed', recordsCount: records, ...this.#warnings() }
  }

  verdict(conclusion: Conclusion): Verdict {
    const passed = this.passed()
    if (passed !== null) return passed
    const { records, errorRows, cellErrors } = this.#totals
    const ofRules = this.#rules.causes(false, records)
    const causes = [...conclusion.causes, ...ofRules.map(({ cause }) => cause)]
    const rowsOfRules = new Map(ofRules.map(({ cause, rows }) => [cause.id, rows]))
    // Stable: of causes with as many cells, those of cells come first.
    causes.sort((one, other) => other.cells - one.cells)
    return {
      kind: 'rowErrors',
      recordsCount: records,
      errorRowCount: errorRows,
      cellErrorCount: cellErrors,
      rows: this.#rows.map((row) => rowReport(row, conclusion)),
      groups: [...this.#counts.groups(), ...this.#rules.groups()].sort(
        (one, other) => other.count - one.count,
      ),
      causes,
      causeRows: causes.slice(0, errorScreenLimits.maxCauses).map(({ id }) => ({
        cause: id,
        get rows() {
          return rowsOfRules.get(id) ?? conclusion.rowsOf(id)
        },
      })),
      ...this.#warnings(),
    }
  }

  #warnings(): { warnings?: Warnings } {
    if (this.#totals.warnings === 0) return {}
    const causes = this.#rules.causes(true, this.#totals.records)
    const warnings = {
      warningCount: this.#totals.warnings,
      warningRowCount: this.#totals.warningRows,
      warningRows: this.#warningRows,
      causes: causes.map(({ cause }) => cause),
      causeRows: causeRowsOf(causes.slice(0, errorScreenLimits.maxCauses)),
    }
    return { warnings }
  }
}

const causeRowsOf = (causes: readonly RuleCause[]): CauseRows[] =>
  causes.map(({ cause, rows }) => ({ cause: cause.id, rows }))
