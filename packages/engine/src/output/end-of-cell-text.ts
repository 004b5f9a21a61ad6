import { QUOTE } from '#formats/byte-names.ts'
import { MAX_CELL_TEXT } from '#formats/xml/write-xml.ts'

/**
 * Where the text of a cell, `[start, end)` in UTF-8, has to end so that a spreadsheet's cell can hold it,
 * which counts in UTF-16. `isQuoted`: quotes in it are doubled and count as one.
 */
export function endOfCellText(bytes: Uint8Array, start: number, end: number, isQuoted: boolean): number {
  if (end - start <= MAX_CELL_TEXT) return end
  let units = 0
  for (let at = start; at < end;) {
    const lead = bytes[at]
    const length = lead < 0x80 ? (isQuoted && lead === QUOTE ? 2 : 1) : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    units += length === 4 ? 2 : 1
    if (units > MAX_CELL_TEXT) return at
    at += length
  }
  return end
}
