import type { CellFaultCode } from '@veridict/contract/model/cell-error'

/**
 * Returns the class of a bad cell, from its fault and the bytes `[from, to)` of its text, or `NO_CLASS`.
 * Cells of one column in one class have the same fault, and diagnoses that differ in nothing but the text of
 * their suggestions: once there are examples of them, no text is made of further ones. Unusual cells have no
 * class. The classes of an `Automaton` are something else: classes of bytes.
 */
export type CellClassifier = (code: CellFaultCode, bytes: Uint8Array, from: number, to: number) => number

export const NO_CLASS = 0
const TOO_SMALL_CLASS = 1
const TOO_LARGE_CLASS = 2
/** The first class that depends on the bytes of the cell. */
export const FIRST_CLASS = 3

/** The class where the fault alone decides it; else NO_CLASS. */
export function classOfFault(code: CellFaultCode): number {
  return code === 'numberTooSmall' ? TOO_SMALL_CLASS : code === 'numberTooLarge' ? TOO_LARGE_CLASS : NO_CLASS
}
