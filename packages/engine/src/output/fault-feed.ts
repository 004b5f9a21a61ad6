import type { CellFault, RowKeyPart } from '@veridict/contract/model/cell-error'
import { RowFeed } from '#output/row-feed.ts'
import { type CompiledDictionary, compileDictionary } from '#row-rules/compile-row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import { RowKeys } from '#rows/row-keys.ts'
import type { TableRequest } from '#source/open-table.ts'
import type { BadCell, PacedSink, RowView, TableSource } from '#source/table-source.ts'
import { validateKnown } from '#source/validate-known.ts'

export type PlacedFault = {
  readonly column: number
  readonly fault: Pick<CellFault, 'error' | 'expected'> & { readonly code?: CellFault['code'] }
  readonly value: string
  /** Of a rule between cells. */
  readonly rule?: { readonly index: number; readonly isWarning: boolean; readonly columns: readonly number[] }
}
/** A row and its faults: those of cells in the order of the columns, then those of rules. */
export type FaultyRow = {
  readonly rowNumber: number
  /** Empty for later rows if only the first rows need keys. */
  readonly key: readonly RowKeyPart[]
  readonly faults: readonly PlacedFault[]
}

/** The memory of a fault besides its value, in characters. */
const FAULT_SIZE = 100

const NO_WORDS = { error: '', expected: '' }

type FeedSettings = {
  /** If false, no cell is decoded and each value is ''. */
  readonly keepsValues: boolean
  readonly keeps: 'errors' | 'warnings' | 'both'
  /** Rows after so many faulty cells have no key, and no words of rules: nobody reads them. */
  readonly maxWorded?: number
}

/** The rows with errors of a file that is validated meanwhile. */
export class FaultFeed extends RowFeed<FaultyRow> implements PacedSink {
  private readonly settings: FeedSettings
  private keys: RowKeys | null = null
  private wordsLeft: number
  /** Whether there are warnings, kept or not. */
  hasWarnings = false

  constructor(settings: FeedSettings) {
    super()
    this.settings = settings
    this.wordsLeft = settings.maxWorded ?? Infinity
  }

  /** Starts a validation of the whole table. Returns the compiled dictionary. */
  async validate(table: TableSource, request: Omit<TableRequest, 'source'>): Promise<CompiledDictionary> {
    const compiled = await compileDictionary(request, table)
    this.keys = new RowKeys(compiled.columns, request.platform)
    this.start(() => validateKnown(table, compiled, this))
    return compiled
  }

  /** The names of the fields that identify a row. */
  get keyLabels(): readonly string[] {
    return this.keys?.labels ?? []
  }

  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView, unmet: readonly UnmetTest[]): void {
    const { keeps } = this.settings
    const faults = keeps === 'warnings' ? [] : cells.map((cell) => this.placed(cell))
    for (const test of unmet) {
      this.hasWarnings ||= test.isWarning
      if (keeps === 'both' || (keeps === 'warnings') === test.isWarning) faults.push(this.ofRule(test))
    }
    if (faults.length === 0) return
    const key = this.keys !== null && this.wordsLeft > 0 ? this.keys.keyOf(row) : []
    // A cell has one note of all its faults.
    this.wordsLeft -= new Set(faults.map(({ column }) => column)).size
    let size = FAULT_SIZE * (faults.length + key.length)
    for (const { value } of faults) size += value.length
    for (const { value } of key) size += value.length
    this.push({ rowNumber, key, faults }, size)
  }

  records(): void {}

  private placed(cell: BadCell): PlacedFault {
    const { column, fault } = cell
    return { column, fault, value: this.settings.keepsValues ? cell.value : '' }
  }

  /** Its sentences are made now, because those of rules are made from the cells of the row. */
  private ofRule(test: UnmetTest): PlacedFault {
    const { column, rule, isWarning, columns } = test
    return {
      column,
      fault: this.wordsLeft > 0 ? { error: test.error, expected: test.expected } : NO_WORDS,
      value: this.settings.keepsValues ? test.value : '',
      rule: { index: rule.index, isWarning, columns },
    }
  }
}
