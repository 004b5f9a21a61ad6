import type { CellFaultCode } from '@veridict/contract/model/cell-error'

/**
 * Returns the class of a bad cell, from its fault and the bytes `[from, to)` of its text, or `NO_CLASS`.
 * Cells of one column in one class have the same fault, and diagnoses that differ in nothing but the text of
 * their suggestions: once there are examples of them, they are only counted. A class need not say what the
 * diagnosis is, and leaves out what is unusual. The classes of an `Automaton` are others: they are of bytes.
 */
export type CellClassifier = (code: CellFaultCode, bytes: Uint8Array, from: number, to: number) => number

export const NO_CLASS = 0
const TOO_SMALL_CLASS = 1
const TOO_LARGE_CLASS = 2
/** The first class that bytes tell. */
export const FIRST_CLASS = 3
/** Classes are below this number. Those of dates are the most, see `dateClassifier`. */
export const CLASS_COUNT = FIRST_CLASS + 0x100

/** The class that the fault alone gives; NO_CLASS where it takes the bytes. */
export function classOfFault(code: CellFaultCode): number {
  return code === 'numberTooSmall' ? TOO_SMALL_CLASS : code === 'numberTooLarge' ? TOO_LARGE_CLASS : NO_CLASS
}
