/**
 * Where a table begins, zero-based: left of it, the header and the first record are blank. So a table may
 * stand anywhere in a sheet, while a column with data and no name is still missed in the header. The record
 * is asked for only if it matters.
 */
export function findFirstColumn(
  header: readonly string[],
  firstRecord: () => readonly string[] | undefined,
): number {
  const column = firstFilled(header)
  const record = column > 0 ? firstRecord() : undefined
  return record === undefined ? column : Math.min(column, firstFilled(record))
}

const firstFilled = (cells: readonly string[]): number => cells.findIndex((cell) => cell.trim() !== '')
