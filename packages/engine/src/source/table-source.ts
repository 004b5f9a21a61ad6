import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { RowRules } from '#row-rules/row-rules.ts'
import type { UnmetTest } from '#row-rules/unmet-test.ts'
import type { KernelCopy } from '#fast-path/column-kernel.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import type { Terminators } from '#formats/terminators.ts'

/** A row as it is in the file: the texts of its cells, not trimmed. */
export type SourceRow = {
  /** As a spreadsheet counts: 1 is the first row of the file, whether it is the header or not. */
  rowNumber: number
  cells: readonly string[]
  /** By column, the cells of a workbook that are more than text: only with `withKinds`, if there are any. */
  kinds?: readonly (SourceCellKind | undefined)[]
}

/** A true date or time, or an error such as #N/A. */
export type SourceCellKind = 'moment' | 'error'

/** Valid until `badCells` returns. Cells of the same column, text and fault may be one object. */
export type BadCell = {
  /** The column of the sheet, zero-based. A cell beyond the checked columns is an extra cell. */
  readonly column: number
  readonly fault: CellFault
  /** Not trimmed; made when read: of a million, 100 rows are shown. No slice, which keeps its long string. */
  readonly value: string
  /**
   * Stands for all cells of a class: of this column and fault, whose diagnoses differ only in the text of
   * their suggestions. Once it has a memo, the table passes it in place of each of them, with that cell's
   * value. Absent where the cell has no class.
   */
  like?: BadCell
  /** Belongs to the sink, which can store here what it has found out about the cell; null at first. */
  memo: object | null
}

/** The row of invalid cells, valid until `badCells` returns. */
export type RowView = {
  /** Texts in `keyColumnsOf`, not trimmed; '' for a missing cell. Read from the bytes only when called. */
  keyTexts(): readonly string[]
  /** Whether a cell beside the bad ones is not blank. */
  hasContentBeside(badCells: readonly Pick<BadCell, 'column' | 'value'>[]): boolean
  /** More cells than columns. Blank ones count in CSV (no fault), not in a workbook: rows have no length. */
  isTooLong(): boolean
}

/** Gets rows with invalid cells in order, and records in order. A record may come before its bad cells. */
export type FaultSink = {
  /** In the order of columns, with the rules' tests that are not met. Not called for a row without any. */
  badCells(rowNumber: number, cells: readonly BadCell[], row: RowView, unmet: readonly UnmetTest[]): void
  /** Counts a row in place of `badCells`, if nothing but its bad cells is needed; else returns false. */
  count?(rowNumber: number, cells: readonly BadCell[]): boolean
  /** So many records that are not blank have ended; the first is that row, and each is the next one. */
  records(firstRow: number, count: number): void
}

/** For a reading whose rules between cells only look at the keys of rows. */
export const nobody: FaultSink = { badCells: () => {}, records: () => {} }

/** `ready` is awaited between chunks of a worksheet. A CSV file needs no pause: it is not read ahead. */
export type PacedSink = FaultSink & { ready?(): Promise<void> | undefined }

/** Bytes of a table's text, `[from, to)`. `to` is Infinity for the last range. */
export type ByteRange = { readonly from: number; readonly to: number }

/** What a thread needs to filter ranges of a file, as plain data: nothing of the dictionary. */
export type FilterTask = {
  readonly kernel: KernelCopy
  readonly dialect: CsvDialect
  /** Where the text lies in the file, in bytes. */
  readonly place: { readonly start: number; readonly end: number }
  readonly ranges: readonly ByteRange[]
}

/** The records of a range that are not surely valid, as plain data. */
export type FilteredRange = {
  /** Where the first record begins that does not end within the range; maybe at the range's end. */
  readonly end: number
  /** All rows of the range, blank ones included. */
  readonly rowCount: number
  /** The bytes of these records, one after the other, then sentinels. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** As `ColumnKernel.doubtful` has them. The number of a record counts the rows of the range before it. */
  readonly places: Uint32Array<ArrayBuffer>
}

/** Threads beside this one that filter ranges of its file. */
export type FilterThreads = {
  /** Starts them. The result is a function that returns what is left of each range; to be called in order. */
  filter(task: FilterTask): (index: number) => Promise<FilteredRange | null>
}

/** The name of the sheet that is read, and the names of the other visible sheets. */
export type Sheets = {
  readonly read: string
  readonly others: readonly string[]
  /** By its name, else one that differs in spaces or case; also a hidden one. null without cells, too. */
  open(name: string): Promise<TableSource | null>
}

/** Enough to tell records from second headings. */
export const FIRST_RECORDS = 4

/**
 * `cellsPerBatch`: a workbook's cells may all repeat one long text. Cells of other columns than `columns` may
 * be left out, and rows that have no others.
 */
export type RowOptions = { withKinds?: boolean; cellsPerBatch?: number; columns?: ReadonlySet<number> }

/** A file opened for reading: its header is known, its rows are not read yet. */
export type TableSource = {
  /** The bytes that end a cell in this file; columns must be compiled for them. */
  readonly terminators: Terminators
  /** Texts of the header row from column A on, not trimmed, without blank ones at its end. */
  readonly header: readonly string[]
  /** The first column of the table, zero-based. See `findFirstColumn`. */
  readonly firstColumn: number
  /** The row of the header, as a spreadsheet counts. */
  readonly headerRowNumber: number
  /** For a workbook. */
  readonly sheets?: Sheets
  /**
   * `FIRST_RECORDS` rows below the header, or fewer, without blank ones. May end with the first that
   * `isEnough`. Throws `FileProblemError`.
   */
  firstRecords(isEnough: (row: SourceRow) => boolean): Promise<readonly SourceRow[]>
  /** In batches without blank rows, faster after `validate`. Throws `FileProblemError`. */
  rows(options?: RowOptions): AsyncIterable<readonly SourceRow[]>
  /** The fast way if possible; `threads` help with CSV. Throws `FileProblemError`. */
  validate(
    columns: readonly ColumnCheck[],
    sink: PacedSink,
    rules?: RowRules | null,
    threads?: FilterThreads,
  ): Promise<void>
}
