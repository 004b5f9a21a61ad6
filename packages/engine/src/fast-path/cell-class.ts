import type { CellFaultCode } from '@veridict/contract/model/cell-error'

/**
 * Returns the class of a bad cell, from its fault and the bytes `[from, to)` of its text, or `NO_CLASS`.
 * Cells of one column in one class have the same fault, and diagnoses that differ in nothing but the text of
 * their suggestions: once there are examples of them, they are only counted. A class need not say what the
 * diagnosis is, and leaves out what is unusual. The classes of an `Automaton` are others: they are of bytes.
 */
export type CellClassifier = (code: CellFaultCode, bytes: Uint8Array, from: number, to: number) => number

export const NO_CLASS = 0
/** Classes that the fault alone gives, without bytes. */
export const TOO_SMALL_CLASS = 1
export const TOO_LARGE_CLASS = 2
/** The first class of a `CellClassifier`. */
export const FIRST_CLASS = 3
