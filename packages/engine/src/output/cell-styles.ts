import { NumberFormat, type StyleSheet } from '#formats/spreadsheet/style-sheet.ts'
import type { SheetColumn } from '#formats/spreadsheet/write-sheet.ts'
import { markFillTag } from '#output/mark-fill.ts'

/** By index in `cellStyles`. All but the first are text, so that numbers typed into such cells stay text. */
export const CellStyle = {
  Plain: 0,
  Text: 1,
  Bad: 2,
  Heading: 3,
  Wrapped: 4,
  BadHeading: 5,
  Warning: 6,
} as const

const CALIBRI = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
const [BOLD, BAD, WARNING] = [1, 2, 3]
const text = { numberFormat: NumberFormat.Text }

export const cellStyles: StyleSheet = {
  fonts: [CALIBRI, `<b/>${CALIBRI}`],
  fills: [markFillTag('bad', null), markFillTag('warning', null)],
  formats: [
    {},
    text,
    { ...text, fill: BAD },
    { ...text, font: BOLD },
    { ...text, alignment: 'vertical="top" wrapText="1"' },
    { ...text, font: BOLD, fill: BAD },
    { ...text, fill: WARNING },
  ],
}

/** Columns of text cells, by their widths in characters. */
export const textColumns = (widths: readonly number[]): SheetColumn[] =>
  widths.map((width) => ({ width, style: CellStyle.Text }))
