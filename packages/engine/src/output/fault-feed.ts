import type { CellFault } from '@veridict/contract/model/cell-error'
import { RowFeed } from '#output/row-feed.ts'
import type { CellView, PacedSink } from '#source/table-source.ts'

export type PlacedFault = { readonly column: number; readonly fault: CellFault; readonly value: string }
/** A row and its faults, in the order of the columns. */
export type FaultyRow = { readonly rowNumber: number; readonly faults: readonly PlacedFault[] }

/** Rows with errors, one after the other. */
export type FaultyRows = Pick<RowFeed<FaultyRow>, 'peek' | 'take'>

/** The memory of a fault besides its value, in characters. */
const FAULT_SIZE = 100

/** The rows with errors of a file that is validated meanwhile. */
export class FaultFeed extends RowFeed<FaultyRow> implements PacedSink {
  private pending: PlacedFault[] = []
  private pendingSize = 0
  private pendingRow = 0
  private readonly keepsValues: boolean

  /** Without values no cell is decoded; each value is then ''. */
  constructor({ keepsValues }: { keepsValues: boolean }) {
    super()
    this.keepsValues = keepsValues
  }

  override start(validate: () => Promise<void>): void {
    super.start(() => validate().finally(() => this.endRow()))
  }

  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView): void {
    const value = this.keepsValues ? cell.value : ''
    if (rowNumber !== this.pendingRow) this.endRow()
    this.pendingRow = rowNumber
    this.pending.push({ column, fault, value })
    this.pendingSize += FAULT_SIZE + value.length
  }

  record(): void {
    this.endRow()
  }

  private endRow(): void {
    if (this.pending.length === 0) return
    this.push({ rowNumber: this.pendingRow, faults: this.pending }, this.pendingSize)
    this.pending = []
    this.pendingSize = 0
  }
}
