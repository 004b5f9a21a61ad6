import { worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { escapeXml } from '#formats/xml/write-xml.ts'

/** The longest text of a cell, in UTF-16 code units. */
export const MAX_CELL_TEXT = worksheetBounds.maxCellLength

/** The first `max` code units of a text, without half a surrogate pair at the end. */
export function clipText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '')
}

/** Programs read it neither as a number nor as a formula. Cut at `MAX_CELL_TEXT`. */
export function textCell(reference: string, style: number, text: string): string {
  if (text === '') return `<c r="${reference}" s="${style}"/>`
  const shown = clipText(text, MAX_CELL_TEXT)
  const space = needsPreserve(shown) ? ' xml:space="preserve"' : ''
  return `<c r="${reference}" s="${style}" t="inlineStr"><is><t${space}>${escapeXml(shown)}</t></is></c>`
}

/** Without `xml:space`, programs drop white space at both ends and line breaks. */
export function needsPreserve(text: string): boolean {
  return text.charCodeAt(0) <= 32 || text.charCodeAt(text.length - 1) <= 32 || text.includes('\n')
}

/** A row of text cells in one style, from column A on; empty cells are left out. `number` counts from 1. */
export function textRow(number: number, style: number, texts: readonly string[]): string {
  let row = `<row r="${number}">`
  for (const [column, text] of texts.entries())
    if (text !== '') row += textCell(columnLetter(column) + number, style, text)
  return `${row}</row>`
}

/** Text cells from column A on. Empty ones too, so that fills have no gaps. `height` in points. */
export function styledRow(
  number: number,
  cells: readonly { style: number; text: string }[],
  height?: number,
): string {
  const size = height === undefined ? '' : ` ht="${height}" customHeight="1"`
  const tags = cells.map(({ style, text }, column) => textCell(columnLetter(column) + number, style, text))
  return `<row r="${number}"${size}>${tags.join('')}</row>`
}
