import { MAIN_NAMESPACE, XML_HEADER } from '#formats/xml/write-xml.ts'

/** Number formats that every spreadsheet knows by number (ECMA-376 part 1, 18.8.30). */
export const NumberFormat = { General: 0, Text: 49 } as const
/** Number formats of one's own count from here. */
export const FIRST_OWN_FORMAT = 164

/** A cell format; fonts, fills and borders by their place in the style sheet. Left out: nothing special. */
export type CellFormat = {
  readonly numberFormat?: number
  readonly font?: number
  readonly fill?: number
  readonly border?: number
  /** Attributes of the element, like `wrapText="1"`. */
  readonly alignment?: string
}

export type StyleSheet = {
  /** Format codes, known as `FIRST_OWN_FORMAT` and on. */
  readonly numberFormats?: readonly string[]
  /** What stands in the elements of the fonts. The first is that of the whole workbook. */
  readonly fonts: readonly string[]
  /** Elements. The first two are given: none and gray125. */
  readonly fills: readonly string[]
  /** Elements. The first is given: none. */
  readonly borders?: readonly string[]
  readonly formats: readonly CellFormat[]
}

/** The styles part of a workbook that we write from scratch. `numberFormats` must be escaped for XML. */
export function styleSheetPart({
  numberFormats = [],
  fonts,
  fills,
  borders = [],
  formats,
}: StyleSheet): string {
  return (
    `${XML_HEADER}<styleSheet xmlns="${MAIN_NAMESPACE}">` +
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
  const tag = `<xf numFmtId="${numberFormat}" fontId="${font}" fillId="${fill}" borderId="${border}" xfId="0"${applied}`
  return alignment === undefined ? `${tag}/>` : `${tag}><alignment ${alignment}/></xf>`
}
