import { errorFileLimits, worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import * as byteNames from '#formats/byte-names.ts'
import { MAX_CELL_TEXT } from '#formats/spreadsheet/write-cells.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { ascii, joined } from '#formats/bytes.ts'
import { XmlBytes } from '#formats/xml/xml-bytes.ts'
import { CellStyle } from '#output/cell-styles.ts'
import type { LivingCopy } from '#output/living-copy.ts'
import type { Mark } from '#output/marked-rows.ts'
import { signedText } from '#output/note-signature.ts'

const { LINE_FEED, QUOTE, SPACE } = byteNames

/** Cells of a line of CSV beyond this column are left out. */
export const MAX_GRID_COLUMNS = worksheetBounds.maxColumns

const styles = Object.values(CellStyle)
const TEXT = styles.map((style) => ascii(`" s="${style}" t="inlineStr"><is><t>`))
const PRESERVED = styles.map((style) => ascii(`" s="${style}" t="inlineStr"><is><t xml:space="preserve">`))
const EMPTY = styles.map((style) => ascii(`" s="${style}"/>`))
const CELL_END = ascii('</t></is></c>')
const ROW_START = ascii('<row r="')
const TAG_END = ascii('">')
const ROW_END = ascii('</row>')

/** The rows of a sheet as XML, from bytes: text cells, the marked ones red or yellow. */
export class GridRows {
  readonly xml = new XmlBytes()
  private readonly headerRow: number
  private readonly cellStarts: Uint8Array[] = []
  private isHeader = false
  /** The row's index in its sheet, from 0. */
  private index = 0
  private column = 0
  /** The row's number in its sheet, as ASCII. */
  private digits = ascii('1')
  /** The XML between the column letters and the text of an ordinary cell of the row. */
  private textStart = this.digits
  /** The marks of the current row. */
  private marks: readonly Mark[] = []
  private nextMark = 0
  private notes: Note[] = []
  private noteCount = 0
  private readonly living: Pick<LivingCopy, 'mark'>

  /** `headerRow` is its number in the file. */
  constructor(headerRow: number, living: Pick<LivingCopy, 'mark'>) {
    this.headerRow = headerRow
    this.living = living
  }

  /** The notes since the last call, signed. */
  takeNotes(): Note[] {
    const { notes } = this
    this.notes = []
    return notes.map((note) => ({ ...note, text: signedText(note.text) }))
  }

  /** Adds a note about the whole sheet to its first cell, in front of a note that the cell has already. */
  noteAtStart(text: string): void {
    const [first, ...others] = this.notes
    const isTaken = first !== undefined && first.row === 0 && first.column === 0
    this.notes = [
      { row: 0, column: 0, text: isTaken ? `${text}\n${first.text}` : text },
      ...(isTaken ? others : this.notes),
    ]
  }

  /**
   * `rowNumber` counts in the file, `index` in the sheet, from 0. `marks` are in the order of their columns.
   */
  start(rowNumber: number, index: number, marks: readonly Mark[]): void {
    const { xml } = this
    this.isHeader = rowNumber === this.headerRow
    this.index = index
    this.column = 0
    this.marks = marks
    this.nextMark = 0
    this.digits = ascii(String(index + 1))
    this.textStart = joined([this.digits, TEXT[this.plainStyle()]])
    xml.markup(ROW_START)
    xml.markup(this.digits)
    xml.markup(TAG_END)
  }

  /**
   * Writes the next cell; its text is `[start, textEnd)` of `bytes`. `isQuoted`: quotes in it are escaped. A
   * text that is too long is cut: if the header does not match, the cells were never checked.
   */
  cell(bytes: Uint8Array, start: number, textEnd: number, isQuoted: boolean): void {
    const { xml } = this
    const end = endOfCellText(bytes, start, textEnd, isQuoted)
    const column = this.column++
    if (column >= MAX_GRID_COLUMNS) return
    const isMarked = this.nextMark < this.marks.length && this.marks[this.nextMark].column === column
    const mark = isMarked ? this.marks[this.nextMark++] : null
    if (mark !== null) {
      this.note(mark)
      this.living.mark(this.index + 1, column)
    } else if (start === end) return
    if (mark !== null && start === end) return this.emptyCell(mark)
    const isPreserved =
      bytes[start] <= SPACE || bytes[end - 1] <= SPACE || (isQuoted && hasLineBreak(bytes, start, end))
    xml.markup(this.cellStart(column))
    if (mark === null && !isPreserved) xml.markup(this.textStart)
    else {
      const style = mark === null ? this.plainStyle() : this.markStyle(mark)
      xml.markup(this.digits)
      xml.markup((isPreserved ? PRESERVED : TEXT)[style])
    }
    xml.text(bytes, start, end, isQuoted)
    xml.markup(CELL_END)
  }

  /** Ends the row. Marked cells that it does not have are added as empty cells. */
  end(): void {
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
    this.notes.push({ row: this.index, column: mark.column, text: mark.note })
  }
}

function hasLineBreak(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === LINE_FEED) return true
  return false
}

/**
 * Where the text `[start, end)` (UTF-8) has to be cut so that a spreadsheet's cell can hold it, which counts
 * in UTF-16. `isQuoted`: quotes in it are escaped and count as one.
 */
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
