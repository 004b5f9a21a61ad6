import { errorFileLimits, worksheetBounds } from '@veridict/contract/limits'
import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import * as byteNames from '#formats/byte-names.ts'
import { ascii, joined } from '#formats/bytes.ts'
import type { CellReader } from '#formats/csv/cell-reader.ts'
import type { CsvDialect } from '#formats/csv/csv-dialect.ts'
import { type RecordVisitor, RecordWalker } from '#formats/csv/record-walker.ts'
import type { TextBytes } from '#formats/csv/text-bytes.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import { MAX_CELL_TEXT } from '#formats/spreadsheet/write-cells.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { XmlBytes } from '#formats/xml/xml-bytes.ts'
import type { FileGuards } from '#limits.ts'
import { CellStyle, textColumns } from '#output/cell-styles.ts'
import type { LivingCopy } from '#output/living-copy.ts'
import type { Mark, MarkedRow } from '#output/marked-rows.ts'
import type { Rows } from '#output/row-feed.ts'
import { NOTE_AUTHOR, signedText } from '#output/sheet-notes.ts'
import type { Platform } from '#platform.ts'

const { LINE_FEED, QUOTE, SPACE } = byteNames

const COLUMN_WIDTH = 18
/** Cells of a line of CSV beyond this column are left out. */
const MAX_COLUMNS = worksheetBounds.maxColumns
/** Bytes per chunk of XML: large enough that deflating one chunk overlaps with making the next. */
const CHUNK_BYTES = 192 * 1024

const styles = Object.values(CellStyle)
const TEXT = styles.map((style) => ascii(`" s="${style}" t="inlineStr"><is><t>`))
const PRESERVED = styles.map((style) => ascii(`" s="${style}" t="inlineStr"><is><t xml:space="preserve">`))
const EMPTY = styles.map((style) => ascii(`" s="${style}"/>`))
const CELL_END = ascii('</t></is></c>')
const ROW_START = ascii('<row r="')
const TAG_END = ascii('">')
const ROW_END = ascii('</row>')

type GridParts = {
  readonly text: TextBytes
  readonly dialect: CsvDialect
  readonly platform: Pick<Platform, 'decodeUtf8'>
  readonly marks: Rows<MarkedRow>
  readonly living: Pick<LivingCopy, 'mark'>
  readonly width: number
  /** Its number in the file. */
  readonly headerRow: number
  readonly limits: FileGuards
}

/** CSV as sheets of text cells, each as long as Excel allows, made from bytes. Rows keep their numbers. */
export class CsvGrid implements RecordVisitor {
  isDone = false
  /** The number in the file of the first row of the current sheet, or of the next one. */
  firstRow = 1
  private readonly parts: GridParts
  private readonly walker: RecordWalker
  private readonly xml = new XmlBytes()
  private readonly cellStarts: Uint8Array[] = []
  private marked: MarkedRow | null = null
  private isHeader = false
  /** The row's number in its sheet, also as ASCII. */
  private row = 1
  private digits = ascii('1')
  /** The XML between the column letters and the text of an ordinary cell of the row. */
  private textStart = this.digits
  private column = 0
  private marks: readonly Mark[] = []
  private nextMark = 0
  /** Of the current sheet, not signed. */
  private notes: Note[] = []
  private noteCount = 0

  constructor(parts: GridParts) {
    this.parts = parts
    this.walker = new RecordWalker({ ...parts, visitor: this })
  }

  /** The next sheet. It must be written before the next call. */
  sheet(name: string): NewSheet {
    const { firstRow, walker } = this
    const notes: Note[] = (this.notes = [])
    return {
      name,
      columns: textColumns(Array(Math.min(this.parts.width, MAX_COLUMNS)).fill(COLUMN_WIDTH)),
      rows: this.sheetRows(),
      rowCount: () => walker.rowNumber - firstRow + 1,
      notes: {
        author: NOTE_AUTHOR,
        list: () => notes.map((note) => ({ ...note, text: signedText(note.text) })),
      },
    }
  }

  private async *sheetRows(): AsyncGenerator<Uint8Array> {
    const { walker, xml } = this
    const { marks, limits } = this.parts
    const lastRow = this.firstRow + limits.maxRows - 1
    this.marked = await marks.peek()
    while (walker.rowNumber < lastRow || walker.isRecordOpen) {
      if (!walker.walkRecord()) {
        if (walker.isLast) break
        await walker.read()
      } else if (this.marked !== null && this.marked.rowNumber === walker.rowNumber) {
        marks.take()
        this.marked = await marks.peek()
      }
      if (xml.length >= CHUNK_BYTES) yield xml.take()
    }
    this.isDone = await walker.isAtEnd()
    if (!this.isDone && this.firstRow === 1)
      this.noteAtStart(fileProblemMessages.rowsOnOtherSheet(continuedSheetName(lastRow + 1)))
    this.firstRow = lastRow + 1
    yield xml.take()
  }

