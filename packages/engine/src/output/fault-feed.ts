import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ByteSource } from '#byte-source.ts'
import type { CellView, PacedSink } from '#source/table-source.ts'

export type PlacedFault = { readonly column: number; readonly fault: CellFault; readonly value: string }
/** A row and its faults, in the order of the columns. `size` is the memory it holds, in characters. */
export type FaultyRow = {
  readonly rowNumber: number
  readonly faults: readonly PlacedFault[]
  readonly size: number
}

/** Rows with errors, one after the other. */
export type FaultyRows = {
  /** The next row, without taking it; null after the last one. Throws what the validation threw. */
  peek(): Promise<FaultyRow | null>
  /** Takes the row that `peek` returned. */
  take(): void
}

/** How much may wait before reading pauses, in characters: a few MB. */
const MAX_WAITING = 2_000_000
/** The memory of a fault besides its value, in characters. */
const FAULT_SIZE = 100

/** Ends a validation whose results are no longer needed. */
class Abandoned extends Error {}

/**
 * The validation of a file pushes faults; the writer of an error file pulls rows. This feed connects them in
 * bounded memory: it pauses the validation while too many faults wait to be written.
 */
export class FaultFeed implements PacedSink, FaultyRows {
  private waiting: FaultyRow[] = []
  private taken = 0
  private waitingSize = 0
  private pending: PlacedFault[] = []
  private pendingSize = 0
  private pendingRow = 0
  private isDone = false
  private failure: { error: unknown } | null = null
  private isAbandoned = false
  /** Both the validation and the reading of its bytes may wait at the same time. */
  private paused: (() => void)[] = []
  private resumeWriting: (() => void) | null = null
  private readonly keepsValues: boolean

  /** Without values no cell is decoded; each value is then ''. */
  constructor({ keepsValues }: { keepsValues: boolean }) {
    this.keepsValues = keepsValues
  }

  /** Starts a validation that has this feed as its sink. `peek` throws what the validation throws. */
  start(validate: () => Promise<void>): void {
    validate()
      .catch((error: unknown) => {
        if (!(error instanceof Abandoned)) this.failure = { error }
      })
      .finally(() => {
        this.endRow()
        this.isDone = true
        this.resumeWriting?.()
      })
  }

  /** The same bytes; reading them waits while the writer is behind. */
  pace(source: ByteSource): ByteSource {
    return {
      size: source.size,
      read: (into, position) => {
        const wait = this.ready()
        return wait === undefined ? source.read(into, position) : wait.then(() => source.read(into, position))
      },
    }
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

  ready(): Promise<void> | undefined {
    if (this.isAbandoned) throw new Abandoned()
    this.resumeWriting?.()
    if (this.waitingSize < MAX_WAITING) return undefined
    return new Promise((resolve, reject) => {
      this.paused.push(() => (this.isAbandoned ? reject(new Abandoned()) : resolve()))
    })
  }

  async peek(): Promise<FaultyRow | null> {
    while (this.taken === this.waiting.length) {
      if (this.failure !== null) throw this.failure.error
      if (this.isDone) return null
      await new Promise<void>((resolve) => {
        this.resumeWriting = resolve
      })
      this.resumeWriting = null
    }
    return this.waiting[this.taken]
  }

  take(): void {
    this.waitingSize -= this.waiting[this.taken++].size
    if (this.taken < this.waiting.length) return
    this.waiting = []
    this.taken = 0
    this.resume()
  }

  /** Ends the validation: no more rows will be taken. */
  abandon(): void {
    this.isAbandoned = true
    this.resume()
  }

  private resume(): void {
    const { paused } = this
    this.paused = []
    for (const proceed of paused) proceed()
  }

  private endRow(): void {
    if (this.pending.length === 0) return
    this.waiting.push({ rowNumber: this.pendingRow, faults: this.pending, size: this.pendingSize })
    this.waitingSize += this.pendingSize
    this.pending = []
    this.pendingSize = 0
  }
}
