import type { ShownRow } from '#verdict/shown-row.ts'

/** The rows of several causes in the order of the file; a row with errors of two causes is one row. */
export function mergeRows(lists: readonly (readonly ShownRow[])[]): ShownRow[] {
  const merged = new Map<number, ShownRow>()
  for (const row of lists.flat()) {
    const other = merged.get(row.rowNumber)
    merged.set(row.rowNumber, other === undefined ? row : joinRows(other, row))
  }
  return [...merged.values()].sort((one, other) => one.rowNumber - other.rowNumber)
}

const joinRows = (one: ShownRow, other: ShownRow): ShownRow => ({
  ...one,
  totalCount: one.totalCount + other.totalCount,
  columnValidationErrors: [...one.columnValidationErrors, ...other.columnValidationErrors],
})
