import {
  GENERAL_FORMAT,
  TEXT_FORMAT,
  type TemplateColumn,
} from '#dictionary-file/template/template-columns.ts'
import {
  fillDifference,
  FIRST_OWN_FORMAT,
  NumberFormat,
  solidFillTag,
  type StyleSheet,
} from '#formats/spreadsheet/style-sheet.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { LOOK_COLORS } from '#output/mark-fill.ts'

/** Cell styles that do not depend on the dictionary, by index. The styles of dates follow. */
export const TemplateStyle = {
  General: 0,
  Text: 1,
  RequiredHeading: 2,
  OptionalHeading: 3,
  Title: 4,
  Faint: 5,
  TableHeading: 6,
  TableText: 7,
  TableStrong: 8,
} as const
const FIXED_STYLES = Object.keys(TemplateStyle).length

/** The portal's dark red, and the warm greys of its page. */
const RED = 'rgb="FF8F1D22"'
const LINE_ON_RED = 'rgb="FFC04A4B"'
const SAND = 'rgb="FFF4F1ED"'
const LINE = 'rgb="FFDBD4CB"'
const INK = 'rgb="FF211C19"'
const SOFT = 'rgb="FF746A62"'
const WHITE = 'rgb="FFFFFFFF"'

const font = (size: number, color: string, bold = false) =>
  `${bold ? '<b/>' : ''}<sz val="${size}"/><color ${color}/><name val="Calibri"/><family val="2"/>`
const fonts = [
  font(11, INK),
  font(11, WHITE, true),
  font(11, INK, true),
  font(18, RED, true),
  font(11, SOFT),
  font(11, RED, true),
]
const [ON_RED, STRONG, TITLE, FAINT, MARKED] = [1, 2, 3, 4, 5]

const fills = [solidFillTag(RED), solidFillTag(SAND)]
const [RED_FILL, SAND_FILL] = [2, 3]

const side = (name: string, color: string) => `<${name} style="thin"><color ${color}/></${name}>`
const borders = [
  `<border><left/>${side('right', LINE_ON_RED)}<top/><bottom/><diagonal/></border>`,
  `<border><left/>${side('right', LINE)}<top/>${side('bottom', LINE)}<diagonal/></border>`,
  `<border><left/><right/><top/>${side('bottom', LINE)}<diagonal/></border>`,
]
const [ON_RED_BORDER, HEADING_BORDER, ROW_BORDER] = [1, 2, 3]

/** Aligns the text of cells with that of their headings. */
const INDENTED = 'horizontal="left" vertical="center" indent="1"'
const text = { numberFormat: NumberFormat.Text, alignment: INDENTED }
const wrapped = { ...text, alignment: `${INDENTED} wrapText="1"` }
const formats = [
  {},
  text,
  { ...wrapped, font: ON_RED, fill: RED_FILL, border: ON_RED_BORDER },
  { ...wrapped, font: STRONG, fill: SAND_FILL, border: HEADING_BORDER },
  { ...text, font: TITLE },
  { ...text, font: FAINT },
  { ...wrapped, font: STRONG, fill: SAND_FILL, border: ROW_BORDER },
  { ...wrapped, border: ROW_BORDER },
  { ...wrapped, border: ROW_BORDER, font: MARKED },
]

/** The styles of a template: the fixed ones, and one per date format. */
export class TemplateStyles {
  private readonly dateCodes: readonly string[]

  constructor(columns: readonly TemplateColumn[]) {
    const codes = new Set(columns.map(({ format }) => format))
    this.dateCodes = [...codes].filter((code) => code !== TEXT_FORMAT && code !== GENERAL_FORMAT)
  }

  of({ format }: TemplateColumn): number {
    if (format === TEXT_FORMAT) return TemplateStyle.Text
    return format === GENERAL_FORMAT ? TemplateStyle.General : FIXED_STYLES + this.dateCodes.indexOf(format)
  }

  sheet(): StyleSheet {
    const dates = this.dateCodes.map((_, index) => ({
      numberFormat: FIRST_OWN_FORMAT + index,
      alignment: INDENTED,
    }))
    return {
      numberFormats: this.dateCodes.map(escapeXml),
      fonts,
      fills,
      borders,
      formats: [...formats, ...dates],
      differences: LOOK_COLORS.map((color) => fillDifference(color)),
    }
  }
}
