import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import type { ByteAccept, ByteReject, CellCheck } from '#fast-path/fast-path.ts'

/** A field compiled for one file. */
export type ColumnCheck = {
  /** null for a column left of the table, where nothing may stand. */
  readonly field: Field | null
  readonly accept: ByteAccept
  /**
   * csv only: the same for the inside of a quoted cell. It begins behind the opening quote and ends at the
   * closing one; a rule that knows no quotes may end at the first of two, so the caller looks at what
   * follows.
   */
  readonly acceptQuoted: ByteAccept
  /**
   * For what `accept` found. A quoted cell that is not accepted goes to the reference: few cells are both
   * quoted and bad.
   */
  readonly reject: ByteReject
  /** What would be right: one sentence for every fault of the column. */
  readonly expected: string
  /** The reference path on raw text: trims, then blank or required, then the rule. */
  readonly check: CellCheck
  /**
   * Judges a true date cell of a workbook, already turned into a calendar day. A date column takes it however
   * it is displayed; any other rule judges the day as text, yyyy-MM-dd. A cell that also carries a time of
   * day is given to `check` as text instead: the day in the field's format, a space, HH:mm:ss.
   */
  readonly checkDay: (year: number, month: number, day: number) => CellFault | null
}

/** The first column of the table that these checks are for, zero-based. */
export const firstColumnOf = (columns: readonly ColumnCheck[]): number =>
  columns.filter(({ field }) => field === null).length

/** How many columns that table has. */
export const widthOf = (columns: readonly ColumnCheck[]): number => columns.length - firstColumnOf(columns)
