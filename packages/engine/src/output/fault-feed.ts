import type { CellFault, RowKeyPart } from '@veridict/contract/model/cell-error'
import { RowFeed } from '#output/row-feed.ts'
import type { RowKeys } from '#rows/row-keys.ts'
import type { CellView, PacedSink, RowView } from '#source/table-source.ts'

export type PlacedFault = { readonly column: number; readonly fault: CellFault; readonly value: string }
/** A row and its faults, in the order of the columns. */
export type FaultyRow = {
  readonly rowNumber: number
  /** Empty behind the first rows if only theirs are wanted. */
  readonly key: readonly RowKeyPart[]
  readonly faults: readonly PlacedFault[]
}

/** Rows with errors, one after the other. */
export type FaultyRows = Pick<RowFeed<FaultyRow>, 'peek' | 'take'>

/** The memory of a fault besides its value, in characters. */
const FAULT_SIZE = 100

/** The rows with errors of a file that is validated meanwhile. */
export class FaultFeed extends RowFeed<FaultyRow> implements PacedSink {
  private pending: PlacedFault[] = []
  private pendingSize = 0
  private pendingRow = 0
  private pendingKey: readonly RowKeyPart[] = []
  private keys: RowKeys | null = null
  /** Faults whose rows still get a key. */
  private keysLeft: number
  private readonly keepsValues: boolean

  /**
   * Without values no cell is decoded; each value is then ''. Rows behind the first `maxKeyed` faults have no
   * key.
   */
  constructor({ keepsValues, maxKeyed = Infinity }: { keepsValues: boolean; maxKeyed?: number }) {
    super()
    this.keepsValues = keepsValues
    this.keysLeft = maxKeyed
  }

  /** Rows get no key without `keys`. */
  override start(validate: () => Promise<void>, keys: RowKeys | null = null): void {
    this.keys = keys
    super.start(() => validate().finally(() => this.endRow()))
  }

  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView, row: RowView): void {
    const value = this.keepsValues ? cell.value : ''
    if (rowNumber !== this.pendingRow) this.endRow()
    this.pendingRow = rowNumber
    if (this.pending.length === 0) this.readKey(row)
    this.keysLeft--
    this.pending.push({ column, fault, value })
    this.pendingSize += FAULT_SIZE + value.length
  }

  record(): void {
    this.endRow()
  }

  private readKey(row: RowView): void {
    this.pendingKey = this.keys !== null && this.keysLeft > 0 ? this.keys.of(row) : []
    for (const { value } of this.pendingKey) this.pendingSize += FAULT_SIZE + value.length
  }

  private endRow(): void {
    if (this.pending.length === 0) return
    const row = { rowNumber: this.pendingRow, key: this.pendingKey, faults: this.pending }
    this.push(row, this.pendingSize)
    this.pending = []
    this.pendingSize = 0
  }
}
