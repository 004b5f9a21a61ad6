import type { EditedRow, EditedRows } from '#output/edited-rows.ts'

/**
 * A cell that gets another value. `column` counts from 0; `original` is its text in the file, not trimmed.
 */
export type Correction = {
  readonly column: number
  /** The id of its cause; null for a valid date that means another day. */
  readonly cause: string | null
  readonly original: string
  readonly value: string
}
export type CorrectedRow = EditedRow<Correction>
export type CorrectedRows = EditedRows<Correction>

/**
 * Gets each correction once: it was applied (`corrected`), or the copy cannot hold the value there
 * (`skipped`).
 */
export type CorrectionLog = {
  corrected(rowNumber: number, correction: Correction): void
  skipped(rowNumber: number, correction: Correction): void
}

/** What no reader takes back from a file as it was written: NUL, lost characters, DOS's mark of the end. */
// oxlint-disable-next-line no-control-regex
const UNREADABLE = /[\0\u001A\uFFFD]/

/** Whether a file can hold a text in a cell of at most `maxLength` UTF-16 code units. */
export const canBeWritten = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && text.isWellFormed() && !UNREADABLE.test(text)
