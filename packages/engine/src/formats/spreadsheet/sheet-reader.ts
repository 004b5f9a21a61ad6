import type { FileGuards } from '#limits.ts'
import type { Platform } from '#platform.ts'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { CellType, cellTypeOf } from '#formats/spreadsheet/cell-text.ts'
import type { CellScanner } from '#source/xlsx/cell-scanner.ts'
import {
  isChoice,
  isTransparent,
  readRichText,
  readText,
  skipElement,
} from '#formats/spreadsheet/read-rich-text.ts'
import type { RowHandler } from '#formats/spreadsheet/row-handler.ts'
import type { SheetWindow } from '#formats/spreadsheet/sheet-window.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { isBlank } from '#formats/bytes.ts'
import { XmlToken, XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'

const SHEET_DATA = xmlName('sheetData')
const ROW = xmlName('row')
const CELL = xmlName('c')
const VALUE = xmlName('v')
const INLINE = xmlName('is')
const FORMULA = xmlName('f')
const ATTRIBUTE_R = xmlName('r')
const ATTRIBUTE_S = xmlName('s')
const ATTRIBUTE_T = xmlName('t')

/** Where in the sheet the reader stands. */
export const SheetPlace = { Before: 0, Rows: 1, Cells: 2, After: 3 } as const
export type SheetPlace = (typeof SheetPlace)[keyof typeof SheetPlace]

/**
 * Reads the rows of a worksheet from a window over its XML. It goes in units (a tag, or a whole cell): one
 * that the end of the window cuts is read again when there is more, so no state is kept within one. The
 * tolerant tokens are the definition; a `CellScanner`, where one is given, runs ahead over what it surely
 * knows.
 */
export class SheetReader {
  place: SheetPlace = SheetPlace.Before
  /** Where the next unit begins in the window. */
  position = 0
  /** Of the row that is open, as the spreadsheet shows it. */
  rowNumber = 0
  /** Whether the row of that number may go on: only the next row, or the end of all, tells. */
  private isRowPending = false
  /** Whether the row's own tag told its number; without one, its first cell may. */
  isRowNumberGiven = true
  /** The column after the last cell of the row. */
  nextColumn = 0
  private readonly window: SheetWindow
  private readonly handler: RowHandler
  private readonly limits: FileGuards
  private readonly scanner: CellScanner | null
  private readonly tokens: XmlTokens
  private skipDepth = 0
  /** The name of the outermost element; null before it, and '' behind it. */
  private root: string | null = null
  /**
   * Bytes that must be there before a cut unit is tried again: twice what was in vain, or a long one would be
   * read too often.
   */
  private needed = 0
  /** Of the cell read last. */
  private hasFormula = false

  constructor(parts: {
    platform: Platform
    window: SheetWindow
    handler: RowHandler
    limits: FileGuards
    scanner: CellScanner | null
  }) {
    this.window = parts.window
    this.handler = parts.handler
    this.limits = parts.limits
    this.scanner = parts.scanner
    this.tokens = new XmlTokens(parts.platform, parts.window.bytes, 0, 0)
  }

  get bytes(): Uint8Array {
    return this.window.bytes
  }

  get end(): number {
    return this.window.end
  }

  /**
   * Reads as far as the window reaches; false where it stopped earlier because the handler is full. `isLast`:
   * no more will come.
   */
  read(isLast: boolean = false): boolean {
    const { tokens, window } = this
    if (window.end - this.position < this.needed && !isLast) return true
    this.needed = 0
    tokens.bytes = window.bytes
    tokens.end = window.end
    while (this.place !== SheetPlace.After) {
      if (this.handler.isFull) return false
      if (this.scanner !== null && this.skipDepth === 0) this.position = this.scanner.scan(this)
      tokens.position = this.position
      if (!this.unit()) {
        this.needed = (window.end - this.position) * 2
        return true
      }
      this.position = tokens.position
    }
    this.position = window.end
    return true
  }

  /**
   * The sheet has ended, and all of it was read: throws where it was cut. One that ends without rows has
   * none.
   */
  finish(): void {
    const isWhole = this.place === SheetPlace.After || (this.place === SheetPlace.Before && this.root === '')
    if (!isWhole) throw workbookProblems.damaged('its sheet ends in the middle')
  }

  /**
   * Opens a row; `number` is 0 where its tag does not tell one. A row in several pieces, which bear its
   * number, is one.
   */
  openRow(number: number): void {
    const isGiven = number > 0
    if (isGiven && this.isRowPending && number === this.rowNumber) {
      this.place = SheetPlace.Cells
      return
    }
    this.endPendingRow()
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

  private endPendingRow(): void {
    if (this.isRowPending) this.handler.endRow()
    this.isRowPending = false
  }

  /** Takes one unit; false where it is cut. */
  private unit(): boolean {
    const { tokens } = this
    const token = tokens.next()
    if (token === XmlToken.More) {
      // Comments before the cut token were passed; nothing else was.
      this.position = tokens.position
      return false
    }
    if (token === XmlToken.Text || token === XmlToken.CData) {
      if (this.root === null && !isBlank(tokens.bytes, tokens.start, tokens.position))
        throw workbookProblems.malformed()
      return true
    }
    if (this.skipDepth > 0) this.skip(token)
    else if (token === XmlToken.Close) this.close()
    else if (isTransparent(tokens)) return true
    else if (isChoice(tokens)) this.skip(token)
    else return this.open(token === XmlToken.Empty)
    return true
  }

  private skip(token: XmlToken): void {
    if (token === XmlToken.Open) this.skipDepth++
    else if (token === XmlToken.Close) this.skipDepth--
  }

  private close(): void {
    const { tokens, place } = this
    if (place === SheetPlace.Before) {
      if (tokens.localName() === this.root) this.root = ''
    } else if (place === SheetPlace.Cells && tokens.nameIs(ROW)) this.closeRow()
    else if (place === SheetPlace.Rows && tokens.nameIs(SHEET_DATA)) {
      this.endPendingRow()
      this.place = SheetPlace.After
    }
  }

  private open(isEmpty: boolean): boolean {
    const { tokens } = this
    switch (this.place) {
      case SheetPlace.Before:
        this.root ??= isEmpty ? '' : tokens.localName()
        if (tokens.nameIs(SHEET_DATA)) this.place = isEmpty ? SheetPlace.After : SheetPlace.Rows
        return true
      case SheetPlace.Rows:
        if (tokens.nameIs(ROW)) {
          this.openRow(this.readRowNumber())
          if (isEmpty) this.closeRow()
        } else if (!isEmpty) this.skipDepth = 1
        return true
      case SheetPlace.Cells:
        if (tokens.nameIs(CELL)) return this.cell(isEmpty)
        if (tokens.nameIs(ROW)) throw workbookProblems.malformed()
        if (!isEmpty) this.skipDepth = 1
        return true
    }
    return true
  }

  private readRowNumber(): number {
    const text = this.tokens.attribute(ATTRIBUTE_R)
    if (text === null || text === '') return 0
    if (!/^[1-9]\d{0,9}$/.test(text))
      throw workbookProblems.damaged(`it has a row with the number "${text.slice(0, 20)}"`)
    return Number(text)
  }

  /** Takes a whole cell; false where it is cut, and then nothing was told. */
  private cell(isEmpty: boolean): boolean {
    const { tokens } = this
    const reference = tokens.attribute(ATTRIBUTE_R)
    const type = cellTypeOf(tokens.attribute(ATTRIBUTE_T))
    const style = Number(tokens.attribute(ATTRIBUTE_S) ?? 0)
    this.hasFormula = false
    const raw = isEmpty ? '' : this.cellContent(type)
    if (raw === null) return false
    const column = this.columnOf(reference)
    // A formula that yields no text says so in its type; one that says nothing was written by a program that
    // cannot calculate.
    const isPending = this.hasFormula && type === CellType.Number && raw === ''
    this.handler.cell(column, isPending ? CellType.Pending : type, style, raw)
    this.nextColumn = column + 1
    return true
  }

  /** The column a cell stands in: by its reference, else right of the one before. */
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

  /** The text of `<v>`, or of `<is>`; null where the cell is cut. Notes whether there is a formula. */
  private cellContent(type: CellType): string | null {
    const { tokens } = this
    let value: string | null = ''
    for (;;) {
      const token = tokens.next()
      if (token === XmlToken.More) return null
      if (token === XmlToken.Text || token === XmlToken.CData) continue
      if (token === XmlToken.Close && tokens.nameIs(CELL)) return value
      if (tokens.nameIs(ROW) || tokens.nameIs(CELL)) throw workbookProblems.malformed()
      if (token !== XmlToken.Close && tokens.nameIs(FORMULA))
        this.hasFormula ||= token === XmlToken.Open || tokens.findAttribute(ATTRIBUTE_T)
      if (token !== XmlToken.Open || isTransparent(tokens)) continue
      // Some writers give an inline string in <v>, and some a <v> beside <is>, which then counts only when it
      // is all there is.
      if (tokens.nameIs(INLINE)) value = readRichText(tokens, INLINE)
      else if (tokens.nameIs(VALUE) && (type !== CellType.Inline || value === ''))
        value = readText(tokens, VALUE)
      else if (!skipElement(tokens)) return null
      if (value === null) return null
    }
  }
}
