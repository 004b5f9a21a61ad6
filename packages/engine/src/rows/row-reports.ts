import { errorScreenLimits } from '@veridict/contract/limits'
import { cellErrorKinds } from '@veridict/contract/messages/cells'
import {
  type CellError,
  type CellFault,
  type CellFaultCode,
  cellFaultCodes,
  type RowReport,
} from '@veridict/contract/model/cell-error'
import type { ErrorGroup, Verdict } from '@veridict/contract/model/verdict'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { Platform } from '#platform.ts'
import type { FaultSink, CellView } from '#source/table-source.ts'

const CODES = cellFaultCodes.length

/** What was found in a range of a file, as plain data, so that it can be sent from one thread to another. */
export type RangeReport = {
  records: number
  errorRows: number
  cellErrors: number
  /** Faults by column and kind, in the places that `RowReports` gives them. */
  counts: Float64Array
  rows: readonly RowReport[]
}

/**
 * Collects what the judging of rows finds, in bounded memory: exact counts of everything, the first rows with
 * errors in full, and for the rest numbers only. No sentence is asked for and no value kept beyond those
 * rows: a file in which every cell is bad costs little more than a clean one.
 */
export class RowReports implements FaultSink {
  readonly #columns: readonly ColumnCheck[]
  readonly #platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>
  readonly #maxErrorRows: number
  readonly #rows: RowReport[] = []
  /**
   * Faults by column and kind: index = column × kinds + kind. The last column stands for all cells beyond the
   * header.
   */
  readonly #counts: Float64Array
  #records = 0
  #errorRows = 0
  #cellErrors = 0
  #lastErrorRow = 0

  constructor(
    columns: readonly ColumnCheck[],
    platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>,
    maxErrorRows: number = errorScreenLimits.maxRows,
  ) {
    this.#columns = columns
    this.#platform = platform
    this.#maxErrorRows = maxErrorRows
    this.#counts = new Float64Array((columns.length + 1) * CODES)
  }

  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView): void {
    this.#cellErrors++
    this.#counts[Math.min(column, this.#columns.length) * CODES + placeOf(fault.code)]++
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

  findings(): RangeReport {
    return {
      records: this.#records,
      errorRows: this.#errorRows,
      cellErrors: this.#cellErrors,
      counts: this.#counts,
      rows: this.#rows,
    }
  }

  /**
   * Adds what was found in the next range of the file. Its rows count from 1 and stand behind `rowsBefore`
   * others.
   */
  add({ records, errorRows, cellErrors, counts, rows }: RangeReport, rowsBefore: number): void {
    this.#records += records
    this.#errorRows += errorRows
    this.#cellErrors += cellErrors
    for (const [index, count] of counts.entries()) this.#counts[index] += count
    for (const row of rows) {
      if (this.#rows.length >= this.#maxErrorRows) break
      this.#rows.push({ ...row, rowNumber: row.rowNumber + rowsBefore })
    }
  }

  /** Whether the next range left out rows with errors for which the verdict still has room. */
  lacksRowsOf({ errorRows, rows }: RangeReport): boolean {
    return rows.length < errorRows && this.#rows.length + rows.length < this.#maxErrorRows
  }

  /** What was found, once all rows are through. */
  verdict(): Verdict {
    if (this.#errorRows === 0) return { kind: 'passed', recordsCount: this.#records }
    return {
      kind: 'rowErrors',
      recordsCount: this.#records,
      errorRowCount: this.#errorRows,
      cellErrorCount: this.#cellErrors,
      rows: this.#rows,
      groups: this.#groups(),
    }
  }

  #cellError(column: number, { error, expected }: CellFault, value: string): CellError {
    return {
      columnPosition: columnLetter(column),
      label: this.#columns[column]?.field?.name ?? '',
      error,
      value: this.#shown(value),
      expected,
    }
  }

  /** Cut without splitting a character, and copied: a slice would keep the whole of a long value alive. */
  #shown(value: string): string {
    const limit = errorScreenLimits.maxValueLength
    if (value.length <= limit) return value
    const cut = value.slice(0, value.codePointAt(limit - 1)! > 0xffff ? limit - 1 : limit)
    const bytes = this.#platform.encodeUtf8(cut)
    return this.#platform.decodeUtf8(bytes, 0, bytes.length)
  }

  #groups(): ErrorGroup[] {
    const groups: ErrorGroup[] = []
    for (let column = 0; column <= this.#columns.length; column++) {
      for (const code of cellFaultCodes) {
        const count = this.#counts[column * CODES + placeOf(code)]
        if (count === 0) continue
        const label = this.#columns[column]?.field?.name ?? ''
        groups.push({ columnPosition: columnLetter(column), label, error: cellErrorKinds[code], count })
      }
    }
    return groups.sort((a, b) => b.count - a.count)
  }
}

/**
 * A place in `counts` for each code, among those of one column. A switch compares pointers; looking the code
 * up in a map or an array takes some 8 ns of the 130 that a bad cell costs.
 */
function placeOf(code: CellFaultCode): number {
  switch (code) {
    case 'required':
      return 0
    case 'textTooShort':
      return 1
    case 'textTooLong':
      return 2
    case 'notANumber':
      return 3
    case 'decimalComma':
      return 4
    case 'tooManyDecimals':
      return 5
    case 'numberTooSmall':
      return 6
    case 'numberTooLarge':
      return 7
    case 'notADate':
      return 8
    case 'notACalendarDay':
      return 9
    case 'timeOfDay':
      return 10
    case 'patternMismatch':
      return 11
    case 'notInList':
      return 12
    case 'errorCell':
      return 13
    case 'missingCell':
      return 14
    case 'extraCell':
      return 15
  }
}
