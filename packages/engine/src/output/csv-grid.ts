import { worksheetBounds } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { type RecordVisitor, RecordWalker } from '#formats/csv/record-walker.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import type { FileGuards } from '#limits.ts'
import { textColumns } from '#output/cell-styles.ts'
import { GridRows, MAX_GRID_COLUMNS } from '#output/grid-rows.ts'
import type { LivingCopy } from '#output/living-copy.ts'
import type { MarkedRow, MarkedRows } from '#output/marked-rows.ts'
import { NOTE_AUTHOR } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

const COLUMN_WIDTH = 18
/** Bytes per chunk of XML: large enough that deflating one chunk overlaps with making the next. */
const CHUNK_BYTES = 192 * 1024

/**
 * The records of a CSV text as sheets of text cells, from bytes to bytes without strings. Each sheet is as
 * long as Excel allows. Rows keep their numbers.
 */
export class CsvGrid implements RecordVisitor {
  isDone = false
  private readonly walker: RecordWalker
  private readonly marks: MarkedRows
  private readonly width: number
  private readonly rows: GridRows
  private readonly rowsPerSheet: number
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
    living: Pick<LivingCopy, 'mark'>
    width: number
    headerRow: number
    limits: FileGuards
    rowsPerSheet?: number
  }) {
    this.walker = new RecordWalker({ ...parts, visitor: this })
    this.marks = parts.marks
    this.width = Math.min(parts.width, MAX_GRID_COLUMNS)
    this.rows = new GridRows(parts.headerRow, parts.living)
    this.rowsPerSheet = parts.rowsPerSheet ?? worksheetBounds.maxRows
  }

  /** The next sheet. It must be written before the next call. */
  sheet(name: string): NewSheet {
    const { firstRow, walker } = this
    return {
      name,
      columns: textColumns(Array(this.width).fill(COLUMN_WIDTH)),
      rows: this.sheetRows(),
      rowCount: () => walker.rowNumber - firstRow + 1,
      notes: { author: NOTE_AUTHOR, list: () => this.notes },
    }
  }

  private async *sheetRows(): AsyncGenerator<Uint8Array> {
    const { walker } = this
    const { xml } = this.rows
    const lastRow = this.firstRow + this.rowsPerSheet - 1
    this.marked = await this.marks.peek()
    while (walker.rowNumber < lastRow || walker.isRecordOpen) {
      if (!walker.walkRecord()) {
        if (walker.isLast) break
        await walker.read()
      } else if (this.marked !== null && this.marked.rowNumber === walker.rowNumber) {
        this.marks.take()
        this.marked = await this.marks.peek()
      }
      if (xml.length >= CHUNK_BYTES) yield xml.take()
    }
    this.isDone = await walker.isAtEnd()
    if (!this.isDone && this.firstRow === 1)
      this.rows.noteAtStart(fileProblemMessages.rowsOnOtherSheet(continuedSheetName(lastRow + 1)))
    this.firstRow = lastRow + 1
    this.notes = this.rows.takeNotes()
    yield xml.take()
  }

  startRecord(rowNumber: number): void {
    const { marked } = this
    this.rows.start(
      rowNumber,
      rowNumber - this.firstRow,
      marked !== null && marked.rowNumber === rowNumber ? marked.cells : [],
    )
  }

  cell(bytes: Uint8Array, _start: number, _end: number, cell: CellReader): void {
    this.rows.cell(bytes, cell.from, cell.to, cell.isQuoted)
  }

  endRecord(): void {
    this.rows.end()
  }
}
