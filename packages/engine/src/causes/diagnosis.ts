import type { CellFault } from '@veridict/contract/model/cell-error'

/** A bad cell of a row. `column` is that of the sheet; `value` is its text, not trimmed and not cut. */
export type BadCell = { readonly column: number; readonly fault: CellFault; readonly value: string }

/**
 * What seems to be wrong with a bad cell, before the rest of the file is known. Plain data, which threads can
 * send to each other.
 */
export type Diagnosis = {
  readonly kind: string
  /**
   * Tells diagnoses of one kind in a column apart, such as a date format; '' for none. There are few in a
   * column: cells are counted by kind and detail. Cells of equal kind and detail have a suggestion or not
   * alike.
   */
  readonly detail: string
  /** Whether the cell belongs to a cause of whole rows. */
  readonly isOfRow: boolean
  /** The value that would be right; null where there is none. */
  readonly suggestion: string | null
}

/** The same in every cell: the fault is all that is known. */
export const diagnosisOf = (fault: CellFault): Diagnosis => ({
  kind: fault.code,
  detail: '',
  isOfRow: false,
  suggestion: null,
})
