import { columnLetter } from '@veridict/contract/notation/column-letter'
import { worksheetBounds } from '@veridict/contract/limits'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { applyEdits, attributeEdit, attributeRemoval, type Edit } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { joined } from '#formats/bytes.ts'
import { elementsNamed, skipElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import type { Platform } from '#platform.ts'
import { rowInCopy, type TableView } from '#source/table-view.ts'

const SHEET_DATA = 'sheetData'
const COLUMN_LOOK = ['width', 'customWidth', 'style', 'hidden']
/** What of a sheet's head does not depend on the places of cells. */
const KEPT = ['sheetPr', 'sheetFormatPr']

type SheetCell = { readonly column: number; readonly xml: Uint8Array; readonly style: string | null }

/** The XML of a sheet with another structure: its rows, cells, widths and merged cells, and no more. */
export async function* restructureSheet(
  sheet: AsyncIterable<Uint8Array>,
  view: TableView,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const writer = new SheetWriter(view, platform)
  const tail: Uint8Array[] = []
  for await (const chunk of sheet) {
    if (!writer.isAfterRows) yield writer.write(chunk)
    else tail.push(chunk.slice())
  }
  yield writer.end(joined(tail))
}

class SheetWriter {
  readonly #view: TableView
  readonly #platform: Platform
  readonly #window: XmlWindow
  /** By column of the source, its column in the copy; empty where all stay. */
  readonly #columns: ReadonlyMap<number, number>
  #place: 'before' | 'rows' | 'cells' | 'after' = 'before'
  readonly #out: Uint8Array[] = []
  /** The first tag of the sheet, and the prefix of all. */
  #prefix = ''
  #row = 0
  #isRowNumberGiven = true
  #rowTag: Uint8Array | null = null
  #cells: SheetCell[] = []
  #nextColumn = 0
  #isHeadingPending: boolean

  constructor(view: TableView, platform: Platform) {
    this.#view = view
    this.#platform = platform
    this.#window = new XmlWindow(platform)
    const columns = view.columns ?? []
    this.#columns = new Map(columns.flatMap((source, column) => (source === null ? [] : [[source, column]])))
    this.#isHeadingPending = view.heading.isNew
  }

  get isAfterRows(): boolean {
    return this.#place === 'after'
  }

  write(chunk: Uint8Array): Uint8Array {
    this.#window.append(chunk)
    const { tokens } = this.#window
    while (!this.isAfterRows) {
      const { position } = tokens
      const token = tokens.next()
      if (token === XmlToken.More) break
      if (token === XmlToken.Text || token === XmlToken.CData) continue
      if (this.#place === 'before' ? this.#readHead(token) : this.#readRows(token)) continue
      tokens.position = position
      break
    }
    return this.#taken()
  }

  /** `tail`: the chunks after that in which the rows end. */
  end(tail: Uint8Array): Uint8Array {
    if (!this.isAfterRows) throw workbookProblems.damaged('its sheet ends in the middle')
    const { tokens } = this.#window
    const rest = joined([tokens.bytes.slice(tokens.position, tokens.end), tail])
    const merged = [...elementsNamed(new XmlTokens(this.#platform, rest), 'mergeCell')].flatMap(({ tag }) =>
      this.#mergeInCopy(tag.attribute('ref') ?? ''),
    )
    const prefix = this.#prefix
    if (merged.length > 0) {
      const tags = merged.map((range) => `<${prefix}mergeCell ref="${range}"/>`)
      this.#push(`<${prefix}mergeCells count="${tags.length}">${tags.join('')}</${prefix}mergeCells>`)
    }
    this.#push(`</${prefix}worksheet>`)
    return this.#taken()
  }

  #taken(): Uint8Array {
    return joined(this.#out.splice(0))
  }

  #push(text: string): void {
    this.#out.push(this.#platform.encodeUtf8(text))
  }

  /** false where the element is cut. */
  #readHead(token: XmlToken): boolean {
    const { tokens } = this.#window
    const { start } = tokens
    if (token === XmlToken.Close) return true
    if (tokens.nameIs('worksheet')) {
      this.#prefix = tokens.prefix()
      this.#out.push(tokens.bytes.slice(start, tokens.position))
      return true
    }
    if (tokens.nameIs(SHEET_DATA)) {
      this.#push(`<${this.#prefix}sheetData>`)
      this.#place = 'rows'
      if (token === XmlToken.Empty) this.#endRows()
      return true
    }
    const isKept = KEPT.some((name) => tokens.nameIs(name))
    const isColumns = tokens.nameIs('cols')
    if (token === XmlToken.Open && !skipElement(tokens)) return false
    const element = tokens.bytes.slice(start, tokens.position)
    if (isKept || (isColumns && this.#view.columns === null)) this.#out.push(element)
    else if (isColumns) this.#push(this.#columnTags(new XmlTokens(this.#platform, element)))
    return true
  }

  /** Widths and formats of columns, in the columns of the copy. */
  #columnTags(tokens: XmlTokens): string {
    const ranges = [...elementsNamed(tokens, 'col')].map(({ tag }) => {
      const look = COLUMN_LOOK.flatMap((name) => {
        const value = tag.attribute(name)
        return value === null ? [] : [` ${name}="${escapeXml(value)}"`]
      })
      return {
        min: Number(tag.attribute('min')) - 1,
        max: Number(tag.attribute('max')) - 1,
        look: look.join(''),
      }
    })
    const { width, columns } = this.#view
    const single = columns!.map((source, column) => {
      const range = ranges.find(({ min, max }) => source !== null && source >= min && source <= max)
      return { min: column, max: column, look: range?.look }
    })
    const behind = ranges
      .filter(({ max }) => max >= width)
      .map(({ min, max, look }) => ({
        min: this.#columnInCopy(Math.max(min, width))!,
        max: Math.min(this.#columnInCopy(max)!, worksheetBounds.maxColumns - 1),
        look,
      }))
    const tags = [...single, ...behind]
      .filter(({ look }) => look !== undefined)
      .map(({ min, max, look }) => `<${this.#prefix}col min="${min + 1}" max="${max + 1}"${look}/>`)
    return tags.length === 0 ? '' : `<${this.#prefix}cols>${tags.join('')}</${this.#prefix}cols>`
  }

  /** false where the cell is cut. */
  #readRows(token: XmlToken): boolean {
    const { tokens } = this.#window
    if (tokens.nameIs('row')) {
      if (token !== XmlToken.Close) this.#startRow()
      if (token !== XmlToken.Open) this.#endRow()
    } else if (this.#place === 'cells' && token !== XmlToken.Close) return this.#readElement(token)
    else if (tokens.nameIs(SHEET_DATA)) this.#endRows()
    return true
  }

  #startRow(): void {
    const { tokens } = this.#window
    const number = tokens.attribute('r')
    this.#isRowNumberGiven = number !== null && number !== ''
    this.#row = this.#isRowNumberGiven ? Number(number) : this.#row + 1
    this.#rowTag = tokens.bytes.slice(tokens.start, tokens.position)
    this.#cells = []
    this.#nextColumn = 0
    this.#place = 'cells'
  }

  #readElement(token: XmlToken): boolean {
    const { tokens } = this.#window
    const { start } = tokens
    const isCell = tokens.nameIs('c')
    const reference = tokens.attribute('r')
    const style = tokens.attribute('s')
    if (token === XmlToken.Open && !skipElement(tokens)) return false
    if (!isCell) return true
    const place = reference ? parseCellReference(reference) : { column: this.#nextColumn, row: this.#row }
    if (!this.#isRowNumberGiven) this.#row = place.row
    this.#nextColumn = place.column + 1
    const column = this.#columnInCopy(place.column)
    if (column !== null) this.#cells.push({ column, xml: tokens.bytes.slice(start, tokens.position), style })
    return true
  }

  #endRow(): void {
    const row = this.#row
    this.#place = 'rows'
    if (this.#view.droppedRows.has(row) || this.#rowTag === null) return
    const { heading } = this.#view
    if (this.#isHeadingPending && row >= heading.row) this.#writeNewHeading()
    const number = rowInCopy(this.#view, row)
    const isHeading = !heading.isNew && row === heading.row
    const texts = isHeading ? heading.texts : new Map<number, string>()
    const kept = this.#cells.filter(({ column }) => !texts.has(column))
    const written = [
      ...kept.map(({ column, xml }) => ({ column, xml: this.#cellAt(xml, column, number) })),
      ...[...texts].map(([column, text]) => {
        const style = this.#cells.find((cell) => cell.column === column)?.style ?? null
        return { column, xml: this.#platform.encodeUtf8(this.#textCell(column, number, text, style)) }
      }),
    ]
    this.#out.push(this.#openRowTag(this.#rowTag, number))
    for (const { xml } of written.sort((a, b) => a.column - b.column)) this.#out.push(xml)
    this.#push(`</${this.#prefix}row>`)
    this.#rowTag = null
  }

  #writeNewHeading(): void {
    const { row, texts } = this.#view.heading
    const cells = [...texts].map(([column, text]) => this.#textCell(column, row, text, null))
    this.#push(`<${this.#prefix}row r="${row}">${cells.join('')}</${this.#prefix}row>`)
    this.#isHeadingPending = false
  }

  #endRows(): void {
    if (this.#isHeadingPending) this.#writeNewHeading()
    this.#push(`</${this.#prefix}sheetData>`)
    this.#place = 'after'
  }

  #openRowTag(tag: Uint8Array, number: number): Uint8Array {
    return this.#edited(tag, (tokens, token) => [
      attributeEdit(tokens, 'r', number),
      ...attributeRemoval(tokens, 'spans'),
      ...(token === XmlToken.Empty ? [{ start: tag.length - 2, end: tag.length, text: '>' }] : []),
    ])
  }

  #cellAt(xml: Uint8Array, column: number, row: number): Uint8Array {
    return this.#edited(xml, (tokens) => [attributeEdit(tokens, 'r', columnLetter(column) + row)])
  }

  #edited(xml: Uint8Array, editsOf: (tokens: XmlTokens, token: XmlToken) => Edit[]): Uint8Array {
    const tokens = new XmlTokens(this.#platform, xml)
    const token = tokens.next()
    return joined([...applyEdits(xml, editsOf(tokens, token), this.#platform)])
  }

  #textCell(column: number, row: number, text: string, style: string | null): string {
    const [open, close] = [`<${this.#prefix}`, `</${this.#prefix}`]
    const format = style === null ? '' : ` s="${escapeXml(style)}"`
    const space = needsPreserve(text) ? ' xml:space="preserve"' : ''
    return (
      `${open}c r="${columnLetter(column)}${row}"${format} t="inlineStr">${open}is>` +
      `${open}t${space}>${escapeXml(text)}${close}t>${close}is>${close}c>`
    )
  }

  /** null for a column that is left out. */
  #columnInCopy(column: number): number | null {
    const { columns, width } = this.#view
    if (columns === null) return column
    return column >= width ? column - width + columns.length : (this.#columns.get(column) ?? null)
  }

  /** Merged cells of which all are side by side in the copy, too. */
  #mergeInCopy(range: string): string[] {
    const [first, last = first] = range.split(':').map(parseCellReference)
    if (this.#view.droppedRows.has(first.row) || this.#view.droppedRows.has(last.row)) return []
    const [fromRow, toRow] = [first.row, last.row].map((row) => rowInCopy(this.#view, row))
    const [from, to] = [first.column, last.column].map((column) => this.#columnInCopy(column))
    const isWhole = from !== null && to !== null && to - from === last.column - first.column
    if (!isWhole || toRow - fromRow !== last.row - first.row) return []
    return [`${columnLetter(from)}${fromRow}:${columnLetter(to)}${toRow}`]
  }
}
