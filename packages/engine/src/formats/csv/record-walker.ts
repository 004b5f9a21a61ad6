import * as byteNames from '#formats/byte-names.ts'
import { grown } from '#formats/bytes.ts'
import { CellReader, CUT } from '#formats/csv/cell-reader.ts'
import { type CsvDialect, endsRecord, maxCellBytes } from '#formats/csv/csv-dialect.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

const { CARRIAGE_RETURN, LINE_FEED } = byteNames
const READ_BYTES = 256 * 1024

/** Receives the records of a text, cell by cell. */
export type RecordVisitor = {
  /** Not called for an empty line. */
  startRecord(rowNumber: number): void
  /** `[start, end)` of `bytes` is the whole cell; `cell` says which part of it is the text. */
  cell(bytes: Uint8Array, start: number, end: number, cell: CellReader): void
  endRecord(): void
}

/** Walks CSV records as bytes, unchecked: the validation that runs beside it refuses a broken file. */
export class RecordWalker {
  /** `[at, end)` was read and is not walked yet. */
  bytes = new Uint8Array(READ_BYTES * 2)
  at = 0
  private end = 0
  /** Whether the text ends at the end of `bytes`. */
  isLast = false
  /** The row number of the open record, else of the last one. */
  rowNumber = 0
  isRecordOpen = false
  private isAfterReturn = false
  private readonly text: TextBytes
  private readonly cells: CellReader
  private readonly limits: FileGuards
  private readonly visitor: RecordVisitor

  constructor(parts: {
    text: TextBytes
    dialect: CsvDialect
    platform: Pick<Platform, 'decodeUtf8'>
    limits: FileGuards
    visitor: RecordVisitor
  }) {
    this.text = parts.text
    // The validation that runs at the same time reports what breaks the grammar.
    this.cells = new CellReader(parts.dialect, parts.platform, 'pass')
    this.limits = parts.limits
    this.visitor = parts.visitor
  }

  /** Walks to the end of a record. Returns false if the bytes end before it: then `read` must be called. */
  walkRecord(): boolean {
    this.skipLineFeed()
    const { bytes, end, visitor } = this
    this.cells.use(bytes)
    while (this.at < end || (this.isRecordOpen && this.isLast)) {
      if (!this.isRecordOpen) {
        this.rowNumber++
        if (endsRecord(bytes[this.at])) return this.endLine(this.at)
        this.isRecordOpen = true
        visitor.startRecord(this.rowNumber)
      }
      const next = this.cell(this.at)
      if (next === CUT) return false
      this.at = next + 1
      if (next >= end || endsRecord(bytes[next])) {
        visitor.endRecord()
        this.isRecordOpen = false
        return this.endLine(next)
      }
    }
    return false
  }

  /** Drops what was walked, so that `at` is 0, and reads on. */
  async read(): Promise<void> {
    this.bytes.copyWithin(0, this.at, this.end)
    this.end -= this.at
    this.at = 0
    if (this.end > maxCellBytes(this.limits))
      throw workbookProblems.cellTooLong(this.rowNumber, this.limits.maxCellLength)
    if (this.bytes.length - this.end < READ_BYTES) this.bytes = grown(this.bytes, this.end)
    const count = await this.text.read(this.bytes.subarray(this.end))
    this.isLast = count === 0
    this.end += count
  }

  /** Whether the text has ended. Reads on if the bytes at hand end after a record. */
  async isAtEnd(): Promise<boolean> {
    for (;;) {
      this.skipLineFeed()
      if (this.isLast || this.at < this.end) return this.at === this.end
      await this.read()
    }
  }

  /** Skips the LF of a CRLF whose CR has ended the record. */
  private skipLineFeed(): void {
    if (!this.isAfterReturn || this.at === this.end) return
    if (this.bytes[this.at] === LINE_FEED) this.at++
    this.isAfterReturn = false
  }

  private endLine(at: number): true {
    this.isAfterReturn = at < this.end && this.bytes[at] === CARRIAGE_RETURN
    this.at = Math.min(at + 1, this.end)
    return true
  }

  /** Returns the index of the cell's end; CUT if the bytes end before it. */
  private cell(start: number): number {
    const { bytes, cells } = this
    const stop = cells.read(start, this.end, this.isLast)
    if (stop !== CUT) this.visitor.cell(bytes, start, stop, cells)
    return stop
  }
}
