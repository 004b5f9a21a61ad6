import { worksheetBounds } from '@veridict/contract/limits'
import { LOWER_F, SPACE } from '#formats/byte-names.ts'
import { parseCellReference } from '#formats/spreadsheet/cell-reference.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { attributeEdit, type Edit, removal } from '#formats/xml/edit-xml.ts'
import { joined } from '#formats/bytes.ts'
import { XmlBytes } from '#formats/xml/xml-bytes.ts'
import { elementsNamed, firstNamed, isLeftOut, openTags, XmlElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, type XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import copied from '#output/copied-content.json' with { type: 'json' }
import type { LeftOut } from '#output/left-out.ts'
import type { Rows } from '#output/row-feed.ts'
import type { Platform } from '#platform.ts'

const METADATA = ['cm', 'vm']
const MAX_COLUMNS = worksheetBounds.maxColumns

/** The elements that may precede the rows. */
const HEAD: ReadonlySet<string> = new Set(copied.sheetHead)

/**
 * A row, and what follows the rows, are held in memory, up to so many bytes. Hyperlinks and merged cells of a
 * full sheet take some 30 MB.
 */
const MAX_HELD = 64 * 1024 * 1024
const LAST_TRIES = 2 * 1024 * 1024

/** A cell that an output file changes. `column` counts from 0. */
export type EditedCell = { readonly column: number }

/** The cells of a row that an output file changes, in the order of their columns. */
export type EditedRow<Cell extends EditedCell> = {
  readonly rowNumber: number
  readonly cells: readonly Cell[]
}

/** Edits the tags of a sheet. */
export type SheetEditor<Cell> = {
  startRow?(rowNumber: number, cells: readonly Cell[]): void
  /** Edits the tag of a cell, or replaces the cell. */
  editCell(element: XmlElement, cell: Cell, rowNumber: number): readonly Edit[]
  /** An edited cell that the row does not have, as XML; '' for none. */
  missingCell(cell: Cell, place: { rowNumber: number; prefix: string; style: number }): string
  /** The format that a cell, a row or a column gets in place of `style`; null if it stays. */
  newFormat?(style: number): number | null
}

type RewriterParts<Cell extends EditedCell> = {
  readonly platform: Platform
  readonly rows: Rows<EditedRow<Cell>>
  readonly editor: SheetEditor<Cell>
  readonly leftOut: LeftOut
  /** Whether cells may refer to metadata of the workbook. */
  readonly hasMetadata: boolean
}

/**
 * Copies a worksheet's XML row by row and edits or adds cells. Formulas become their results, extensions are
 * left out; all else stays byte for byte. What follows the rows goes to `tail` as a whole.
 */
export class SheetRewriter<Cell extends EditedCell> {
  private readonly parts: RewriterParts<Cell>
  private readonly window: XmlWindow
  private readonly tokens: XmlTokens
  private readonly out = new XmlBytes()
  /** The position in the window up to which it was copied. */
  private copied = 0
  private place: 'head' | 'rows' | 'tail' = 'head'
  /** Bytes that must be there before a cut element is tried again. */
  private needed = 0
  hasLeftOut = false
  private edited: EditedRow<Cell> | null = null
  private rowNumber = 0
  private prefix = ''
  private rowStyle = 0
  /** Formats of columns, by column, up to the last column that has one. */
  private readonly columnStyles: number[] = []
  /** Edited cells of the last row that have not been reached yet. */
  private missing: Cell[] = []
  /** Where they go: in front of the closing tag of the row's last piece. */
  private pieceEnd = 0

  constructor(parts: RewriterParts<Cell>) {
    this.parts = parts
    this.window = new XmlWindow(parts.platform, undefined, MAX_HELD)
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
        if ((size += chunk.length) > MAX_HELD)
          throw workbookProblems.damaged('what follows its rows is larger than it can be')
        continue
      }
      window.append(chunk)
      this.copied = 0
      if (tokens.end < this.needed) continue
      await this.run()
      if (this.isAfterRows()) afterRows.push(tokens.bytes.slice(tokens.position, tokens.end))
      yield this.out.take()
    }
    if (!this.isAfterRows()) {
      await this.run()
      afterRows.push(tokens.bytes.slice(tokens.position, tokens.end))
      yield this.out.take()
    }
    yield* tail(joined(afterRows))
  }

  private isAfterRows(): boolean {
    return this.place === 'tail'
  }

  /** Copies as many elements as the window has to their ends. */
  private async run(): Promise<void> {
    const { tokens } = this
    for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
      if (token === XmlToken.Text || token === XmlToken.CData) continue
      if (tokens.nameIs('sheetData')) {
        this.place = token === XmlToken.Open ? 'rows' : 'tail'
        if (this.place === 'rows') continue
        await this.endRow()
        return this.copyUpTo(tokens.position)
      }
      if (token === XmlToken.Close) continue
      const isRow = this.place === 'rows' && tokens.nameIs('row')
      if (!isRow && !isLeftOut(tokens) && !this.isActive(tokens)) {
        if (this.place === 'head' && tokens.nameIs('col')) this.column()
        continue
      }
      let hasActive = false
      const element = XmlElement.of(tokens, token, (inner) => {
        hasActive ||= this.isActive(inner)
      })
      if (element === null) {
        tokens.position = tokens.start
        break
      }
      if (isRow) await this.row(element, hasActive)
      else {
        await this.endRow()
        this.passed(element)
      }
      tokens.position = element.end
    }
    // A row that may go on may get more cells.
    if (this.missing.length > 0) tokens.position = this.pieceEnd
    this.copyUpTo(tokens.position)
    this.pieceEnd = 0
    // Else a row of many chunks would be read too often. The last tries are just below the limit.
    this.needed = Math.min((tokens.end - tokens.position) * 2, MAX_HELD - LAST_TRIES)
  }

  /** Whether the tag that was just read begins an element that is not copied. */
  private isActive(tokens: XmlTokens): boolean {
    if (this.place === 'head') return !HEAD.has(tokens.localName())
    return tokens.nameIs('f') || tokens.nameIs('extLst')
  }

  /** Copies an element in which nothing is read, if it may be copied. */
  private passed({ whole }: XmlElement): void {
    for (const token of openTags(whole)) if (this.isActive(whole)) this.leaveOut(new XmlElement(whole, token))
  }

  private leaveOut(element: XmlElement): void {
    this.hasLeftOut = true
    if (element.tag.nameIs('f') && this.place === 'rows') this.parts.leftOut.formulas++
    this.edit(removal(element))
    element.tag.position = element.end
  }

  /** A row may come in several pieces with the same number. */
  private async row(row: XmlElement, hasActive: boolean): Promise<void> {
    const { tag, content, isEmpty } = row
    const number = this.numberOf(row)
    if (number !== this.rowNumber) {
      await this.endRow()
      this.rowNumber = number
      this.prefix = tag.prefix()
      this.rowStyle = Number(tag.attribute('s') ?? 0)
      if (this.edited?.rowNumber === number) {
        this.missing = [...this.edited.cells]
        this.parts.editor.startRow?.(number, this.missing)
      }
    }
    if (!isEmpty || this.missing.length === 0) this.format(tag, 's')
    if (!isEmpty) this.pieceEnd = row.contentEnd
    const { editor, hasMetadata } = this.parts
    if (!hasActive && this.missing.length === 0 && !hasMetadata && editor.newFormat === undefined) return
    let nextColumn = 0
    for (const token of openTags(content)) {
      if (content.nameIs('c')) nextColumn = this.cell(content, token, nextColumn)
      else if (this.isActive(content)) this.leaveOut(new XmlElement(content, token))
      else if (isLeftOut(content)) {
        const element = new XmlElement(content, token)
        this.passed(element)
        content.position = element.end
      }
    }
  }

  private numberOf({ tag, content }: XmlElement): number {
    const number = tag.attribute('r')
    if (number !== null && number !== '') return Number(number)
    const reference = firstNamed(content, 'c')?.tag.attribute('r') ?? ''
    return reference === '' ? this.rowNumber + 1 : parseCellReference(reference).row
  }

  private async endRow(): Promise<void> {
    for (const cell of this.missing) this.insertCell(cell, this.pieceEnd)
    this.missing = []
    if (this.edited === null || this.edited.rowNumber !== this.rowNumber) return
    this.parts.rows.take()
    this.edited = await this.parts.rows.peek()
  }

  /** Columns come in order; those without a format of their own are left out. */
  private column(): void {
    const { tokens, columnStyles } = this
    const style = Number(tokens.attribute('style') ?? 0)
    const plain = this.parts.editor.newFormat?.(style) ?? style
    const first = Number(tokens.attribute('min') ?? 1) - 1
    const last = Math.min(Number(tokens.attribute('max') ?? 0), MAX_COLUMNS) - 1
    while (columnStyles.length < Math.min(first, MAX_COLUMNS)) columnStyles.push(0)
    while (columnStyles.length <= last) columnStyles.push(plain)
    this.format(tokens, 'style')
  }

  /** Edits the cell whose tag was just read, if it has to be; returns the column after it. */
  private cell(tokens: XmlTokens, token: XmlToken, nextColumn: number): number {
    const { missing, parts } = this
    const { start } = tokens
    const reference = missing.length === 0 ? '' : (tokens.attribute('r') ?? '')
    const column = reference === '' ? nextColumn : parseCellReference(reference).column
    while (missing.length > 0 && missing[0].column < column) this.insertCell(missing.shift()!, start)
    const isEdited = missing.length > 0 && missing[0].column === column
    const hasFormula = token === XmlToken.Open && this.startsWithFormula(tokens)
    if (isEdited || hasFormula || parts.hasMetadata) {
      const element = new XmlElement(tokens, token)
      const edits = isEdited
        ? [...parts.editor.editCell(element, missing.shift()!, this.rowNumber)]
        : [this.formatEdit(tokens, 's')].filter((edit) => edit !== null)
      if (!edits.some((edit) => edit.start === start)) edits.push(...this.leftOutOf(element))
      for (const edit of edits.sort((one, other) => one.start - other.start)) this.edit(edit)
      tokens.position = Math.max(tokens.position, this.copied)
    } else this.format(tokens, 's')
    return column + 1
  }

  private startsWithFormula(tokens: XmlTokens): boolean {
    const { bytes } = tokens
    let at = tokens.position
    while (bytes[at] <= SPACE) at++
    return bytes[at + 1 + this.prefix.length] === LOWER_F
  }

  /** Metadata, and a formula without a result: the copy has #N/A, since an empty cell might be valid. */
  private leftOutOf(cell: XmlElement): Edit[] {
    const { tag, contentStart: start, contentEnd: end } = cell
    const { hasMetadata, leftOut } = this.parts
    // Cells refer to metadata by numbers from 1.
    const edits = (hasMetadata ? METADATA : [])
      .filter((name) => tag.findAttribute(name))
      .map((name) => attributeEdit(tag, name, 0))
    const isPending =
      (tag.attribute('t') ?? 'n') === 'n' &&
      elementsNamed(cell.content, 'f').some(
        (formula) => !formula.isEmpty || formula.tag.findAttribute('t'),
      ) &&
      elementsNamed(cell.content, 'v', 't').every(({ text }) => text === '')
    if (isPending) {
      const { prefix } = this
      edits.push(attributeEdit(tag, 't', 'e'), { start, end, text: `<${prefix}v>${NO_RESULT}</${prefix}v>` })
      leftOut.formulas++
    }
    this.hasLeftOut ||= edits.length > 0
    return edits
  }

  private format(tokens: XmlTokens, attribute: string): void {
    const edit = this.formatEdit(tokens, attribute)
    if (edit !== null) this.edit(edit)
  }

  /** For the format of a cell that is not edited (`s`), of a row (`s`) or of a column (`style`). */
  private formatEdit(tokens: XmlTokens, attribute: string): Edit | null {
    const { newFormat } = this.parts.editor
    if (newFormat === undefined || !tokens.findAttribute(attribute)) return null
    const format = newFormat(Number(tokens.attribute(attribute)))
    return format === null ? null : attributeEdit(tokens, attribute, format)
  }

  private edit({ start, end, text }: Edit): void {
    this.copyUpTo(start)
    this.write(text)
    this.copied = end
  }

  /** A missing cell has the format of its row, else that of its column. */
  private insertCell(cell: Cell, position: number): void {
    const { rowNumber, prefix } = this
    const style = this.rowStyle > 0 ? this.rowStyle : (this.columnStyles[cell.column] ?? 0)
    this.copyUpTo(position)
    this.write(this.parts.editor.missingCell(cell, { rowNumber, prefix, style }))
  }

  private copyUpTo(position: number): void {
    if (position > this.copied) this.out.copy(this.tokens.bytes, this.copied, position)
    this.copied = position
  }

  private write(text: string): void {
    if (text !== '') this.out.markup(this.parts.platform.encodeUtf8(text))
  }
}

const NO_RESULT = '#N/A'
