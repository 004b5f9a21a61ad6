import { numberText } from '#formats/spreadsheet/cell-text.ts'
import { type CellStyles, type NumberFormat, NumberKind } from '#formats/spreadsheet/read-styles.ts'
import { needsPreserve } from '#formats/spreadsheet/write-cells.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { skipElement } from '#formats/xml/xml-elements.ts'
import { canBeWritten, type Correction, type CorrectionLog } from '#output/corrections.ts'
import type { DerivedStyles } from '#output/derived-styles.ts'
import type { SheetEditor } from '#output/sheet-rewriter.ts'

/** What the corrections of a workbook depend on. */
type CorrectorParts = {
  readonly styles: DerivedStyles
  /** What the source's formats make of numbers. */
  readonly cellStyles: CellStyles
  /** Whether the field of a column is a number. */
  isNumber(column: number): boolean
  readonly log: CorrectionLog
}

/**
 * Replaces the values of cells and gives them a green format. A number is written as one where the field is a
 * number and the cell shows it as it is; any other value becomes a text.
 */
export const cellCorrector = (parts: CorrectorParts): SheetEditor<Correction> => ({
  startRow() {},
  editCell(tokens, correction, { rowNumber, prefix, isEmpty }) {
    if (!canBeWritten(correction.value)) {
      parts.log.skipped(rowNumber, correction)
      return []
    }
    const { start } = tokens
    const reference = tokens.attribute('r')
    const style = Number(tokens.attribute('s') ?? 0)
    if (!isEmpty && !skipElement(tokens)) return null
    parts.log.corrected(rowNumber, correction)
    return [{ start, end: tokens.position, text: cellXml(correction, reference, style, prefix, parts) }]
  },
  missingCell(correction, { rowNumber }) {
    parts.log.skipped(rowNumber, correction)
    return ''
  },
  editFormat: () => null,
  columnFormat: (style) => style,
})

function cellXml(
  { column, value }: Correction,
  reference: string | null,
  style: number,
  prefix: string,
  { styles, cellStyles, isNumber }: CorrectorParts,
): string {
  const place = reference === null ? '' : ` r="${escapeXml(reference)}"`
  const tag = `<${prefix}c${place} s="${styles.markedOf(style, 'corrected')}"`
  if (value === '') return `${tag}/>`
  const [open, close] = [`<${prefix}`, `</${prefix}`]
  const isShown = isNumber(column) && !styles.isPercent(style) && showsNumber(cellStyles[style], value)
  if (isShown) return `${tag}>${open}v>${value}${close}v>${close}c>`
  const space = needsPreserve(value) ? ' xml:space="preserve"' : ''
  const text = `${open}is>${open}t${space}>${escapeXml(value)}${close}t>${close}is>`
  return `${tag} t="inlineStr">${text}${close}c>`
}

/** Whether a cell with this number reads as the text of the correction, and looks like it. */
function showsNumber(format: NumberFormat = NumberKind.Plain, value: string): boolean {
  const number = Number(value)
  if (!Number.isFinite(number) || numberText(number) !== value) return false
  return (typeof format === 'function' ? format(number) : format) === NumberKind.Plain
}
