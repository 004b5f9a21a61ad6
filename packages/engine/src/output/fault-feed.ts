import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ByteSource } from '#byte-source.ts'
import type { CellView, PacedSink } from '#source/table-source.ts'

export type PlacedFault = { readonly column: number; readonly fault: CellFault; readonly value: string }
/** A row with what is wrong in it, in the order of its columns. `size`: what it holds, in characters. */
export type FaultyRow = {
  readonly rowNumber: number
  readonly faults: readonly PlacedFault[]
  readonly size: number
}

/** Rows with errors, one after the other. */
export type FaultyRows = {
  /** The next one, without taking it; null when there is none left. Throws what the reading threw. */
  peek(): Promise<FaultyRow | null>
  /** Takes the one that was peeked at. */
  take(): void
}

/** What may wait before the reading is held back, in characters: a few MB. */
const MAX_WAITING = 2_000_000
/** What a fault holds besides its value, in characters. */
const FAULT_SIZE = 100

/** Ends a judging whose results nobody wants any more. */
class Abandoned extends Error {}

/**
 * Turns the judging of a file, which pushes its faults, into rows that are pulled, so that a file can be
 * judged while an error file is being written, in bounded memory: the reading waits while too many faults do.
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
  /** The judging itself may wait, and the reading of the bytes it is given: both at once. */
  private heldBack: (() => void)[] = []
  private resumeWriting: (() => void) | null = null
  private readonly keepsValues: boolean

  /** Without values, which are then '', no cell is decoded. */
  constructor({ keepsValues }: { keepsValues: boolean }) {
    this.keepsValues = keepsValues
  }

  /** Starts `judge` with this feed as its sink; what it throws comes out of `peek`. */
  start(judge: () => Promise<void>): void {
    judge()
      .catch((error: unknown) => {
        if (!(error instanceof Abandoned)) this.failure = { error }
      })
      .finally(() => {
        this.endRow()
        this.isDone = true
        this.resumeWriting?.()
      })
  }

  /** The same bytes, handed out only while the writer keeps up. */
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
      this.heldBack.push(() => (this.isAbandoned ? reject(new Abandoned()) : resolve()))
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

  /** Nobody will take any more: lets the judging end. */
  abandon(): void {
    this.isAbandoned = true
    this.resume()
  }

  private resume(): void {
    const { heldBack } = this
    this.heldBack = []
    for (const goOn of heldBack) goOn()
  }

  private endRow(): void {
    if (this.pending.length === 0) return
    this.waiting.push({ rowNumber: this.pendingRow, faults: this.pending, size: this.pendingSize })
    this.waitingSize += this.pendingSize
    this.pending = []
    this.pendingSize = 0
  }
}
