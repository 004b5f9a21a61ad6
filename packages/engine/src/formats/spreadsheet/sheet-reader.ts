import { isBlank } from '#formats/bytes.ts'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { CellType, cellTypeOf } from '#formats/spreadsheet/cell-text.ts'
import { readRichText, readText } from '#formats/spreadsheet/read-rich-text.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { isTransparent, skipElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, type XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'

const SheetPlace = { Before: 0, Rows: 1, Cells: 2, After: 3 } as const
type SheetPlace = (typeof SheetPlace)[keyof typeof SheetPlace]

/** Takes the rows of a sheet with their cells, in the order of the file. */
export type RowHandler = {
  startRow(rowNumber: number): void
  /** See `RawCell`. `column`: zero-based, in any order. */
  cell(column: number, type: CellType, style: number, raw: string): void
  endRow(): void
  /** Whether the reader should stop before the next row, so that the rows so far can be taken. */
  readonly isFull: boolean
}

/** Runs ahead of the tokens over the rows that it surely knows in `bytes`; returns where it stopped. */
export type SheetScanner = { readonly bytes: Uint8Array; scan(sheet: SheetCursor): number }

/** What a scanner needs of the reader, and how it reports the rows that it read. */
export type SheetCursor = {
  /** Sentinels follow the data. */
  readonly bytes: Uint8Array
  /** Where the next unit begins. */
  readonly position: number
  /** The number of the last row, as the spreadsheet shows it. */
  rowNumber: number
  /** A row begins; `number` is 0 if it has none. Rows of one number are one row. */
  openRow(number: number): void
  closeRow(): void
  /** No row follows that has the number of the last one. */
  endRow(): void
}

/** Of a cut row that is left to the scanner. In bytes. */
const LONGEST_ROW = 64 * 1024

/**
 * Reads the rows of a worksheet while its XML arrives, a tag or a whole cell at a time. A cut one is read
 * again when there is more, so no state is kept within it. The tolerant tokens are the definition of a sheet;
 * a scanner must find the same.
 */
export class SheetReader implements SheetCursor {
  private place: SheetPlace = SheetPlace.Before
  position = 0
  rowNumber = 0
  private nextColumn = 0
  /** Whether the row of that number may go on: known only at the next row, or at the end of all. */
  private isRowPending = false
  /** Whether the row's own tag stated its number; without one, its first cell may. */
  private isRowNumberGiven = true
  private readonly window: XmlWindow
  private readonly tokens: XmlTokens
  private readonly handler: RowHandler
  private readonly limits: FileGuards
  private readonly scanner: SheetScanner | null
  private isClosed = false
  private skipDepth = 0
  /** The name of the outermost element; null before it, and '' after it. */
  private root: string | null = null
  /** Bytes needed before a cut unit is tried again: twice the last try, or a long one is read too often. */
  private needed = 0
  /** Whether the cell that was read last has a formula. */
  private hasFormula = false

  constructor(parts: {
    platform: Platform
    handler: RowHandler
    limits: FileGuards
    scanner: SheetScanner | null
  }) {
    this.window = new XmlWindow(parts.platform, parts.scanner?.bytes)
    this.tokens = this.window.tokens
    this.handler = parts.handler
    this.limits = parts.limits
    this.scanner = parts.scanner
  }

  get bytes(): Uint8Array {
    return this.tokens.bytes
  }

  append(chunk: Uint8Array): void {
    this.tokens.position = this.position
    this.window.append(chunk)
    this.position = 0
  }

  /** No chunk follows. */
  close(): void {
    this.window.close()
    this.isClosed = true
  }

  /** Reads as far as the data reaches; false if it stopped earlier because the handler is full. */
  read(): boolean {
    const { tokens } = this
    if (tokens.end - this.position < this.needed && !this.isClosed) return true
    this.needed = 0
    while (this.place !== SheetPlace.After) {
      if (this.handler.isFull) return false
      if (this.scanner !== null && this.place === SheetPlace.Rows && this.skipDepth === 0) {
        this.position = this.scanner.scan(this)
        // The scanner reads a cut row when the rest is there.
        if (tokens.end - this.position < LONGEST_ROW && !this.isClosed) return true
      }
      tokens.position = this.position
      if (!this.unit()) {
        this.needed = (tokens.end - this.position) * 2
        return true
      }
      this.position = tokens.position
    }
    this.position = tokens.end
    return true
  }

  /** To be called when all was read: throws where the sheet was cut. One that ends without rows has none. */
  checkWhole(): void {
    const isWhole = this.place === SheetPlace.After || (this.place === SheetPlace.Before && this.root === '')
    if (!isWhole) throw workbookProblems.damaged('its sheet ends in the middle')
  }

  openRow(number: number): void {
    const isGiven = number > 0
    if (isGiven && this.isRowPending && number === this.rowNumber) {
      this.place = SheetPlace.Cells
      return
    }
    this.endRow()
    this.isRowNumberGiven = isGiven
    this.rowNumber = isGiven ? number : this.rowNumber + 1
    if (this.rowNumber > this.limits.maxRows) throw workbookProblems.tooManyRows(this.limits.maxRows)
    this.nextColumn = 0
    this.place = SheetPlace.Cells
    this.isRowPending = true
    this.handler.startRow(this.rowNumber)
  }

