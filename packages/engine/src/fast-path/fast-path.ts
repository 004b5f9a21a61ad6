import type { CellFault } from '@veridict/contract/model/cell-error'

/**
 * Checks the text of one cell: its fault, or null. This is the *reference*: everything else that checks cells
 * is an optimisation and must agree with it. Each use says whether the text is raw or trimmed.
 */
export type CellCheck = (text: string) => CellFault | null

/**
 * Checks a cell from its bytes, without making a string, for one way in which cells end (`Terminators`).
 * Walks over the cell that begins at `position`, and returns the index of the byte that ends it, if the cell
 * is *surely* valid. Else it is `NOT_SURE`, and the reference (`CellCheck`) decides.
 *
 * A cell with white space at either end is never sure: only the reference trims. Allocates nothing. Does not
 * check where the data ends, but relies on the sentinels after it (`SENTINEL_BYTES`).
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

export const NOT_SURE = -1

/** Whether something holds for the bytes `[from, to)` of a cell. */
export type BytesTest = (bytes: Uint8Array, from: number, to: number) => boolean

/** The check of true dates that any day passes, so that they need not be read. */
export const anyDay = (): null => null
