/** By column of a copy, the column of the source whose cell it takes; null for an empty cell. */
export type ColumnMap = readonly (number | null)[]

/** `column` is the first one of the two that it replaces. */
export type JoinedCell = { readonly column: number; readonly text: string }

/** What a copy of a table leaves out: a row, or a column (`rowNumber` is null), and its text. */
export type RemovedPart = { readonly rowNumber: number | null; readonly text: string }

/**
 * Which rows of the source are left out, which of its columns each column takes, and the texts of the heading
 * row. Rows count as a spreadsheet shows them; columns are the sheet's, zero-based.
 */
export type TableView = {
  /** Ascending. */
  readonly droppedRows: ReadonlySet<number>
  /** The columns of every row; null where they are those of the source. */
  readonly columns: ColumnMap | null
  /** Instead of `columns`, for single rows. */
  readonly rowColumns: ReadonlyMap<number, ColumnMap>
  /** Cells that take the place of two, by row: the delimiter between them was text. Only of CSV. */
  readonly joinedCells: ReadonlyMap<number, JoinedCell>
  /** Columns of the source's heading row, from column A on. Cells beyond them stay behind the last column. */
  readonly width: number
  readonly heading: {
    /** Its row in the source. A new heading row comes before this row. */
    readonly row: number
    readonly isNew: boolean
    /** Texts to write, by column of the copy. */
    readonly texts: ReadonlyMap<number, string>
    /** Further rows that get the texts: they are equal to the heading row. */
    readonly repeats?: ReadonlySet<number>
    /** What separates its cells in the copy, where that is another character. */
    readonly delimiter?: number
  }
  readonly removed: readonly RemovedPart[]
}

/** What a view has whose rows and columns are those of the source. */
export const UNCHANGED: Omit<TableView, 'width' | 'heading'> = {
  droppedRows: new Set(),
  columns: null,
  rowColumns: new Map(),
  joinedCells: new Map(),
  removed: [],
}

/** Equal for rows with equal cells. */
export const rowText = (cells: readonly string[]): string =>
  JSON.stringify(cells.slice(0, cells.findLastIndex((cell) => cell !== '') + 1))

/** Whether a row of the source gets the texts of the heading row. */
export const isHeadingRow = ({ heading: { row, isNew, repeats } }: TableView, rowNumber: number): boolean =>
  !isNew && (rowNumber === row || repeats?.has(rowNumber) === true)

/** The cells of a row in the order of the copy; `empty` stands for cells that the source does not have. */
export function cellsInCopy<T>(
  { columns: ofAll, rowColumns, width }: TableView,
  row: number,
  cells: readonly T[],
  empty: T,
): T[] {
  const columns = rowColumns.get(row) ?? ofAll
  if (columns === null) return [...cells]
  const hasCell = (column: number | null) => column !== null && column < cells.length
  // A row that ends early still does: the cells that it lacks are for its own report.
  const isShort = cells.length < width
  const kept = isShort ? columns.slice(0, columns.findLastIndex(hasCell) + 1) : columns
  const behind = Math.max(width, ...columns.map((column) => (column ?? 0) + 1))
  return [...kept.map((column) => (hasCell(column) ? cells[column!] : empty)), ...cells.slice(behind)]
}

/** The row of the source that a row of the copy is. Its new heading row has none. */
export function rowInSource({ droppedRows, heading }: TableView, row: number): number {
  let number = heading.isNew && row > heading.row ? row - 1 : row
  for (const dropped of droppedRows) if (dropped <= number) number++
  return number
}

/** Another way to correct the structure of a file: a sheet comes first, or a code page becomes UTF-8. */
export type FileView = { readonly sheet: string } | { readonly codePage: string }