  closeRow(): void {
    this.place = SheetPlace.Rows
  }

  endRow(): void {
    if (this.isRowPending) this.handler.endRow()
    this.isRowPending = false
  }

  /** Reads one unit; false if it is cut. */
  private unit(): boolean {
    const { tokens } = this
    const token = tokens.next()
    if (token === XmlToken.More) {
      // Comments in front of the cut token were read; nothing else was.
      this.position = tokens.position
      return false
    }
    if (token === XmlToken.Text || token === XmlToken.CData) {
      if (this.root === null && !isBlank(tokens.bytes, tokens.start, tokens.position))
        throw workbookProblems.malformed()
      return true
    }
    if (this.skipDepth > 0) this.skip(token)
    else if (token === XmlToken.Close) this.closeTag()
    else if (isTransparent(tokens)) return true
    else if (tokens.nameIs('Choice')) this.skip(token)
    else return this.openTag(token === XmlToken.Empty)
    return true
  }

  private skip(token: XmlToken): void {
    if (token === XmlToken.Open) this.skipDepth++
    else if (token === XmlToken.Close) this.skipDepth--
  }

  private closeTag(): void {
    const { tokens, place } = this
    if (place === SheetPlace.Before) {
      if (tokens.localName() === this.root) this.root = ''
    } else if (place === SheetPlace.Cells && tokens.nameIs('row')) this.closeRow()
    else if (place === SheetPlace.Rows && tokens.nameIs('sheetData')) {
      this.endRow()
      this.place = SheetPlace.After
    }
  }

  private openTag(isEmpty: boolean): boolean {
    const { tokens } = this
    switch (this.place) {
      case SheetPlace.Before:
        this.root ??= isEmpty ? '' : tokens.localName()
        if (tokens.nameIs('sheetData')) this.place = isEmpty ? SheetPlace.After : SheetPlace.Rows
        return true
      case SheetPlace.Rows:
        if (tokens.nameIs('row')) {
          this.openRow(this.readRowNumber())
          if (isEmpty) this.closeRow()
        } else if (!isEmpty) this.skipDepth = 1
        return true
      case SheetPlace.Cells:
        if (tokens.nameIs('c')) return this.cell(isEmpty)
        if (tokens.nameIs('row')) throw workbookProblems.malformed()
        if (!isEmpty) this.skipDepth = 1
        return true
    }
    return true
  }

  private readRowNumber(): number {
    const text = this.tokens.attribute('r')
    if (text === null || text === '') return 0
    if (!/^[1-9]\d{0,9}$/.test(text))
      throw workbookProblems.damaged(`it has a row with the number "${text.slice(0, 20)}"`)
    return Number(text)
  }

  /** Reads a whole cell; false if it is cut, and then nothing was reported. */
  private cell(isEmpty: boolean): boolean {
    const { tokens } = this
    const reference = tokens.attribute('r')
    const type = cellTypeOf(tokens.attribute('t'))
    const style = Number(tokens.attribute('s') ?? 0)
    this.hasFormula = false
    const raw = isEmpty ? '' : this.cellContent(type)
    if (raw === null) return false
    const column = this.columnOf(reference)
    // Without a type and a result, the formula was written by a program that cannot calculate.
    const isPending = this.hasFormula && type === CellType.Number && raw === ''
    this.handler.cell(column, isPending ? CellType.Pending : type, style, raw)
    this.nextColumn = column + 1
    return true
  }

  /** The column of a cell: by its reference, else the next after the cell before. */
  private columnOf(reference: string | null): number {
    if (reference === null || reference === '') return this.checkedColumn(this.nextColumn)
    const { column, row } = parseCellReference(reference)
    if (row !== this.rowNumber) this.adoptRowNumber(row, reference)
    return this.checkedColumn(column)
  }

  private adoptRowNumber(row: number, reference: string): void {
    if (this.isRowNumberGiven || this.nextColumn > 0) {
      throw workbookProblems.damaged(`the cell ${reference} stands in row ${this.rowNumber}`)
    }
    this.openRow(row)
  }

  private checkedColumn(column: number): number {
    if (column >= this.limits.maxColumns) throw workbookProblems.tooManyColumns(this.limits.maxColumns)
    return column
  }

  /** The text of `<v>`, or of `<is>`; null if the cell is cut. Sets `hasFormula`. */
  private cellContent(type: CellType): string | null {
    const { tokens } = this
    let value: string | null = ''
    for (;;) {
      const token = tokens.next()
      if (token === XmlToken.More) return null
      if (token === XmlToken.Text || token === XmlToken.CData) continue
      if (token === XmlToken.Close && tokens.nameIs('c')) return value
      if (tokens.nameIs('row') || tokens.nameIs('c')) throw workbookProblems.malformed()
      if (token !== XmlToken.Close && tokens.nameIs('f'))
        this.hasFormula ||= token === XmlToken.Open || tokens.findAttribute('t')
      if (token !== XmlToken.Open || isTransparent(tokens)) continue
      // Some writers put an inline string in <v>, or a <v> beside <is>, which then counts only alone.
      if (tokens.nameIs('is')) value = readRichText(tokens, 'is')
      else if (tokens.nameIs('v') && (type !== CellType.Inline || value === '')) value = readText(tokens, 'v')
      else if (!skipElement(tokens)) return null
      if (value === null) return null
    }
  }
}
