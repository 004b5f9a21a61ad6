import type { CellFault, RowKeyPart } from '@veridict/contract/model/cell-error'
import { RowFeed } from '#output/row-feed.ts'
import type { RowKeys } from '#rows/row-keys.ts'
import type { BadCell, PacedSink, RowView } from '#source/table-source.ts'

export type PlacedFault = { readonly column: number; readonly fault: CellFault; readonly value: string }
/** A row and its faults, in the order of the columns. */
export type FaultyRow = {
  readonly rowNumber: number
  /** Empty for later rows if only the first rows need keys. */
  readonly key: readonly RowKeyPart[]
  readonly faults: readonly PlacedFault[]
}

/** Rows with errors, one after the other. */
export type FaultyRows = Pick<RowFeed<FaultyRow>, 'peek' | 'take'>

/** The memory of a fault besides its value, in characters. */
const FAULT_SIZE = 100

/** The rows with errors of a file that is validated meanwhile. */
export class FaultFeed extends RowFeed<FaultyRow> implements PacedSink {
  private keys: RowKeys | null = null
  /** How many more faults get a key for their row. */
  private keysLeft: number
  private readonly keepsValues: boolean

  /**
   * If `keepsValues` is false, no cell is decoded and each value is ''. Rows after the first `maxKeyed`
   * faults have no key.
   */
  constructor({ keepsValues, maxKeyed = Infinity }: { keepsValues: boolean; maxKeyed?: number }) {
    super()
    this.keepsValues = keepsValues
    this.keysLeft = maxKeyed
  }

  /** Rows get no key without `keys`. */
  override start(validate: () => Promise<void>, keys: RowKeys | null = null): void {
    this.keys = keys
    super.start(validate)
  }

  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView): void {
    const key = this.keys !== null && this.keysLeft > 0 ? this.keys.keyOf(row) : []
    this.keysLeft -= cells.length
    const faults = cells.map((cell): PlacedFault => {
      const { column, fault } = cell
      return { column, fault, value: this.keepsValues ? cell.value : '' }
    })
    let size = FAULT_SIZE * (faults.length + key.length)
    for (const { value } of faults) size += value.length
    for (const { value } of key) size += value.length
    this.push({ rowNumber, key, faults }, size)
  }

  record(): void {}
}
