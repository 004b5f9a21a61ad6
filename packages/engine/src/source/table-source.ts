import type { CellFault } from '@veridict/contract/model/cell-error'
import type { ColumnCheck } from '#compile/column-check.ts'
import type { Terminators } from '#formats/terminators.ts'

/** A row as its source holds it: the texts of its cells, raw, not trimmed. */
export type SourceRow = {
  /** As a spreadsheet shows it; the header is 1 when it stands in the first row. */
  rowNumber: number
  cells: readonly string[]
  /**
   * Which cells of a workbook's row are more than text, by column. Only where `rows` was asked for it, and a
   * row has any.
   */
  kinds?: readonly (SourceCellKind | undefined)[]
}

/** A true date or time, or an error such as #N/A. */
export type SourceCellKind = 'moment' | 'error'

/**
 * A bad cell, lent to a sink for the length of a call. Its raw text is made when `value` is read, as the
 * sentences of a fault are, because of a million bad cells only a hundred rows are shown. After the call
 * `value` means nothing. What it answered is a copy, never a slice that would keep its chunk alive.
 */
export type CellView = { readonly value: string }

/** Takes what the judging of rows finds. */
export type FaultSink = {
  /**
   * A bad cell. `column` is that of the sheet, zero-based; one beyond the columns that are checked is an
   * extra cell. The faults of a row come one after the other, in the order of its columns.
   */
  fault(rowNumber: number, column: number, fault: CellFault, cell: CellView): void
  /** A non-blank record has ended. */
  record(rowNumber: number): void
}

/**
 * A sink that may hold back the reading of a worksheet: `ready` is awaited between chunks. A CSV file is held
 * back by its source, which nobody reads ahead of.
 */
export type PacedSink = FaultSink & { ready?(): Promise<void> | undefined }

/** Bytes of a table's text, `[from, to)`. `to` is Infinity for what reaches to the end. */
export type ByteRange = { readonly from: number; readonly to: number }

/** A table whose rows can be judged range by range, in any order. */
export type RangedTable = {
  readonly headerRowNumber: number
  /**
   * At most `count` ranges of about the same size, which together are all rows. Where they meet is a guess:
   * it looks as though a record began there, but only judging the range before can tell.
   */
  ranges(count: number): Promise<readonly ByteRange[]>
  /**
   * Judges the records that lie whole in the range, as though one began at `from`; rows count from 1. Answers
   * where the first record begins that is not whole (`to`, if one begins there), and how many rows were
   * passed, blank ones included. null: something may be wrong with the file as a whole, which only `judge`
   * can name.
   */
  validateRange(
    columns: readonly ColumnCheck[],
    sink: FaultSink,
    range: ByteRange,
  ): Promise<{ end: number; rowCount: number } | null>
}

/** A file opened for reading: its header is known, its rows are not read yet. */
export type TableSource = {
  readonly kind: 'csv' | 'xlsx'
  /** What ends a cell in this file's bytes: columns must be compiled for it. */
  readonly terminators: Terminators
  /** Raw texts of the header row from column A on, trailing blank ones dropped. */
  readonly header: readonly string[]
  /**
   * Where the table begins, zero-based: the columns left of it are blank in the header and in the first
   * record.
   */
  readonly firstColumn: number
  /** The row of the header, as a spreadsheet counts. */
  readonly headerRowNumber: number
  /** Of a workbook: the name of the sheet that is read, and those of the other visible ones. */
  readonly sheets?: { readonly read: string; readonly others: readonly string[] }
  /** The reference reading: non-blank rows below the header, in batches. Throws `FileProblemError`. */
  rows(options?: { withKinds: boolean }): AsyncIterable<readonly SourceRow[]>
  /** The fast path with the reference behind it: judges every row. Throws `FileProblemError`. */
  validate(columns: readonly ColumnCheck[], sink: PacedSink): Promise<void>
  /** Where the file can be judged in ranges. */
  readonly ranged?: RangedTable
}
