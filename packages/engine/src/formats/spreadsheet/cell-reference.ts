import { workbookProblems } from '#formats/workbook-problems.ts'

/** `XFD1048576`, with or without `$`. Longer references match too, and are refused as beyond the limits. */
const REFERENCE = /^\$?([A-Za-z]{1,7})\$?([1-9]\d{0,9})$/

/** `B7` → column 1 (zero-based), row 7. Throws `FileProblemError` for anything else than a reference. */
export function parseCellReference(reference: string): { column: number; row: number } {
  const match = REFERENCE.exec(reference)
  if (match === null) throw workbookProblems.damaged(`it has a cell at "${reference.slice(0, 20)}"`)
  let column = 0
  for (const letter of match[1].toUpperCase()) column = column * 26 + letter.charCodeAt(0) - 64
  return { column: column - 1, row: Number(match[2]) }
}
