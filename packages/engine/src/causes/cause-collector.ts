import { errorScreenLimits } from '@veridict/contract/limits'
import { causeAdvice, causeMessage } from '@veridict/contract/messages/causes'
import type { Cause, CauseExample, CauseRows } from '@veridict/contract/model/cause'
import type { RowKeyPart, RowReport } from '@veridict/contract/model/cell-error'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { BadCell, Diagnosis } from '#causes/diagnosis.ts'
import { cellError, keepCell, type KeptCell, type KeptRow, shownValue } from '#causes/kept-cell.ts'
import { RowDiagnoser } from '#causes/row-diagnoser.ts'
import type { Platform } from '#platform.ts'

/** The cells of a column, or of whole rows, with the same diagnosis. Plain data. */
export type DiagnosisCount = {
  /** null for whole rows. Cells beyond the header count as one column, the last. */
  readonly column: number | null
  readonly kind: string
  readonly detail: string
  cells: number
  rows: number
  firstRow: number
  readonly examples: { rowNumber: number; value: string; diagnosis: Diagnosis }[]
  /** The first rows. */
  readonly keptRows: { rowNumber: number; key: RowKeyPart[]; cells: KeptCell[] }[]
}

/** What the whole file says about its bad cells. */
export type Conclusion = {
  /** Most cells first. */
  readonly causes: Cause[]
  /** The id of the cause of a cell with this diagnosis. */
  causeOf(column: number, diagnosis: Diagnosis): string
  /** The value that would be right, now that the column is known; null for none. */
  suggestionFor(column: number, diagnosis: Diagnosis): string | null
  /** Values that pass with a wrong meaning, such as dates with day and month swapped: nobody can tell which. */
  readonly passedWrong: readonly { readonly column: number; readonly label: string; readonly cells: number }[]
}

/**
 * Finds the causes of bad cells row by row, in bounded memory: the diagnoses of a column are few, and of each
 * only counts, examples and first rows are kept. Which diagnoses make one cause, and what the right values
 * are, may depend on the whole column: `conclude` decides it behind the last row.
 */
export class CauseCollector {
  readonly #columns: readonly ColumnCheck[]
  readonly #platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>
  readonly #diagnoser: RowDiagnoser
  readonly #counts = new Map<string, DiagnosisCount>()

  constructor(columns: readonly ColumnCheck[], platform: Pick<Platform, 'encodeUtf8' | 'decodeUtf8'>) {
    this.#columns = columns
    this.#diagnoser = new RowDiagnoser(columns)
    this.#platform = platform
  }

  /** Adds the bad cells of the next row, whose key is `key()`. Returns their diagnoses in the same order. */
  row(rowNumber: number, cells: readonly BadCell[], key: () => RowKeyPart[]): readonly Diagnosis[] {
    const diagnoses = this.#diagnoser.diagnose(cells)
    for (const [index, diagnosis] of diagnoses.entries()) this.#add(rowNumber, key, cells[index], diagnosis)
    return diagnoses
  }

