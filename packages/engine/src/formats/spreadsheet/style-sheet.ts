import { MAIN_NAMESPACE } from '#formats/spreadsheet/workbook-parts.ts'
import { XML_HEADER } from '#formats/xml/write-xml.ts'

/** Number formats that have a fixed number (ECMA-376 part 1, 18.8.30). */
export const NumberFormat = { General: 0, Text: 49 } as const
/** The number of a style sheet's first own number format. */
export const FIRST_OWN_FORMAT = 164

/** A cell format. `font`, `fill` and `border` are indexes in the style sheet; default: 0, nothing special. */
export type CellFormat = {
  readonly numberFormat?: number
  readonly font?: number
  readonly fill?: number
  readonly border?: number
  /** Attributes of the element, such as `wrapText="1"`. */
  readonly alignment?: string
}

export type StyleSheet = {
  /** Format codes, escaped for XML. Their numbers count from `FIRST_OWN_FORMAT`. */
  readonly numberFormats?: readonly string[]
  /** Content of the `<font>` elements. The first is the default font of the workbook. */
  readonly fonts: readonly string[]
  /** `<fill>` elements, from index 2: the format fixes 0 (none) and 1 (gray125). */
  readonly fills: readonly string[]
  /** `<border>` elements, from index 1: 0 is none. */
  readonly borders?: readonly string[]
  readonly formats: readonly CellFormat[]
  /** `<dxf>` elements, the looks of conditional formats. */
  readonly differences?: readonly string[]
}

/** The second color that programs write for a solid fill: that of the system's windows. */
export const WINDOW_COLOR = 'indexed="64"'

/** A solid fill. Colors are attributes (`rgb="FFEEEEEE"`); `prefix` is '' or ends with a colon. */
export function solidFillTag(color: string, secondColor: string = WINDOW_COLOR, prefix = ''): string {
  const p = prefix
  return (
    `<${p}fill><${p}patternFill patternType="solid"><${p}fgColor ${color}/><${p}bgColor ${secondColor}/>` +
    `</${p}patternFill></${p}fill>`
  )
}

/** A `<dxf>` element: a solid fill, whose color is here the second one. */
export const fillDifference = (color: string, prefix = ''): string =>
  `<${prefix}dxf>${solidFillTag(color, color, prefix)}</${prefix}dxf>`

/** `xl/styles.xml`. */
export function styleSheetPart(styles: StyleSheet, namespace: string = MAIN_NAMESPACE): string {
  const { numberFormats = [], fonts, fills, borders = [], formats, differences = [] } = styles
  return (
    `${XML_HEADER}<styleSheet xmlns="${namespace}">` +
    (numberFormats.length === 0 ? '' : listOf('numFmts', numberFormats.map(numberFormatTag))) +
    listOf(
      'fonts',
      fonts.map((font) => `<font>${font}</font>`),
    ) +
    listOf('fills', [
      '<fill><patternFill patternType="none"/></fill>',
      '<fill><patternFill patternType="gray125"/></fill>',
      ...fills,
    ]) +
    listOf('borders', ['<border><left/><right/><top/><bottom/><diagonal/></border>', ...borders]) +
    listOf('cellStyleXfs', ['<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>']) +
    listOf('cellXfs', formats.map(formatTag)) +
    listOf('cellStyles', ['<cellStyle name="Normal" xfId="0" builtinId="0"/>']) +
    (differences.length === 0 ? '' : listOf('dxfs', differences)) +
    '</styleSheet>'
  )
}

const listOf = (name: string, tags: readonly string[]) =>
  `<${name} count="${tags.length}">${tags.join('')}</${name}>`

const numberFormatTag = (code: string, index: number) =>
  `<numFmt numFmtId="${FIRST_OWN_FORMAT + index}" formatCode="${code}"/>`

function formatTag({ numberFormat = 0, font = 0, fill = 0, border = 0, alignment }: CellFormat): string {
  const applied =
    (numberFormat > 0 ? ' applyNumberFormat="1"' : '') +
    (font > 0 ? ' applyFont="1"' : '') +
    (fill > 0 ? ' applyFill="1"' : '') +
    (border > 0 ? ' applyBorder="1"' : '') +
    (alignment === undefined ? '' : ' applyAlignment="1"')
  const ids = `numFmtId="${numberFormat}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"`
  const tag = `<xf ${ids}${applied}`
  return alignment === undefined ? `${tag}/>` : `${tag}><alignment ${alignment}/></xf>`
}
