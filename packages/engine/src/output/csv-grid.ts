import { worksheetBounds } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import * as byteNames from '#formats/byte-names.ts'
import { CellReader, CUT } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord, maxCellBytes } from '#formats/csv/csv-dialect.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'
import { textColumns } from '#output/cell-styles.ts'
import { GridRows, MAX_GRID_COLUMNS } from '#output/grid-rows.ts'
import type { MarkedRow, MarkedRows } from '#output/marked-rows.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

const { CARRIAGE_RETURN, LINE_FEED } = byteNames
const COLUMN_WIDTH = 18
const READ_BYTES = 256 * 1024
/** Bytes per chunk of XML: large enough that deflating one chunk overlaps with making the next. */
const CHUNK_BYTES = 192 * 1024

/**
 * The records of a CSV text as sheets of text cells, from bytes to bytes without strings. Each sheet is as
 * long as Excel allows. Rows keep their numbers. The grammar is that of `RecordReader`, without its checks:
 * the validation that runs at the same time refuses a file that breaks the grammar.
 */
export class CsvGrid {
  isDone = false
  private readonly text: TextBytes
  private readonly cells: CellReader
  private readonly marks: MarkedRows
  private readonly width: number
  private readonly limits: FileGuards
  private readonly rows: GridRows
  /** `[at, end)` was read and is not written yet. */
  private bytes = new Uint8Array(READ_BYTES * 2)
  private at = 0
  private end = 0
  private isLast = false
  private isAfterReturn = false
  /** Of the open record, else of the last one. */
  private rowNumber = 0
  private isRowOpen = false
  /** The number in the file of the first row of the current sheet, or of the next one. */
  firstRow = 1
  /** The notes of the sheet written last. */
  private notes: readonly Note[] = []
  /** The next row that has marks. */
  private marked: MarkedRow | null = null

  constructor(parts: {
    text: TextBytes
    dialect: CsvDialect
    platform: Pick<Platform, 'decodeUtf8'>
    marks: MarkedRows
    width: number
    headerRow: number
    limits: FileGuards
  }) {
    this.text = parts.text
    // The validation that runs at the same time reports what breaks the grammar.
    this.cells = new CellReader(parts.dialect, parts.platform, 'pass')
    this.marks = parts.marks
    this.width = Math.min(parts.width, MAX_GRID_COLUMNS)
    this.limits = parts.limits
    this.rows = new GridRows(parts.headerRow)
  }

  /** The next sheet, to be written before another one is asked for. */
  sheet(name: string): NewSheet {
    const { firstRow } = this
    return {
      name,
      columns: textColumns(Array(this.width).fill(COLUMN_WIDTH)),
      rows: this.sheetRows(),
      rowCount: () => this.rowNumber - firstRow + 1,
      notes: { author: NOTE_AUTHOR, list: () => this.notes },
    }
  }

  private async *sheetRows(): AsyncGenerator<Uint8Array> {
    const { xml } = this.rows
    const lastRow = this.firstRow + worksheetBounds.maxRows - 1
    this.marked = await this.marks.peek()
    while (this.rowNumber < lastRow || this.isRowOpen) {
      if (!this.record()) {
        if (this.isLast) break
        await this.read()
      } else if (this.marked !== null && this.marked.rowNumber === this.rowNumber) {
        this.marks.take()
        this.marked = await this.marks.peek()
      }
      if (xml.length >= CHUNK_BYTES) yield xml.take()
    }
    this.isDone = await this.isAtEnd()
    if (!this.isDone && this.firstRow === 1)
      this.rows.noteAtStart(fileProblemMessages.rowsOnOtherSheet(continuedSheetName(lastRow + 1)))
    this.firstRow = lastRow + 1
    this.notes = this.rows.takeNotes()
    yield xml.take()
  }

  /** Whether the text has ended. Reads on if a sheet is full exactly where the bytes at hand end. */
  private async isAtEnd(): Promise<boolean> {
    for (;;) {
      this.skipLineFeed()
      if (this.isLast || this.at < this.end) return this.at === this.end
      await this.read()
    }
  }

  private async read(): Promise<void> {
    this.bytes.copyWithin(0, this.at, this.end)
    this.end -= this.at
    this.at = 0
    if (this.end > maxCellBytes(this.limits)) {
      throw workbookProblems.cellTooLong(this.rowNumber, this.limits.maxCellLength)
    }
    if (this.bytes.length - this.end < READ_BYTES) {
      const larger = new Uint8Array(this.bytes.length * 2)
      larger.set(this.bytes.subarray(0, this.end))
      this.bytes = larger
    }
    const count = await this.text.read(this.bytes.subarray(this.end))
    this.isLast = count === 0
    this.end += count
  }

  /** Writes up to the end of a record; false if the bytes at hand end before. */
  private record(): boolean {
    this.skipLineFeed()
    const { bytes, end } = this
    this.cells.use(bytes)
    while (this.at < end || (this.isRowOpen && this.isLast)) {
      if (!this.isRowOpen) {
        if (endsRecord(bytes[this.at])) {
          this.rowNumber++
          return this.endRecord(this.at)
        }
        this.startRow()
      }
      const next = this.cell(this.at)
      if (next === CUT) return false
      this.at = next + 1
      if (next >= end || endsRecord(bytes[next])) {
        this.rows.end()
        this.isRowOpen = false
        return this.endRecord(next)
      }
    }
    return false
  }

  /** Skips the LF of a CRLF whose CR has ended the record. */
  private skipLineFeed(): void {
    if (!this.isAfterReturn || this.at === this.end) return
    if (this.bytes[this.at] === LINE_FEED) this.at++
    this.isAfterReturn = false
  }

  private endRecord(at: number): true {
    this.isAfterReturn = at < this.end && this.bytes[at] === CARRIAGE_RETURN
    this.at = Math.min(at + 1, this.end)
    return true
  }

  private startRow(): void {
    const { marked } = this
    const rowNumber = ++this.rowNumber
    this.isRowOpen = true
    this.rows.start(
      rowNumber,
      rowNumber - this.firstRow,
      marked !== null && marked.rowNumber === rowNumber ? marked.marks : [],
    )
  }

  /** Writes the cell at `from` and returns the index of its end; CUT if the bytes at hand end before. */
  private cell(from: number): number {
    const { bytes, end, cells } = this
    const stop = cells.read(from, end, this.isLast)
    if (stop !== CUT) this.rows.cell(bytes, cells.from, cells.to, cells.isQuoted)
    return stop
  }
}
