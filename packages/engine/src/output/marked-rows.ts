import { errorNote } from '@veridict/contract/messages/error-files'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { FaultyRows, PlacedFault } from '#output/fault-feed.ts'

/** A cell to be filled red, and what its note says. `column` is zero-based. */
export type Mark = { readonly column: number; readonly note: string }
export type MarkedRow = { readonly rowNumber: number; readonly marks: readonly Mark[] }

/** Rows to be marked, in the order of the file. */
export type MarkedRows = {
  /** The next one, without taking it; null when there is none left. */
  peek(): Promise<MarkedRow | null>
  take(): void
}

/** Rows with errors as rows to be marked. */
export function marksOfFaults(rows: FaultyRows): MarkedRows {
  let next: MarkedRow | null = null
  return {
    async peek() {
      if (next !== null) return next
      const row = await rows.peek()
      if (row !== null)
        next = { rowNumber: row.rowNumber, marks: row.faults.map((fault) => new FaultMark(fault)) }
      return next
    },
    take() {
      next = null
      rows.take()
    },
  }
}

/** One row to be marked and no other. */
export function onlyMarked(row: MarkedRow | null): MarkedRows {
  let rest = row
  return {
    peek: async () => rest,
    take: () => {
      rest = null
    },
  }
}

/**
 * Its note is worded where it is read: only some bad cells have one. A getter of the class, since one per
 * object is slow to make.
 */
class FaultMark implements Mark {
  readonly column: number
  private readonly fault: CellFault

  constructor({ column, fault }: PlacedFault) {
    this.column = column
    this.fault = fault
  }

  get note(): string {
    return errorNote(this.fault.error, this.fault.expected)
  }
}
