import type { CellFault } from '@veridict/contract/model/cell-error'

/**
 * Checks the text of one cell: its fault, or null. This is the *reference*: everything else that checks cells
 * is an optimisation and must agree with it. Each use says whether the text is raw or trimmed.
 */
export type CellCheck = (text: string) => CellFault | null

/**
 * Checks cells from their bytes, without making a string, for one way in which cells end (`Terminators`).
 * Where it is not sure that a cell is valid, or what its fault is, the reference (`CellCheck`) decides.
 */
export type FastPath = { readonly accept: ByteAccept; readonly reject: ByteReject }

/**
 * Walks over the cell that begins at `position`. Returns
 *
 * - the index of the byte that ends the cell, if it is *surely* valid;
 * - `~end`, a negative number, if it is not, but the walk reached the end over plain text: no entity or
 *   escape, no forbidden byte, no quote but an escaped one. Then the end is known, and `reject` may know the
 *   fault;
 * - `NOT_SURE` otherwise.
 *
 * A cell with white space at either end is never sure: only the reference trims. Allocates nothing. Does not
 * check where the data ends, but relies on the sentinels after it (`SENTINEL_BYTES`).
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

/**
 * The reference must decide. It is also the `~end` of an empty cell at index 0, which therefore goes to the
 * reference too.
 */
export const NOT_SURE = -1

/**
 * The fault of the cell `[start, end)`, the same that `check` would find, or null where only the reference
 * knows it. Must be called right after `accept` returned `~end`: the rules for numbers and texts keep what
 * `accept` counted in a closure. Counting again would cost 11 ns for 8 characters and 40 ns for 60, of some
 * 130 ns that a bad cell costs.
 */
export type ByteReject = (bytes: Uint8Array, start: number, end: number) => CellFault | null

/** Whether something holds for the bytes `[from, to)` of a cell. */
export type BytesTest = (bytes: Uint8Array, from: number, to: number) => boolean

/** The check of true dates that any day passes, so that they need not be read. */
export const anyDay = (): null => null
