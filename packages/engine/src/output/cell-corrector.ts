import { worksheetBounds } from '@veridict/contract/limits'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { numberText } from '#formats/spreadsheet/cell-text.ts'
import { type CellStyles, NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { skipElement } from '#formats/spreadsheet/read-rich-text.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import type { Edit } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { canBeWritten, type Correction, type CorrectionLog } from '#output/corrected-rows.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { CellPlace, SheetEditor } from '#output/sheet-rewriter.ts'

const CELL = xmlName('c')
const FORMULA = xmlName('f')
const ATTRIBUTE_R = xmlName('r')
const ATTRIBUTE_S = xmlName('s')
const ATTRIBUTE_T = xmlName('t')
const ATTRIBUTE_REF = xmlName('ref')
const ATTRIBUTE_SI = xmlName('si')

/** Areas of array formulas that are remembered at once. With more of them no further cell is changed. */
const MAX_ARRAYS = 1000

/** `B2:C9`, with or without `$`. */
const AREA = /^\$?([A-Z]{1,3})\$?\d+:\$?([A-Z]{1,3})\$?(\d+)$/i

type Area = { readonly lastRow: number; readonly firstColumn: number; readonly lastColumn: number }

/**
 * Replaces the values of cells and gives them a green format. A number is written as one where the field is a
 * number and the cell shows it as it is; any other value becomes a text. A formula of a corrected cell goes.
 * If other cells share it, they keep their values and lose it too: the first one states it for all. A cell
 * inside the area of an array formula is left: the formula would overwrite it.
 */
export class CellCorrector implements SheetEditor<Correction> {
  /** Formulas of other cells that became values, because they were stated in a corrected cell. */
  lostFormulas = 0
  readonly #styles: DerivedStyles
  readonly #cellStyles: CellStyles
  readonly #isNumber: (column: number) => boolean
  readonly #log: CorrectionLog
  /** The numbers of shared formulas that were stated in a corrected cell. */
  readonly #lostShared = new Set<string>()
  #arrays: Area[] = []

  constructor(parts: {
    styles: DerivedStyles
    /** What the source's formats make of numbers. */
    cellStyles: CellStyles
    /** Whether the field of a column is a number. */
    isNumber: (column: number) => boolean
    log: CorrectionLog
  }) {
    this.#styles = parts.styles
    this.#cellStyles = parts.cellStyles
    this.#isNumber = parts.isNumber
    this.#log = parts.log
  }

  startRow(rowNumber: number): void {
    this.#arrays = this.#arrays.filter(({ lastRow }) => lastRow >= rowNumber)
  }

  editCell(
    tokens: XmlTokens,
    correction: Correction,
    { rowNumber, prefix, isEmpty }: CellPlace,
  ): readonly Edit[] | null {
    const { start, position } = tokens
    const reference = tokens.attribute(ATTRIBUTE_R)
    const style = Number(tokens.attribute(ATTRIBUTE_S) ?? 0)
    const shared = isEmpty ? NO_SHARED : readToEnd(tokens)
    if (shared === null) return null
    if (!this.#isChangeable(rowNumber, correction)) {
      this.#log.left(rowNumber, correction)
      // Its formula is read like that of any other cell.
      tokens.position = position
      return []
    }
    for (const number of shared) this.#lostShared.add(number)
    this.#log.made(rowNumber, correction)
    return [{ start, end: tokens.position, text: this.#cellXml(correction, reference, style, prefix) }]
  }

  missingCell(correction: Correction, { rowNumber }: CellPlace): '' {
    this.#log.left(rowNumber, correction)
    return ''
  }

  editFormat(): null {
    return null
  }

  columnFormat(style: number): number {
    return style
  }

  editFormula(tokens: XmlTokens, isEmpty: boolean): readonly Edit[] | null {
    const { start } = tokens
    const type = tokens.attribute(ATTRIBUTE_T)
    if (type === 'array' || type === 'dataTable') this.#addArray(tokens.attribute(ATTRIBUTE_REF) ?? '')
    if (type !== 'shared') return []
    const number = tokens.attribute(ATTRIBUTE_SI) ?? ''
    // Another formula may be stated later under the same number.
    if (tokens.findAttribute(ATTRIBUTE_REF)) this.#lostShared.delete(number)
    if (!this.#lostShared.has(number)) return []
    if (!isEmpty && !skipElement(tokens)) return null
    this.lostFormulas++
    return [{ start, end: tokens.position, text: '' }]
  }

  #isChangeable(rowNumber: number, { column, value }: Correction): boolean {
    if (!canBeWritten(value, worksheetBounds.maxCellLength) || this.#arrays.length >= MAX_ARRAYS) return false
    return !this.#arrays.some(
      ({ lastRow, firstColumn, lastColumn }) =>
        rowNumber <= lastRow && column >= firstColumn && column <= lastColumn,
    )
  }

  /** Areas of one cell are common, and do no harm. */
  #addArray(reference: string): void {
    const [, firstLetters, lastLetters, lastRow] = AREA.exec(reference) ?? []
    if (lastRow === undefined || this.#arrays.length >= MAX_ARRAYS) return
    const [firstColumn, lastColumn] = [firstLetters, lastLetters].map((letters) =>
      columnIndex(letters.toUpperCase()),
    )
    this.#arrays.push({ lastRow: Number(lastRow), firstColumn, lastColumn })
  }

  #cellXml({ column, value }: Correction, reference: string | null, style: number, prefix: string): string {
    const place = reference === null ? '' : ` r="${escapeXml(reference)}"`
    const tag = `<${prefix}c${place} s="${this.#styles.markedOf(style)}"`
    if (value === '') return `${tag}/>`
    const [open, close] = [`<${prefix}`, `</${prefix}`]
    if (this.#isNumber(column) && this.#showsNumber(style, value))
      return `${tag}>${open}v>${value}${close}v>${close}c>`
    const space = needsPreserve(value) ? ' xml:space="preserve"' : ''
    const text = `${open}is>${open}t${space}>${escapeXml(value)}${close}t>${close}is>`
    return `${tag} t="inlineStr">${text}${close}c>`
  }

  /** Whether a cell with this number reads as the text of the correction, and looks like it. */
  #showsNumber(style: number, value: string): boolean {
    if (
      !Number.isFinite(Number(value)) ||
      numberText(Number(value)) !== value ||
      this.#styles.isPercent(style)
    )
      return false
    const format = this.#cellStyles[style] ?? NumberKind.Plain
    return (typeof format === 'function' ? format(Number(value)) : format) === NumberKind.Plain
  }
}

const NO_SHARED: readonly string[] = []

/** Reads on to the end of a cell; the numbers of the shared formulas that it states, null where it is cut. */
function readToEnd(tokens: XmlTokens): readonly string[] | null {
  let shared = NO_SHARED
  for (;;) {
    const token = tokens.next()
    if (token === XmlToken.More) return null
    if (token === XmlToken.Text || token === XmlToken.CData) continue
    if (token === XmlToken.Close && tokens.nameIs(CELL)) return shared
    if (token === XmlToken.Close || !tokens.nameIs(FORMULA)) continue
    if (tokens.attribute(ATTRIBUTE_T) === 'shared' && tokens.findAttribute(ATTRIBUTE_REF))
      shared = [...shared, tokens.attribute(ATTRIBUTE_SI) ?? '']
  }
}
