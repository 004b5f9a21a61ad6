import type { CellFault } from '@veridict/contract/model/cell-error'

/**
 * Judges the text of one cell: what is wrong with it, or null. This is the definition. Everything else that
 * judges cells is an optimisation and must agree with it. Whether the text is raw or trimmed is said wherever
 * there is such a check.
 */
export type CellCheck = (text: string) => CellFault | null

/**
 * Judges cells from their bytes, for one way in which cells end (`Terminators`), and makes no string. It may
 * say that a cell is right, or what is wrong with it, where it is sure; any other cell is left to the
 * reference, the `CellCheck`.
 */
export type FastPath = { readonly accept: ByteAccept; readonly reject: ByteReject }

/**
 * Walks over the cell that begins at `position`. Answers
 *
 * - the index of the byte that ends it, where the cell is *surely* valid;
 * - `~end`, a negative number, where it is not, and the walk came to that byte over plain text: nothing to
 *   resolve, nothing to
 *   refuse, no quote but a doubled one. Nobody need look for the end again, and `reject` may know what is wrong;
 * - `NOT_SURE` otherwise.
 *
 * White space at either end of a cell is never sure: only the reference trims. Allocates nothing. Does not
 * ask where the data ends, but relies on the sentinels behind it (`SENTINEL_BYTES`).
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

/**
 * "Ask the reference." It is also the `~end` of an empty cell at index 0, which therefore goes to the
 * reference as well.
 */
export const NOT_SURE = -1

/**
 * Says what is wrong with the cell `[start, end)`: the fault that `check` would find, or null where only the
 * reference can tell. Asked right after `accept` answered `~end`, so that it may use what `accept` found on
 * its way.
 */
export type ByteReject = (bytes: Uint8Array, start: number, end: number) => CellFault | null
