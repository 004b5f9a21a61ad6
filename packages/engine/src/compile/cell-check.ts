import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'

/**
 * A cell's text → what is wrong with it, or null: a definition. Everything else that judges cells is an optimisation that
 * must agree with it. Which text, raw or trimmed, is said where there is one.
 */
export type CellCheck = (text: string) => CellFault | null

/**
 * The fast path of a rule over cells that end in one way. It is sure of innocence or of guilt, or leaves the cell to the
 * reference; it makes no string.
 */
export type FastPath = { readonly accept: ByteAccept; readonly accuse: ByteAccuse }

/**
 * Finds the end of the cell that begins at `position` and answers the index of the byte that ends it where the cell is
 * *surely* valid, else a negative number: `NOT_SURE`, "ask the reference", or `~end` where it came to the end over text
 * alone (nothing to resolve or to refuse, and no quote but a doubled one); then nobody need look for the end again, and
 * `accuse` may know what is wrong. White space at either end of the cell is never sure: whether it is trimmed is the reference's business.
 * Allocates nothing. Relies on sentinels behind the data instead of bounds (see `SENTINEL_BYTES`).
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

export const NOT_SURE = -1

/**
 * Says what is wrong with the cell `[start, end)` to which `accept` has just answered `~end`, from what it found there:
 * the fault that `check` would find, or null where only the reference can tell.
 */
export type ByteAccuse = (bytes: Uint8Array, start: number, end: number) => CellFault | null

/**
 * Bytes that must stand behind the data in every buffer handed to a `ByteAccept`, each of them ending a cell: for csv
 * a line feed, a quote, then line feeds; for xml '<'. An answer at or beyond the end of the data is no answer: the cell
 * was cut.
 */
export const SENTINEL_BYTES = 32

/**
 * What ends a cell in the bytes. In csv the delimiter (a byte), CR and LF, and for a cell that opens with a quote its
 * closing quote. In xml '<', while '&' and '_x' (entities and escapes), CR and NUL are never sure.
 */
export type Terminators = { readonly kind: 'csv'; readonly delimiter: number } | { readonly kind: 'xml' }

export const xmlTerminators: Terminators = { kind: 'xml' }

/** A field compiled for one file. */
export type ColumnCheck = {
  /** null for a column left of the table, where nothing may stand. */
  readonly field: Field | null
  readonly accept: ByteAccept
  /**
   * csv only: the same for the inside of a quoted cell, from behind the opening quote; answers the closing quote, or,
   * where the rule takes no quotes, a doubled one.
   */
  readonly acceptQuoted: ByteAccept
  /**
   * Goes with `accept` alone. A quoted cell that is not vouched for goes to the reference: its text has to be made from what
   * stands there, and few cells are both quoted and bad.
   */
  readonly accuse: ByteAccuse
  /** What would be right, a sentence: the same for every fault of the column. */
  readonly expected: string
  /** The reference path on raw text: trims, then blank or required, then the rule. */
  readonly check: CellCheck
  /**
   * Judges a true date cell of a workbook, already turned into a calendar day. A date column takes it however it is
   * displayed; any other rule judges the day as text, yyyy-MM-dd. A cell that also carries a time of day is given to
   * `check` as text instead: the day in the field's format, a space, HH:mm:ss.
   */
  readonly checkDay: (year: number, month: number, day: number) => CellFault | null
}
