import { worksheetBounds } from '@veridict/contract/limits'
import { numberText } from '#formats/spreadsheet/cell-text.ts'
import { type CellStyles, NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import type { Edit } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { skipElement } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { canBeWritten, type Correction, type CorrectionLog } from '#output/corrected-rows.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { CellPlace, SheetEditor } from '#output/sheet-rewriter.ts'

/**
 * Replaces the values of cells and gives them a green format. A number is written as one where the field is a
 * number and the cell shows it as it is; any other value becomes a text.
 */
export class CellCorrector implements SheetEditor<Correction> {
  readonly #styles: DerivedStyles
  readonly #cellStyles: CellStyles
  readonly #isNumber: (column: number) => boolean
  readonly #log: CorrectionLog

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

  startRow(): void {}

  editCell(
    tokens: XmlTokens,
    correction: Correction,
    { rowNumber, prefix, isEmpty }: CellPlace,
  ): readonly Edit[] | null {
    if (!canBeWritten(correction.value, worksheetBounds.maxCellLength)) {
      this.#log.skipped(rowNumber, correction)
      return []
    }
    const { start } = tokens
    const reference = tokens.attribute('r')
    const style = Number(tokens.attribute('s') ?? 0)
    if (!isEmpty && !skipElement(tokens)) return null
    this.#log.corrected(rowNumber, correction)
    return [{ start, end: tokens.position, text: this.#cellXml(correction, reference, style, prefix) }]
  }

  missingCell(correction: Correction, { rowNumber }: CellPlace): '' {
    this.#log.skipped(rowNumber, correction)
    return ''
  }

  editFormat(): null {
    return null
  }

  columnFormat(style: number): number {
    return style
  }

  #cellXml({ column, value }: Correction, reference: string | null, style: number, prefix: string): string {
    const place = reference === null ? '' : ` r="${escapeXml(reference)}"`
    const tag = `<${prefix}c${place} s="${this.#styles.markedOf(style, 'corrected')}"`
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
