import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'

/**
 * The definition of a rule: a cell's text, trimmed and not blank, → what is wrong with it, or null. Everything else that
 * judges cells is an optimisation that must agree with it.
 */
export type CellCheck = (text: string) => CellFault | null

/**
 * The fast path of a rule: finds the end of the cell that begins at `position` and answers the index of the byte that
 * ends it where the cell is *surely* valid, else -1. It proves innocence only: -1 says nothing but "ask the reference".
 * Makes no string and allocates nothing. Relies on sentinels behind the data instead of bounds.
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

/** A field compiled for one file. */
export type ColumnCheck = {
  readonly field: Field
  /** Zero-based. */
  readonly index: number
  readonly accept: ByteAccept
  /** The reference path on raw text: trims, then blank or required, then the rule. */
  readonly check: CellCheck
  /** Judges a true date cell of a workbook, as days since its epoch, already turned into a calendar day. null when it is fine. */
  readonly checkDay: (year: number, month: number, day: number) => CellFault | null
}
