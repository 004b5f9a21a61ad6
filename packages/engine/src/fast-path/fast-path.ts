import type { CellFault } from '@veridict/contract/model/cell-error'

/** The *reference*, with which all other checks must agree. Each use says if the text is raw or trimmed. */
export type CellCheck = (text: string) => CellFault | null

/**
 * Walks over the cell at `position`, without making a string, for one way in which cells end (`Terminators`).
 * Returns the index of the byte that ends it if the cell is *surely* valid, else `NOT_SURE`, and `CellCheck`
 * decides.
 *
 * A cell with white space at either end is never sure: only the reference trims. Allocates nothing. Relies on
 * the sentinels after the data (`SENTINEL_BYTES`).
 */
export type ByteAccept = (bytes: Uint8Array, position: number) => number

export const NOT_SURE = -1

/** Whether something holds for the bytes `[from, to)` of a cell. */
export type BytesTest = (bytes: Uint8Array, from: number, to: number) => boolean

/** The check of true dates that any day passes, so that they need not be read. */
export const anyDay = (): null => null
