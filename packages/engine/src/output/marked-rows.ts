import { errorNote } from '@veridict/contract/messages/error-files'
import type { RowKeyPart } from '@veridict/contract/model/cell-error'
import type { EditedRow } from '#output/sheet-rewriter.ts'
import type { FaultyRow, PlacedFault } from '#output/fault-feed.ts'
import type { Rows } from '#output/row-feed.ts'

/** A cell to fill red (yellow for a warning), and the text of its note, if any. `column` counts from 0. */
export type Mark = {
  readonly column: number
  readonly kind: 'bad' | 'warning'
  readonly hasNote: boolean
  readonly note: string
}
export type MarkedRow = EditedRow<Mark>

export function marksOfFaults(rows: Rows<FaultyRow>): Rows<MarkedRow> {
  let next: MarkedRow | null = null
  return {
    async peek() {
      if (next !== null) return next
      const row = await rows.peek()
      if (row !== null) next = { rowNumber: row.rowNumber, cells: marksOf(row) }
      return next
    },
    take() {
      next = null
      rows.take()
    },
  }
}

/** One mark for each cell, in the order of the columns. */
function marksOf({ faults, key }: FaultyRow): Mark[] {
  if (faults.every(({ rule }) => rule === undefined))
    return faults.map((fault) => new FaultMark(fault.column, [fault], [fault], key))
  const columns = new Set(faults.flatMap(({ column, rule }) => rule?.columns ?? [column]))
  return [...columns]
    .toSorted((one, other) => one - other)
    .map((column) => {
      const marking = faults.filter((fault) => (fault.rule?.columns ?? [fault.column]).includes(column))
      const noted = faults.filter((fault) => fault.column === column)
      return new FaultMark(column, marking, noted, key)
    })
}

/** Words its note only on reading: only the first cells get one. A getter per object is slow to create. */
class FaultMark implements Mark {
  readonly column: number
  readonly kind: Mark['kind']
  private readonly noted: readonly PlacedFault[]
  private readonly key: readonly RowKeyPart[]

  /** `marking`: all faults that mark the cell; `noted`: those that are reported at it. */
  constructor(
    column: number,
    marking: readonly PlacedFault[],
    noted: readonly PlacedFault[],
    key: readonly RowKeyPart[],
  ) {
    this.column = column
    this.kind = marking.every(({ rule }) => rule?.isWarning) ? 'warning' : 'bad'
    this.noted = noted
    this.key = key
  }

  get hasNote(): boolean {
    return this.noted.length > 0
  }

  get note(): string {
    const last = this.noted.length - 1
    return this.noted
      .map(({ fault }, index) => errorNote(fault.error, fault.expected, index === last ? this.key : []))
      .join('\n\n')
  }
}
