import { worksheetBounds } from '@veridict/contract/limits'
import { LOWER_F, SPACE } from '#formats/byte-names.ts'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { SheetPlace } from '#formats/spreadsheet/sheet-reader.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { joined } from '#formats/bytes.ts'
import { XmlBytes } from '#formats/xml/xml-bytes.ts'
import { isLeftOut } from '#formats/xml/xml-elements.ts'
import { XmlToken, type XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import type { LeftOut } from '#output/left-out.ts'
import type { Platform } from '#platform.ts'

const METADATA = ['cm', 'vm']
const MAX_COLUMNS = worksheetBounds.maxColumns

/** The elements that may precede the rows. */
const HEAD: ReadonlySet<string> = new Set(copied.sheetHead)

/** Constants of this module, which V8 folds; imported ones it does not. */
const { Before, Rows, Cells, After } = SheetPlace
const { Open, Close } = XmlToken

/**
 * What follows the rows is held in memory, up to this many bytes. Hyperlinks and merged cells of a full sheet
 * take some 30 MB.
 */
const MAX_TAIL = 64 * 1024 * 1024

/** A cell that an output file changes. `column` counts from 0. */
export type EditedCell = { readonly column: number }

/** The cells of a row that an output file changes, in the order of their columns. */
export type EditedRow<Cell extends EditedCell> = {
  readonly rowNumber: number
  readonly cells: readonly Cell[]
}

/** The rows that an output file changes, in the order of the file. */
export type EditedRows<Cell extends EditedCell> = {
  /** The next row, without taking it; null after the last one. */
  peek(): Promise<EditedRow<Cell> | null>
  take(): void
}

/** Edits the tags of a sheet. The `tokens` have just read the tag. */
export type SheetEditor<Cell> = {
  /** A row with edited cells begins. */
  startRow(rowNumber: number, cells: readonly Cell[]): void
  /**
   * Edits a cell. It may read on to the end of the cell, and returns null if the window ends before: then
   * the tag is read again.
   */
  editCell(tokens: XmlTokens, cell: Cell, place: CellPlace): readonly Edit[] | null
  /** An edited cell that the row does not have, as XML; '' for none. */
  missingCell(cell: Cell, place: CellPlace & { style: number }): string
  /** Edits the format of any other cell (`s`), of a row (`s`) or of a column (`style`). */
  editFormat(tokens: XmlTokens, attribute: string): Edit | null
  /** The format for a column's missing cells. */
  columnFormat(style: number): number
}

/** `prefix` is that of the sheet's elements; `isEmpty` whether the tag closes itself. */
export type CellPlace = { readonly rowNumber: number; readonly prefix: string; readonly isEmpty: boolean }

type RewriterParts<Cell extends EditedCell> = {
  readonly platform: Platform
  readonly rows: EditedRows<Cell>
  readonly editor: SheetEditor<Cell>
  readonly leftOut: LeftOut
  /** Whether cells may refer to metadata of the workbook. */
  readonly hasMetadata: boolean
}

/**
 * Copies a worksheet's XML and edits some of its cells; cells that do not exist may be added. Formulas become
 * their results, and extensions are left out. All else stays byte for byte. What follows the rows is passed
 * to `tail` in one piece.
 */
export class SheetRewriter<Cell extends EditedCell> {
  private readonly parts: RewriterParts<Cell>
  private readonly window: XmlWindow
  private readonly tokens: XmlTokens
  private readonly out = new XmlBytes()
  /** The position in the window up to which it was copied. */
  private copied = 0
  private place: SheetPlace = Before
  /** How many tags are open inside an element that is skipped. */
  private unreadDepth = 0
  /** How many tags are open inside an element that is left out. */
  private leftOutDepth = 0
  /** Whether anything was left out so far. */
  hasLeftOut = false
  private edited: EditedRow<Cell> | null = null
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
  /** Edited cells of the open row that have not been reached yet. */
  private open: Cell[] = []
  private prefix = ''

  constructor(parts: RewriterParts<Cell>) {
    this.parts = parts
    this.window = new XmlWindow(parts.platform)
    this.tokens = this.window.tokens
  }

  /** `sheet` in chunks → the same with edits; `tail` rewrites what follows `</sheetData>`. */
  async *rewrite(
    sheet: AsyncIterable<Uint8Array>,
    tail: (bytes: Uint8Array) => Iterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    this.edited = await this.parts.rows.peek()
    const { tokens, window } = this
    const afterRows: Uint8Array[] = []
    let size = 0
    for await (const chunk of sheet) {
      if (this.isAfterRows()) {
        afterRows.push(chunk.slice())
        if ((size += chunk.length) > MAX_TAIL)
          throw workbookProblems.damaged('what follows its rows is larger than it can be')
        continue
      }
      window.append(chunk)
      this.copied = 0
      while (!this.run()) this.edited = await this.parts.rows.peek()
      this.reopenPiece()
      if (this.isAfterRows()) afterRows.push(tokens.bytes.slice(tokens.position, tokens.end))
      else if (this.leftOutDepth === 0) this.copyUpTo(tokens.position)
      yield this.out.take()
    }
    yield* tail(joined(afterRows))
  }

  /** Runs to the end of the window or of the rows; false after an edited row, when the next one is needed. */
  private run(): boolean {
    const { tokens } = this
    while (this.place !== After) {
      const token = tokens.next()
      if (token === XmlToken.More) return true
      if (token === XmlToken.Text || token === XmlToken.CData) continue
      if (this.leftOutDepth > 0) {
        this.passLeftOut(token)
        continue
      }
      if (token !== Close && this.isActive()) {
        if (this.place === Rows && this.endRow()) return false
        this.leaveOut(token)
        continue
      }
      if (this.isUnread(token)) continue
      if (tokens.nameIs('c')) {
        if (this.place === Cells && token !== Close && !this.cell(token === XmlToken.Empty)) return true
      } else if (tokens.nameIs('row') && this.place !== Before) {
        if (token === Close) this.endPiece()
        else if (!this.startPiece(token === XmlToken.Empty)) return false
      } else if (tokens.nameIs('sheetData')) {
        if (this.endRow()) return false
        this.place = token === Open ? Rows : After
        if (this.place === After) this.copyUpTo(tokens.position)
      } else if (token === Close) continue
      else if (this.place === Before && tokens.nameIs('col')) this.column()
    }
    return true
  }

  /** Whether the tag that was just read begins an element that is not copied. */
  private isActive(): boolean {
    const { tokens, place } = this
    if (place === Before) return !HEAD.has(tokens.localName())
    return tokens.nameIs('f') || tokens.nameIs('extLst')
  }

  private leaveOut(token: XmlToken): void {
    const { tokens } = this
    this.hasLeftOut = true
    if (tokens.nameIs('f') && this.place !== Before) this.parts.leftOut.formulas++
    this.copyUpTo(tokens.start)
    this.copied = tokens.position
    if (token === Open) this.leftOutDepth = 1
  }

  private passLeftOut(token: XmlToken): void {
    if (token === Open) this.leftOutDepth++
    else if (token === Close && --this.leftOutDepth === 0) this.copied = this.tokens.position
  }

  /** Whether a tag begins or lies inside an element that is skipped: an alternative, or extensions. */
  private isUnread(token: XmlToken): boolean {
    if (this.unreadDepth === 0 && !(token === Open && isLeftOut(this.tokens))) return false
    if (token === Open) this.unreadDepth++
    else if (token === Close) this.unreadDepth--
    return true
  }

  private isAfterRows(): boolean {
    return this.place === After
  }

  /**
   * If the window ends after a piece of a row that may get more cells, the closing tag of the piece is read
   * again.
   */
  private reopenPiece(): void {
    if (!this.isRowOpen || this.place !== Rows || this.open.length === 0) return
    this.tokens.position = this.pieceEnd
    this.place = Cells
    this.unreadDepth = 0
  }

  /** A row may come in several pieces with the same number. false if the row before was an edited one. */
  private startPiece(isEmpty: boolean): boolean {
    const number = this.tokens.attribute('r')
    const isFirst = !this.isRowOpen || number === null || Number(number) !== this.rowNumber
    if (isFirst) {
      if (this.endRow()) return false
      this.startRow(number)
    }
    this.place = isEmpty ? Rows : Cells
    if (isFirst || !isEmpty) this.format('s')
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
    this.rowStyle = Number(this.tokens.attribute('s') ?? 0)
    this.nextColumn = 0
    this.prefix = this.tokens.prefix()
    this.openCells()
  }

  private openCells(): void {
    this.open = []
    if (this.edited === null || this.edited.rowNumber !== this.rowNumber) return
    this.open = [...this.edited.cells]
    this.parts.editor.startRow(this.rowNumber, this.open)
  }

  /**
   * Ends the open row before the tag that was just read. true if it was an edited row: then the tag is read
   * again once the next edited row is known.
   */
  private endRow(): boolean {
    if (!this.isRowOpen) return false
    for (const cell of this.open) this.insertCell(cell, this.pieceEnd)
    this.open = []
    this.isRowOpen = false
    if (this.edited === null || this.edited.rowNumber !== this.rowNumber) return false
    this.parts.rows.take()
    this.tokens.position = this.tokens.start
    return true
  }

  /** Columns come in order; those without a format of their own are left out. */
  private column(): void {
    const { tokens, columnStyles } = this
    const style = Number(tokens.attribute('style') ?? 0)
    const first = Number(tokens.attribute('min') ?? 1) - 1
    const last = Math.min(Number(tokens.attribute('max') ?? 0), MAX_COLUMNS) - 1
    while (columnStyles.length < Math.min(first, MAX_COLUMNS)) columnStyles.push(0)
    while (columnStyles.length <= last) columnStyles.push(this.parts.editor.columnFormat(style))
    this.format('style')
  }

  /** false if the window ends within a cell that has to be read to its end: then its tag is read again. */
  private cell(isEmpty: boolean): boolean {
    const { tokens } = this
    const { start } = tokens
    const pending = isEmpty ? NOT_PENDING : this.pendingCell()
    if (pending === null) return this.readAgain(start)
    if (this.open.length === 0 && this.isRowNumberGiven) {
      this.editTag(pending)
      return true
    }
    const column = this.columnOf(tokens.attribute('r'))
    while (this.open.length > 0 && this.open[0].column < column) this.insertCell(this.open.shift()!, start)
    if (this.open.length > 0 && this.open[0].column === column) {
      const { rowNumber, prefix } = this
      const { position } = tokens
      const edits = this.parts.editor.editCell(tokens, this.open[0], { rowNumber, prefix, isEmpty })
      if (edits === null) return this.readAgain(start)
      // An editor that read on has replaced the whole cell.
      if (tokens.position > position) for (const edit of edits) this.edit(edit)
      else this.editTag(pending, edits)
      this.open.shift()
    } else this.editTag(pending)
    this.nextColumn = column + 1
    return true
  }

  private readAgain(start: number): false {
    this.tokens.position = start
    return false
  }

  /**
   * A formula without a result: the copy gets the error #N/A, since without the formula the cell would be
   * empty, and might be valid. null if the window ends within the cell.
   */
  private pendingCell(): PendingCell | null {
    const { tokens, prefix } = this
    const { start, position: tagEnd, bytes } = tokens
    let at = tagEnd
    while (bytes[at] <= SPACE) at++
    at += 1 + prefix.length
    if (at >= tokens.end) return null
    if (bytes[at] !== LOWER_F) return NOT_PENDING
    const type = tokens.attribute('t')
    if (type !== null && type !== 'n') return NOT_PENDING
    const cell = readContent(tokens)
    const end = tokens.position
    tokens.position = start
    tokens.next()
    if (cell === null) return null
    if (!cell.hasFormula || cell.value !== '') return NOT_PENDING
    const content = `<${prefix}v>${NO_RESULT}</${prefix}v></${prefix}c>`
    return {
      end,
      edits: [attributeEdit(tokens, 't', 'e'), { start: tagEnd, end, text: content }],
    }
  }

  /** Edits the tag of a cell, and the whole cell if it is a formula without a result. */
  private editTag(pending: PendingCell, edits?: readonly Edit[]): void {
    const { tokens } = this
    const format = edits === undefined ? this.parts.editor.editFormat(tokens, 's') : null
    if (format === null && edits === undefined && pending === NOT_PENDING && !this.parts.hasMetadata) return
    const all = [...(edits ?? []), ...(format === null ? [] : [format]), ...pending.edits]
    if (this.parts.hasMetadata) {
      const isReplaced = edits?.some(({ start }) => start === tokens.start)
      const metadata = isReplaced ? [] : withoutMetadata(tokens)
      this.hasLeftOut ||= metadata.length > 0
      all.push(...metadata)
    }
    for (const edit of all.sort((a, b) => a.start - b.start)) this.edit(edit)
    if (pending === NOT_PENDING) return
    tokens.position = pending.end
    this.parts.leftOut.formulas++
    this.hasLeftOut = true
  }

  private format(attribute: string): void {
    const edit = this.parts.editor.editFormat(this.tokens, attribute)
    if (edit !== null) this.edit(edit)
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
      this.openCells()
    }
    return column
  }

  /** A missing cell has the format of its row, else that of its column. */
  private insertCell(cell: Cell, position: number): void {
    const { rowNumber, prefix } = this
    const style = this.rowStyle > 0 ? this.rowStyle : (this.columnStyles[cell.column] ?? 0)
    this.copyUpTo(position)
    this.write(this.parts.editor.missingCell(cell, { rowNumber, prefix, isEmpty: true, style }))
  }

  private copyUpTo(position: number): void {
    if (position > this.copied) this.out.copy(this.tokens.bytes, this.copied, position)
    this.copied = position
  }

  private write(text: string): void {
    if (text !== '') this.out.markup(this.parts.platform.encodeUtf8(text))
  }
}

/** A formula without a result; the edits that replace it, and where its cell ends. */
type PendingCell = { readonly end: number; readonly edits: readonly Edit[] }
const NOT_PENDING: PendingCell = { end: 0, edits: [] }
const NO_RESULT = '#N/A'

/** Reads to the end of a cell whose tag was just read; null if it is cut. */
function readContent(tokens: XmlTokens): { hasFormula: boolean; value: string } | null {
  let hasFormula = false
  let value = ''
  let isValue = false
  for (;;) {
    const token = tokens.next()
    if (token === XmlToken.More) return null
    if (token === XmlToken.Text || token === XmlToken.CData) {
      if (isValue) value += tokens.textValue(token)
    } else if (token === Close && tokens.nameIs('c')) return { hasFormula, value }
    else if (tokens.nameIs('f')) hasFormula ||= token === Open || tokens.findAttribute('t')
    else isValue = token === Open && (tokens.nameIs('v') || tokens.nameIs('t'))
  }
}

/** Cells refer to metadata, which is not copied, by numbers from 1. */
const withoutMetadata = (tokens: XmlTokens): Edit[] =>
  METADATA.filter((name) => tokens.findAttribute(name)).map((name) => attributeEdit(tokens, name, 0))
