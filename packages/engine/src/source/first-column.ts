/**
 * Zero-based: left of it, the header and the first record are blank. So a table may be anywhere in a sheet,
 * and a column without a label is found. `firstRecord` is called only if needed.
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
