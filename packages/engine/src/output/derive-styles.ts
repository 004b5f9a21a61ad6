import type { Platform } from '#platform.ts'
import { XmlToken, XmlTokens, xmlName } from '#source/xlsx/xml-tokens.ts'
import { attributeEdit, type Edit } from '#output/edit-xml.ts'
import { BAD_FILL } from '#output/workbook-parts.ts'

const FILLS = xmlName('fills')
const FILL = xmlName('fill')
const CELL_XFS = xmlName('cellXfs')
const XF = xmlName('xf')
const COUNT = xmlName('count')
const FILL_ATTRIBUTES = /\s(?:fillId|applyFill)\s*=\s*(?:"[^"]*"|'[^']*')/g

/** The cell formats of a workbook, as far as red copies of them can be made. */
export type StyleTable = {
  readonly bytes: Uint8Array
  /** Raw XML of each cell format. */
  readonly formats: readonly string[]
  readonly fillCount: number
  readonly fillsEnd: Place
  readonly formatsEnd: Place
}
/** Where elements can be added, the prefix they need, and where the `count` of their parent stands. */
type Place = { readonly position: number; readonly prefix: string; readonly count: Edit | null }

/** Takes a styles part apart; null where it has no fills or no cell formats, as no spreadsheet program would leave it. */
export function readStyleTable(bytes: Uint8Array, platform: Platform): StyleTable | null {
  const tokens = new XmlTokens(platform, bytes)
  const formats: string[] = []
  let fillCount = 0
  let fillsEnd: Place | null = null
  let formatsEnd: Place | null = null
  let parent: 'fills' | 'cellXfs' | null = null
  let count: Edit | null = null
  let formatStart = 0
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData) continue
    const isOpen = token === XmlToken.Open
    if (tokens.nameIs(FILLS) || tokens.nameIs(CELL_XFS)) {
      const name = tokens.nameIs(FILLS) ? 'fills' : 'cellXfs'
      if (isOpen) {
        parent = name
        count = tokens.findAttribute(COUNT) ? attributeEdit(tokens, COUNT, 'count', 0) : null
      } else if (token === XmlToken.Close) {
        const place = { position: tokens.start, prefix: tokens.prefix(), count }
        if (name === 'fills') fillsEnd = place
        else formatsEnd = place
        parent = null
      }
    } else if (parent === 'fills' && tokens.nameIs(FILL) && token !== XmlToken.Close) fillCount++
    else if (parent === 'cellXfs' && tokens.nameIs(XF)) {
      if (token !== XmlToken.Close) formatStart = tokens.start
      if (!isOpen) formats.push(platform.decodeUtf8(bytes, formatStart, tokens.position))
    }
  }
  if (fillsEnd === null || formatsEnd === null || formats.length === 0) return null
  return { bytes, formats, fillCount, fillsEnd, formatsEnd }
}

/** Red copies of cell formats, made as they are asked for. */
export class DerivedStyles {
  private readonly firstIndex: number
  private readonly derived = new Map<number, number>()

  constructor(formatCount: number) {
    this.firstIndex = formatCount
  }

  /** The index of the red copy of a format. */
  redOf(style: number): number {
    let index = this.derived.get(style)
    if (index === undefined) this.derived.set(style, (index = this.firstIndex + this.derived.size))
    return index
  }

  /** What to change in the styles part so that the copies exist. */
  edits(table: StyleTable): Edit[] {
    const { fillsEnd, formatsEnd, fillCount, formats } = table
    const p = fillsEnd.prefix
    const fill = `<${p}fill><${p}patternFill patternType="solid"><${p}fgColor rgb="${BAD_FILL}"/><${p}bgColor indexed="64"/></${p}patternFill></${p}fill>`
    const copies = [...this.derived.keys()].map((style) => redCopy(formats[style] ?? formats[0], fillCount))
    return [
      { start: fillsEnd.position, end: fillsEnd.position, text: fill },
      { start: formatsEnd.position, end: formatsEnd.position, text: copies.join('') },
      ...counted(fillsEnd, fillCount + 1),
      ...counted(formatsEnd, formats.length + copies.length),
    ]
  }
}

const counted = ({ count }: Place, value: number): Edit[] => (count === null ? [] : [{ ...count, text: String(value) }])

function redCopy(format: string, fillId: number): string {
  const end = format.indexOf('>')
  const tag = format.slice(0, end).replace(FILL_ATTRIBUTES, '')
  return tag.replace(/^<[^\s/>]+/, (name) => `${name} fillId="${fillId}" applyFill="1"`) + format.slice(end)
}