  /** A cell that the verdict shows. */
  keep(cell: BadCell, diagnosis: Diagnosis): KeptCell {
    return keepCell(cell, this.#label(cell.column), diagnosis, this.#platform)
  }

  /** Plain data for another thread. */
  all(): DiagnosisCount[] {
    return [...this.#counts.values()]
  }

  /** Adds what was found in the next range of the file; its rows follow `rowsBefore` others. */
  addAll(counts: readonly DiagnosisCount[], rowsBefore: number): void {
    for (const count of counts) {
      const key = keyOf(count.column, count)
      let known = this.#counts.get(key)
      if (known === undefined) {
        const firstRow = count.firstRow + rowsBefore
        known = { ...count, cells: 0, rows: 0, firstRow, examples: [], keptRows: [] }
        this.#counts.set(key, known)
      }
      known.cells += count.cells
      known.rows += count.rows
      for (const example of count.examples)
        addExample(known, { ...example, rowNumber: example.rowNumber + rowsBefore })
      for (const row of count.keptRows) {
        if (known.keptRows.length === errorScreenLimits.maxRowsPerCause) break
        known.keptRows.push({ ...row, rowNumber: row.rowNumber + rowsBefore })
      }
    }
  }

  /** To be called behind the last row. */
  conclude(): Conclusion {
    return {
      causes: this.#largestFirst().map((count) => this.#cause(count)),
      causeOf: (column, diagnosis) => causeId(this.#columnOf(column, diagnosis), diagnosis),
      suggestionFor: (_column, { suggestion }) => suggestion,
      passedWrong: [],
    }
  }

  /** The first rows of the largest causes. */
  causeRows(conclusion: Conclusion): CauseRows[] {
    return this.#largestFirst()
      .slice(0, errorScreenLimits.maxCauses)
      .map((count) => ({
        cause: causeId(count.column, count),
        rows: count.keptRows.map((row) => rowReport(row, conclusion)),
      }))
  }

  #largestFirst(): DiagnosisCount[] {
    return this.all().sort((one, other) => other.cells - one.cells)
  }

  #label(column: number): string {
    return this.#columns[column]?.field?.name ?? ''
  }

  #columnOf(column: number, { isOfRow }: Diagnosis): number | null {
    return isOfRow ? null : Math.min(column, this.#columns.length)
  }

  #add(rowNumber: number, rowKey: () => RowKeyPart[], cell: BadCell, diagnosis: Diagnosis): void {
    const column = this.#columnOf(cell.column, diagnosis)
    const { kind, detail } = diagnosis
    const key = keyOf(column, diagnosis)
    let count = this.#counts.get(key)
    if (count === undefined) {
      count = { column, kind, detail, cells: 0, rows: 0, firstRow: rowNumber, examples: [], keptRows: [] }
      this.#counts.set(key, count)
    }
    count.cells++
    count.rows++
    if (count.examples.length < errorScreenLimits.maxExamples)
      addExample(count, { rowNumber, value: shownValue(cell.value, this.#platform), diagnosis })
    if (count.keptRows.length < errorScreenLimits.maxRowsPerCause)
      count.keptRows.push({ rowNumber, key: rowKey(), cells: [this.keep(cell, diagnosis)] })
  }

  #cause(count: DiagnosisCount): Cause {
    const { column, kind, cells, rows, firstRow } = count
    const examples: CauseExample[] = count.examples.map(({ rowNumber, value, diagnosis }) => ({
      rowNumber,
      value,
      suggestion: diagnosis.suggestion,
      count: null,
    }))
    return {
      id: causeId(column, count),
      kind,
      columnPosition: column === null ? null : columnLetter(column),
      label: column === null ? null : this.#label(column),
      message: causeMessage(kind),
      advice: causeAdvice(kind),
      cells,
      rows,
      firstRow,
      suggestions: 0,
      examples,
    }
  }
}

/** A kept row as people read it, with the causes and suggestions that the whole file gives. */
export function rowReport({ rowNumber, key, cells }: KeptRow, conclusion: Conclusion): RowReport {
  const columnValidationErrors = cells.map((cell) =>
    cellError(
      cell,
      conclusion.causeOf(cell.column, cell.diagnosis),
      conclusion.suggestionFor(cell.column, cell.diagnosis),
    ),
  )
  return { rowNumber, key, totalCount: cells.length, columnValidationErrors }
}

const keyOf = (column: number | null, { kind, detail }: Pick<Diagnosis, 'kind' | 'detail'>): string =>
  `${column ?? ''} ${kind} ${detail}`

function causeId(column: number | null, { kind, detail }: Pick<Diagnosis, 'kind' | 'detail'>): string {
  const place = column === null ? 'rows' : columnLetter(column)
  return [place, kind, ...(detail === '' ? [] : [detail])].join('.')
}

function addExample({ examples }: DiagnosisCount, example: DiagnosisCount['examples'][number]): void {
  if (examples.length >= errorScreenLimits.maxExamples) return
  if (!examples.some(({ value }) => value === example.value)) examples.push(example)
}
