import { errorNote } from '@veridict/contract/messages/error-files'
import type { CellFault, RowKeyPart } from '@veridict/contract/model/cell-error'
import type { EditedRow, EditedRows } from '#output/edited-rows.ts'
import type { FaultyRows, PlacedFault } from '#output/fault-feed.ts'

/** A cell to fill red, and the text of its note. `column` counts from 0. */
export type Mark = { readonly column: number; readonly note: string }
export type MarkedRow = EditedRow<Mark>
export type MarkedRows = EditedRows<Mark>

export function marksOfFaults(rows: FaultyRows): MarkedRows {
  let next: MarkedRow | null = null
  return {
    async peek() {
      if (next !== null) return next
      const row = await rows.peek()
      if (row !== null)
        next = { rowNumber: row.rowNumber, cells: row.faults.map((fault) => new FaultMark(fault, row.key)) }
      return next
    },
    take() {
      next = null
      rows.take()
    },
  }
}

/** A single row to mark, or none. */
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
 * Words its note only on reading, because only the first bad cells get one. The getter belongs to the class:
 * one per object is slow to create.
 */
class FaultMark implements Mark {
  readonly column: number
  private readonly fault: CellFault
  private readonly key: readonly RowKeyPart[]

  constructor({ column, fault }: PlacedFault, key: readonly RowKeyPart[]) {
    this.column = column
    this.fault = fault
    this.key = key
  }

  get note(): string {
    return errorNote(this.fault.error, this.fault.expected, this.key)
  }
}
