import type { Platform } from '#platform.ts'
import { isLeftOut, skipElement } from '#formats/spreadsheet/read-rich-text.ts'
import { XmlToken, XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { solidFillTag } from '#formats/spreadsheet/style-sheet.ts'
import { badFillTag, type Fill, readFill } from '#output/bad-fill.ts'
import { applyEdits, attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { joined } from '#formats/xml/xml-bytes.ts'

const FILLS = xmlName('fills')
const FILL = xmlName('fill')
const BORDERS = xmlName('borders')
const CELL_STYLE_XFS = xmlName('cellStyleXfs')
const CELL_XFS = xmlName('cellXfs')
const XF = xmlName('xf')
const COUNT = xmlName('count')
const FILL_ATTRIBUTES = /\s(?:fillId|applyFill)\s*=\s*(?:"[^"]*"|'[^']*')/g
/** Excel's own bound on cell formats. */
const MAX_FORMATS = 65_490
const FILL_ID = /\sfillId\s*=\s*["'](\d+)["']/

/** The cell formats of a workbook, as far as red copies of them can be made and known again. */
export type StyleTable = {
  readonly bytes: Uint8Array
  /** Raw XML of each cell format. */
  readonly formats: readonly string[]
  readonly fills: readonly Fill[]
  readonly fillsEnd: Place
  readonly formatsEnd: Place
}
/** Where elements can be added, the prefix they need, and where the `count` of their parent stands. */
type Place = { readonly position: number; readonly prefix: string; readonly count: Edit | null }

/** Takes a styles part apart; null where it has no cell formats, as no spreadsheet program would leave it. */
export function readStyleTable(bytes: Uint8Array, platform: Platform): StyleTable | null {
  const tokens = new XmlTokens(platform, bytes)
  const formats: string[] = []
  const fills: Fill[] = []
  let fillsEnd: Place | null = null
  let formatsEnd: Place | null = null
  let parent: 'fills' | 'cellXfs' | null = null
  let count: Edit | null = null
  let start = 0
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Text || token === XmlToken.CData) continue
    const isOpen = token === XmlToken.Open
    if (isOpen && isLeftOut(tokens)) skipElement(tokens)
    else if (tokens.nameIs(FILLS) || tokens.nameIs(CELL_XFS)) {
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
    } else if (parent !== null && tokens.nameIs(parent === 'fills' ? FILL : XF)) {
      if (token !== XmlToken.Close) start = tokens.start
      if (isOpen) continue
      const xml = platform.decodeUtf8(bytes, start, tokens.position)
      if (parent === 'fills') fills.push(readFill(xml))
      else formats.push(xml)
    }
  }
  if (formatsEnd === null || formats.length === 0) return null
  if (fillsEnd === null) return readStyleTable(withFills(bytes, platform), platform)
  return { bytes, formats, fills, fillsEnd, formatsEnd }
}

/** Small writers leave out the fills, of which every workbook has two. They stand before the borders. */
function withFills(bytes: Uint8Array, platform: Platform): Uint8Array {
  const tokens = new XmlTokens(platform, bytes)
  const follow = [BORDERS, CELL_STYLE_XFS, CELL_XFS]
  do tokens.next()
  while (!follow.some((name) => tokens.nameIs(name)))
  const p = tokens.prefix()
  const text = `<${p}fills count="2">${['none', 'gray125'].map((type) => `<${p}fill><${p}patternFill patternType="${type}"/></${p}fill>`).join('')}</${p}fills>`
  return joined([...applyEdits(bytes, [{ start: tokens.start, end: tokens.start, text }], platform)])
}

/**
 * Red copies of cell formats, and formats that red ones of an earlier time were made from. What is there
 * already is used again, so that a workbook that goes back and forth does not grow.
 */
export class DerivedStyles {
  /** Whether the workbook has red formats of ours, from an earlier time. */
  readonly hasOld: boolean
  private readonly table: StyleTable
  private readonly red = new Map<number, number>()
  /** Stands in for red copies that there is no room for. */
  private anyRed: number | null = null
  private readonly plain = new Map<number, number | null>()
  private readonly newFormats: string[] = []
  private readonly newFills: string[] = []
  /** Indexes by what they look like; made when first needed. */
  private formatIndexes: Map<string, number> | null = null
  private fillIndexes: Map<string, number> | null = null

  constructor(table: StyleTable) {
    this.table = table
    this.hasOld = table.fills.some((fill) => fill?.kind === 'bad')
  }

  /** The index of the red copy of a format; a red one is its own. */
  redOf(style: number): number {
    const known = this.red.get(style)
    if (known !== undefined) return known
    const fill = this.fillOf(style)
    const index =
      fill?.kind === 'bad'
        ? style
        : this.withFill(style, this.fillIndex(badFillTag(fill, this.table.fillsEnd.prefix)))
    this.red.set(style, index ?? this.anyRed ?? style)
    this.anyRed ??= index
    return this.red.get(style)!
  }

  /** The index of the format that a red one was made from; null for one that is not red. */
  plainOf(style: number): number | null {
    const known = this.plain.get(style)
    if (known !== undefined) return known
    const fill = this.fillOf(style)
    const index = fill?.kind === 'bad' ? this.withFill(style, this.uncovered(fill.covers)) : null
    this.plain.set(style, index)
    return index
  }

  /** What to change in the styles part so that the formats exist. */
  edits(): Edit[] {
    const { fills, formats, fillsEnd, formatsEnd } = this.table
    return [
      ...appended(fillsEnd, this.newFills, fills.length + this.newFills.length),
      ...appended(formatsEnd, this.newFormats, formats.length + this.newFormats.length),
    ]
  }

  private formatOf(style: number): string {
    return this.table.formats[style] ?? this.table.formats[0]
  }

  private fillOf(style: number): Fill {
    return this.table.fills[fillIdOf(this.formatOf(style))] ?? null
  }

  private uncovered(color: string | null): number {
    return color === null ? 0 : this.fillIndex(solidFillTag(color, undefined, this.table.fillsEnd.prefix))
  }

  private fillIndex(tag: string): number {
    this.fillIndexes ??= indexesOf(this.table.fills.map((fill) => JSON.stringify(fill)))
    return indexOrNew(
      this.fillIndexes,
      JSON.stringify(readFill(tag)),
      () => this.table.fills.length + this.newFills.push(tag) - 1,
    )
  }

  /** null where Excel takes no more formats. */
  private withFill(style: number, fillId: number): number | null {
    const { formats } = this.table
    this.formatIndexes ??= indexesOf(formats.map((format) => lookOf(format, fillIdOf(format))))
    const format = this.formatOf(style)
    const look = lookOf(format, fillId)
    if (formats.length + this.newFormats.length >= MAX_FORMATS) return this.formatIndexes.get(look) ?? null
    return indexOrNew(
      this.formatIndexes,
      look,
      () => formats.length + this.newFormats.push(copyWith(format, fillId)) - 1,
    )
  }
}

function indexesOf(looks: readonly string[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, look] of looks.entries()) if (!indexes.has(look)) indexes.set(look, index)
  return indexes
}

function indexOrNew(indexes: Map<string, number>, look: string, add: () => number): number {
  let index = indexes.get(look)
  if (index === undefined) indexes.set(look, (index = add()))
  return index
}

function appended({ position, count }: Place, added: readonly string[], total: number): Edit[] {
  if (added.length === 0) return []
  const edit = { start: position, end: position, text: added.join('') }
  return count === null ? [edit] : [edit, { ...count, text: String(total) }]
}

/** Two formats that look the same have the same one. */
const lookOf = (format: string, fillId: number): string =>
  `${fillId} ${withoutFill(format).replace(/\s+/g, ' ')}`

const fillIdOf = (format: string): number => Number(FILL_ID.exec(tagOf(format))?.[1] ?? 0)

const tagOf = (format: string): string => format.slice(0, format.indexOf('>'))

function withoutFill(format: string): string {
  const tag = tagOf(format)
  return tag.replace(FILL_ATTRIBUTES, '') + format.slice(tag.length)
}

const copyWith = (format: string, fillId: number): string =>
  withoutFill(format).replace(/^<[^\s/>]+/, (name) => `${name} fillId="${fillId}" applyFill="1"`)
