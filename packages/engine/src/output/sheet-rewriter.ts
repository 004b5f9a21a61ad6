import { errorFileLimits, worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { isLeftOut } from '#formats/spreadsheet/read-rich-text.ts'
import { SheetPlace } from '#formats/spreadsheet/sheet-reader.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { asciiBytes, joined, XmlBytes } from '#formats/xml/xml-bytes.ts'
import { type XmlName, XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { Mark, MarkedRow, MarkedRows } from '#output/marked-rows.ts'
import { signedText } from '#output/note-signature.ts'
import type { Platform } from '#platform.ts'

const SHEET_DATA = xmlName('sheetData')
const ROW = xmlName('row')
const CELL = xmlName('c')
const ATTRIBUTE_R = xmlName('r')
const ATTRIBUTE_S = xmlName('s')
const COLUMN = xmlName('col')
const ATTRIBUTE_STYLE = xmlName('style')
const ATTRIBUTE_MIN = xmlName('min')
const ATTRIBUTE_MAX = xmlName('max')
const MAX_COLUMNS = worksheetBounds.maxColumns

/** Constants of this module, which V8 folds; imported ones it does not. */
const { Before, Rows, Cells, After } = SheetPlace
const { Open, Close } = XmlToken

/**
 * What follows the rows is held in memory, up to this many bytes. Hyperlinks and merged cells of a full sheet
 * take some 30 MB.
 */
const MAX_TAIL = 64 * 1024 * 1024

/**
 * Copies a worksheet's XML and gives each marked cell a red format; a marked cell that does not exist is
 * added. A cell that is red from an earlier time and no longer marked gets its former format back. All else
 * stays byte for byte. What follows the rows is passed to `tail` in one piece.
 */
export class SheetRewriter {
  /** Notes of the cells marked so far, at most `errorFileLimits.maxNotes`. */
  readonly notes: Note[] = []
  private readonly platform: Platform
  private readonly marks: MarkedRows
  private readonly styles: DerivedStyles
  private readonly window: XmlWindow
  private readonly tokens: XmlTokens
  private readonly out = new XmlBytes()
  /** Up to where the window was copied. */
  private copied = 0
  private place: SheetPlace = Before
  /** How many tags are open inside an element that is skipped. */
  private unreadDepth = 0
  private marked: MarkedRow | null = null
  private rowNumber = 0
  /** True from a row's first tag until the next row begins. */
  private isRowOpen = false
  /** Where the closing tag of the row's last piece begins. */
  private pieceEnd = 0
  private isRowNumberGiven = true
  private rowStyle = 0
  /** Formats of columns, by column, up to the last column that has one. */
  private readonly columnStyles: number[] = []
  private nextColumn = 0
  /** Marks of the open row whose cells have not been reached yet. */
  private open: Mark[] = []
  private prefix = ''

  constructor(parts: { platform: Platform; marks: MarkedRows; styles: DerivedStyles }) {
    this.platform = parts.platform
    this.marks = parts.marks
    this.styles = parts.styles
    this.window = new XmlWindow(parts.platform)
    this.tokens = this.window.tokens
  }

  /** `sheet` in chunks → the same with marks; `tail` rewrites what follows `</sheetData>`. */
  async *rewrite(
    sheet: AsyncIterable<Uint8Array>,
    tail: (bytes: Uint8Array) => Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    this.marked = await this.marks.peek()
    const { tokens, window } = this
    const behind: Uint8Array[] = []
    let size = 0
    for await (const chunk of sheet) {
      if (this.isBehindRows()) {
        behind.push(chunk.slice())
        if ((size += chunk.length) > MAX_TAIL)
          throw workbookProblems.damaged('what follows its rows is larger than it can be')
        continue
      }
      window.append(chunk)
      this.copied = 0
      while (!this.run()) this.marked = await this.marks.peek()
      this.reopenPiece()
      if (this.isBehindRows()) behind.push(tokens.bytes.slice(tokens.position, tokens.end))
      else this.copyUpTo(tokens.position)
      yield this.out.take()
    }
    yield* tail(joined(behind))
  }

  /** Runs to the end of the window or of the rows; false after a marked row, when the next one is needed. */
  private run(): boolean {
    const { tokens } = this
    while (this.place !== After) {
      const token = tokens.next()
      if (token === XmlToken.More) return true
      if (token === XmlToken.Text || token === XmlToken.CData || this.isUnread(token)) continue
      if (tokens.nameIs(CELL)) {
        if (this.place === Cells && token !== Close) this.cell()
      } else if (tokens.nameIs(ROW) && this.place !== Before) {
        if (token === Close) this.endPiece()
        else if (!this.startPiece(token === XmlToken.Empty)) return false
      } else if (tokens.nameIs(SHEET_DATA)) {
        if (this.endRow()) return false
        this.place = token === Open ? Rows : After
        if (this.place === After) this.copyUpTo(tokens.position)
      } else if (token !== Close && tokens.nameIs(COLUMN) && this.place === Before) this.column()
    }
    return true
  }

  /** Whether a tag begins or lies inside an element that is skipped: an alternative, or extensions. */
  private isUnread(token: XmlToken): boolean {
    if (this.unreadDepth === 0 && !(token === Open && isLeftOut(this.tokens))) return false
    if (token === Open) this.unreadDepth++
    else if (token === Close) this.unreadDepth--
    return true
  }

  private isBehindRows(): boolean {
    return this.place === After
  }

  /** If the window ends behind a piece whose row may need more cells, its closing tag is read again. */
  private reopenPiece(): void {
    if (!this.isRowOpen || this.place !== Rows || this.open.length === 0) return
    this.tokens.position = this.pieceEnd
    this.place = Cells
    this.unreadDepth = 0
  }

  /** A row may come in several pieces with the same number. false if the row before was a marked one. */
  private startPiece(isEmpty: boolean): boolean {
    const number = this.tokens.attribute(ATTRIBUTE_R)
    const isFirst = !this.isRowOpen || number === null || Number(number) !== this.rowNumber
    if (isFirst) {
      if (this.endRow()) return false
      this.startRow(number)
    }
    this.place = isEmpty ? Rows : Cells
    if (isFirst || !isEmpty) this.unmark(ATTRIBUTE_S)
    return true
  }

  private endPiece(): void {
    this.pieceEnd = this.tokens.start
    this.place = Rows
  }

  private startRow(number: string | null): void {
    this.isRowOpen = true
    this.isRowNumberGiven = number !== null && number !== ''
    this.rowNumber = this.isRowNumberGiven ? Number(number) : this.rowNumber + 1
    this.rowStyle = Number(this.tokens.attribute(ATTRIBUTE_S) ?? 0)
    this.nextColumn = 0
    this.prefix = this.tokens.prefix()
    this.openMarks()
  }

  private openMarks(): void {
    this.open = this.marked !== null && this.marked.rowNumber === this.rowNumber ? [...this.marked.cells] : []
    for (const { column, note } of this.open) {
      if (this.notes.length < errorFileLimits.maxNotes)
        this.notes.push({ row: this.rowNumber - 1, column, text: signedText(note) })
    }
  }

  /**
   * Ends the open row before the tag that was just read. true if it was a marked row: then the tag is read
   * again once the next marked row is known.
   */
  private endRow(): boolean {
    if (!this.isRowOpen) return false
    for (const { column } of this.open) this.insertCell(column, this.pieceEnd)
    this.open = []
    this.isRowOpen = false
    if (this.marked === null || this.marked.rowNumber !== this.rowNumber) return false
    this.marks.take()
    this.tokens.position = this.tokens.start
    return true
  }

  /** Columns come in order; those without a format of their own are left out. */
  private column(): void {
    const { tokens, columnStyles, styles } = this
    const style = Number(tokens.attribute(ATTRIBUTE_STYLE) ?? 0)
    const first = Number(tokens.attribute(ATTRIBUTE_MIN) ?? 1) - 1
    const last = Math.min(Number(tokens.attribute(ATTRIBUTE_MAX) ?? 0), MAX_COLUMNS) - 1
    while (columnStyles.length < Math.min(first, MAX_COLUMNS)) columnStyles.push(0)
    while (columnStyles.length <= last) columnStyles.push(styles.plainOf(style) ?? style)
    this.unmark(ATTRIBUTE_STYLE)
  }

  private cell(): void {
    const { tokens } = this
    if (this.open.length === 0 && this.isRowNumberGiven) return this.unmark(ATTRIBUTE_S)
    const column = this.columnOf(tokens.attribute(ATTRIBUTE_R))
    while (this.open.length > 0 && this.open[0].column < column)
      this.insertCell(this.open.shift()!.column, tokens.start)
    if (this.open.length > 0 && this.open[0].column === column) {
      this.open.shift()
      this.edit(
        attributeEdit(
          tokens,
          ATTRIBUTE_S,
          's',
          this.styles.redOf(Number(tokens.attribute(ATTRIBUTE_S) ?? 0)),
        ),
      )
    } else this.unmark(ATTRIBUTE_S)
    this.nextColumn = column + 1
  }

  /** Removes our red of an earlier time from the tag that was just read. */
  private unmark(attribute: XmlName): void {
    const { tokens, styles } = this
    if (!styles.hasOld || !tokens.findAttribute(attribute)) return
    const plain = styles.plainOf(Number(tokens.attribute(attribute)))
    if (plain !== null) this.edit({ start: tokens.valueStart, end: tokens.valueEnd, text: String(plain) })
  }

  private edit({ start, end, text }: Edit): void {
    this.copyUpTo(start)
    this.write(text)
    this.copied = end
  }

  private columnOf(reference: string | null): number {
    if (reference === null || reference === '') return this.nextColumn
    const { column, row } = parseCellReference(reference)
    if (!this.isRowNumberGiven && row !== this.rowNumber && this.nextColumn === 0) {
      this.rowNumber = row
      this.openMarks()
    }
    return column
  }

  /** A missing cell has the format of its row, else that of its column. */
  private insertCell(column: number, position: number): void {
    const style = this.rowStyle > 0 ? this.rowStyle : (this.columnStyles[column] ?? 0)
    this.copyUpTo(position)
    this.write(
      `<${this.prefix}c r="${columnLetter(column)}${this.rowNumber}" s="${this.styles.redOf(style)}"/>`,
    )
  }

  private copyUpTo(position: number): void {
    if (position > this.copied) this.out.copy(this.tokens.bytes, this.copied, position)
    this.copied = position
  }

  private write(text: string): void {
    this.out.markup(asciiBytes(text))
  }
}