  /** Adds a note about the whole sheet to its first cell, in front of a note that the cell has already. */
  private noteAtStart(text: string): void {
    const [first] = this.notes
    const isTaken = first !== undefined && first.row === 0 && first.column === 0
    this.notes.splice(0, isTaken ? 1 : 0, {
      row: 0,
      column: 0,
      text: isTaken ? `${text}\n${first.text}` : text,
    })
  }

  startRecord(rowNumber: number): void {
    const { xml, marked } = this
    this.isHeader = rowNumber === this.parts.headerRow
    this.row = rowNumber - this.firstRow + 1
    this.column = 0
    this.marks = marked !== null && marked.rowNumber === rowNumber ? marked.cells : []
    this.nextMark = 0
    this.digits = ascii(String(this.row))
    this.textStart = joined([this.digits, TEXT[this.plainStyle()]])
    xml.markup(ROW_START)
    xml.markup(this.digits)
    xml.markup(TAG_END)
  }

  /** A text that is too long is cut: if the header does not match, the cells were never checked. */
  cell(bytes: Uint8Array, _start: number, _end: number, { from, to, isQuoted }: CellReader): void {
    const { xml } = this
    const end = endOfCellText(bytes, from, to, isQuoted)
    const column = this.column++
    if (column >= MAX_COLUMNS) return
    const isMarked = this.nextMark < this.marks.length && this.marks[this.nextMark].column === column
    const mark = isMarked ? this.marks[this.nextMark++] : null
    if (mark !== null) {
      this.note(mark)
      this.parts.living.mark(this.row, column)
    } else if (from === end) return
    if (mark !== null && from === end) return this.emptyCell(mark)
    const isPreserved =
      bytes[from] <= SPACE || bytes[end - 1] <= SPACE || (isQuoted && hasLineBreak(bytes, from, end))
    xml.markup(this.cellStart(column))
    if (mark === null && !isPreserved) xml.markup(this.textStart)
    else {
      const style = mark === null ? this.plainStyle() : this.markStyle(mark)
      xml.markup(this.digits)
      xml.markup((isPreserved ? PRESERVED : TEXT)[style])
    }
    // Quotes in a quoted cell are escaped.
    xml.text(bytes, from, end, isQuoted)
    xml.markup(CELL_END)
  }

  /** Marked cells that the row does not have are added as empty cells. */
  endRecord(): void {
    for (const mark of this.marks.slice(this.nextMark)) {
      this.emptyCell(mark)
      this.note(mark)
    }
    this.xml.markup(ROW_END)
  }

  /** Empty cells are written only if they are marked. */
  private emptyCell(mark: Mark): void {
    this.xml.markup(this.cellStart(mark.column))
    this.xml.markup(this.digits)
    this.xml.markup(EMPTY[this.markStyle(mark)])
  }

  private plainStyle(): number {
    return this.isHeader ? CellStyle.Heading : CellStyle.Text
  }

  private markStyle({ kind }: Mark): number {
    if (kind === 'warning') return CellStyle.Warning
    return this.isHeader ? CellStyle.BadHeading : CellStyle.Bad
  }

  /** `<c r="AB` */
  private cellStart(column: number): Uint8Array {
    return (this.cellStarts[column] ??= ascii(`<c r="${columnLetter(column)}`))
  }

  private note(mark: Mark): void {
    if (this.noteCount >= errorFileLimits.maxNotes || !mark.hasNote) return
    this.noteCount++
    this.notes.push({ row: this.row - 1, column: mark.column, text: mark.note })
  }
}

function hasLineBreak(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === LINE_FEED) return true
  return false
}

/** Where the text (UTF-8) is cut for a cell, counted in UTF-16. `isQuoted`: escaped quotes count as one. */
function endOfCellText(bytes: Uint8Array, start: number, end: number, isQuoted: boolean): number {
  if (end - start <= MAX_CELL_TEXT) return end
  let units = 0
  for (let at = start; at < end;) {
    const lead = bytes[at]
    const length = lead < 0x80 ? (isQuoted && lead === QUOTE ? 2 : 1) : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    units += length === 4 ? 2 : 1
    if (units > MAX_CELL_TEXT) return at
    at += length
  }
  return end
}
