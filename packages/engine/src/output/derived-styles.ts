import { fillDifference, solidFillTag } from '#formats/spreadsheet/style-sheet.ts'
import { edited, attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { elementsNamed, firstNamed } from '#formats/xml/xml-elements.ts'
import { XmlTokens } from '#formats/xml/xml-tokens.ts'
import { type Fill, type MarkKind, markFillTag, readFill } from '#output/mark-fill.ts'
import type { Platform } from '#platform.ts'

const FILL_ATTRIBUTES = /\s(?:fillId|applyFill)\s*=\s*(?:"[^"]*"|'[^']*')/g
/** Excel's limit on cell formats. */
const MAX_FORMATS = 65_490
/** Number formats that Excel knows by number (ECMA-376 part 1, 18.8.30). */
const BUILTIN_PERCENT = [9, 10]
const NUM_FMT_ID_ATTRIBUTE = /\snumFmtId\s*=\s*["'](\d+)["']/
const FILL_ID = /\sfillId\s*=\s*["'](\d+)["']/

/** The cell formats and fills of a workbook, and where more can be added. */
export type StyleTable = {
  readonly bytes: Uint8Array
  /** Raw XML of each cell format. */
  readonly formats: readonly string[]
  readonly fills: readonly Fill[]
  /** The numbers of the number formats that show per cent. */
  readonly percentFormats: ReadonlySet<number>
  /** Raw XML of the looks of conditional formats. */
  readonly differences: readonly string[]
  readonly fillsEnd: Place
  readonly formatsEnd: Place
  readonly differencesEnd: Place
}
/** Where elements can be added, their prefix, and the place of their parent's `count`. */
type Place = { readonly position: number; readonly prefix: string; readonly count: Edit | null }

/** Reads a styles part; null if it has no cell formats, which no spreadsheet program writes. */
export function readStyleTable(bytes: Uint8Array, platform: Platform): StyleTable | null {
  const part = () => new XmlTokens(platform, bytes)
  const list = (name: string, child: string) => {
    const parent = elementsNamed(part(), name).find(({ isEmpty }) => !isEmpty)
    if (parent === undefined) return null
    const { tag } = parent
    const count = tag.findAttribute('count') ? attributeEdit(tag, 'count', 0) : null
    const end: Place = { position: parent.contentEnd, prefix: tag.prefix(), count }
    const children = [...elementsNamed(parent.content, child)]
    return { end, children: children.map((one) => platform.decodeUtf8(bytes, one.start, one.end)) }
  }
  const formats = list('cellXfs', 'xf')
  if (formats === null || formats.children.length === 0) return null
  const fills = list('fills', 'fill')
  if (fills === null) return readStyleTable(withFills(bytes, platform), platform)
  const differences = list('dxfs', 'dxf')
  if (differences === null) return readStyleTable(withDifferences(bytes, platform), platform)
  const percentFormats = new Set(BUILTIN_PERCENT)
  for (const { tag } of elementsNamed(part(), 'numFmt'))
    if (/%/.test(tag.attribute('formatCode') ?? '')) percentFormats.add(Number(tag.attribute('numFmtId')))
  return {
    bytes,
    formats: formats.children,
    fills: fills.children.map(readFill),
    percentFormats,
    differences: differences.children,
    fillsEnd: fills.end,
    formatsEnd: formats.end,
    differencesEnd: differences.end,
  }
}

/** Adds the two fills that every workbook has and some small writers leave out. They precede the borders. */
function withFills(bytes: Uint8Array, platform: Platform): Uint8Array {
  const { tag, start } = firstNamed(new XmlTokens(platform, bytes), 'borders', 'cellStyleXfs', 'cellXfs')!
  const p = tag.prefix()
  const fillTag = (type: string) => `<${p}fill><${p}patternFill patternType="${type}"/></${p}fill>`
  const text = `<${p}fills count="2">${fillTag('none')}${fillTag('gray125')}</${p}fills>`
  return edited(bytes, [{ start, end: start, text }], platform)
}

/** Adds a list of looks with one that changes nothing, in place of an empty list. */
function withDifferences(bytes: Uint8Array, platform: Platform): Uint8Array {
  const root = firstNamed(new XmlTokens(platform, bytes))!
  const following = ['dxfs', 'tableStyles', 'colors', 'extLst']
  const next = elementsNamed(root.content).find(({ tag }) => following.includes(tag.localName()))
  const { start, end } = next ?? { start: root.contentEnd, end: root.contentEnd }
  const p = root.tag.prefix()
  const text = `<${p}dxfs count="1"><${p}dxf/></${p}dxfs>`
  const isEmptyList = next?.tag.nameIs('dxfs') === true
  return edited(bytes, [{ start, end: isEmptyList ? end : start, text }], platform)
}

/**
 * Makes marked copies of cell formats and finds the formats that earlier ones were made from. Formats are
 * reused, so that a workbook that is marked again and again does not grow.
 */
export class DerivedStyles {
  /** Whether the workbook has marked formats of these kinds, from an earlier time. */
  readonly hasOld: boolean
  private readonly table: StyleTable
  private readonly kinds: readonly MarkKind[]
  private readonly marked = new Map<string, number>()
  /** Used instead of a marked copy when the limit on formats is reached. */
  private anyMarked: number | null = null
  private readonly plain = new Map<number, number | null>()
  private readonly newFormats: string[] = []
  private readonly newFills: string[] = []
  private readonly newDifferences: string[] = []
  /** Indexes by key, built when first needed. */
  private formatIndexes: Map<string, number> | null = null
  private fillIndexes: Map<string, number> | null = null

  constructor(table: StyleTable, kinds: readonly MarkKind[]) {
    this.table = table
    this.kinds = kinds
    this.hasOld = table.fills.some((fill) => this.isMark(fill))
  }

  private isMark(fill: Fill): fill is Fill & { kind: MarkKind } {
    return fill !== null && fill.kind !== 'solid' && this.kinds.includes(fill.kind)
  }

  /** The index of the marked copy of a format. A marked format is its own copy. */
  markedOf(style: number, kind: MarkKind): number {
    const key = `${kind} ${style}`
    const known = this.marked.get(key)
    if (known !== undefined) return known
    const fill = this.fillOf(style)
    const index =
      fill?.kind === kind
        ? style
        : this.withFill(style, this.fillIndex(markFillTag(kind, fill, this.table.fillsEnd.prefix)))
    const marked = index ?? this.anyMarked ?? style
    this.marked.set(key, marked)
    this.anyMarked ??= index
    return marked
  }

  /** The index of the format that a marked one was made from; null if the format is not marked. */
  plainOf(style: number): number | null {
    const known = this.plain.get(style)
    if (known !== undefined) return known
    const fill = this.fillOf(style)
    const index = this.isMark(fill) ? this.withFill(style, this.uncovered(fill.covers)) : null
    this.plain.set(style, index)
    return index
  }

  /** The index of the look of a conditional format that has this fill. */
  differenceOf(color: string): number {
    const tag = fillDifference(color, this.table.differencesEnd.prefix)
    const known = [...this.table.differences, ...this.newDifferences].indexOf(tag)
    return known < 0 ? this.table.differences.length + this.newDifferences.push(tag) - 1 : known
  }

  /** Whether a format shows 0.5 as 50 %. */
  isPercent(style: number): boolean {
    const id = NUM_FMT_ID_ATTRIBUTE.exec(tagOf(this.formatOf(style)))?.[1]
    return this.table.percentFormats.has(Number(id ?? 0))
  }

  /** The edits that add the new formats to the styles part. */
  edits(): Edit[] {
    const { fills, formats, differences, fillsEnd, formatsEnd, differencesEnd } = this.table
    return [
      ...appended(fillsEnd, this.newFills, fills.length + this.newFills.length),
      ...appended(formatsEnd, this.newFormats, formats.length + this.newFormats.length),
      ...appended(differencesEnd, this.newDifferences, differences.length + this.newDifferences.length),
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

  /** null if Excel's limit on formats is reached. */
  private withFill(style: number, fillId: number): number | null {
    const { formats } = this.table
    this.formatIndexes ??= indexesOf(formats.map((format) => keyOf(format, fillIdOf(format))))
    const format = this.formatOf(style)
    const key = keyOf(format, fillId)
    if (formats.length + this.newFormats.length >= MAX_FORMATS) return this.formatIndexes.get(key) ?? null
    return indexOrNew(
      this.formatIndexes,
      key,
      () => formats.length + this.newFormats.push(copyWith(format, fillId)) - 1,
    )
  }
}

function indexesOf(keys: readonly string[]): Map<string, number> {
  const indexes = new Map<string, number>()
  for (const [index, key] of keys.entries()) if (!indexes.has(key)) indexes.set(key, index)
  return indexes
}

function indexOrNew(indexes: Map<string, number>, key: string, add: () => number): number {
  let index = indexes.get(key)
  if (index === undefined) indexes.set(key, (index = add()))
  return index
}

function appended({ position, count }: Place, added: readonly string[], total: number): Edit[] {
  if (added.length === 0) return []
  const edit = { start: position, end: position, text: added.join('') }
  return count === null ? [edit] : [edit, { ...count, text: String(total) }]
}

/** Equal for formats that look the same with this fill. */
const keyOf = (format: string, fillId: number): string =>
  `${fillId} ${withoutFill(format).replace(/\s+/g, ' ')}`

const fillIdOf = (format: string): number => Number(FILL_ID.exec(tagOf(format))?.[1] ?? 0)

const tagOf = (format: string): string => format.slice(0, format.indexOf('>'))

function withoutFill(format: string): string {
  const tag = tagOf(format)
  return tag.replace(FILL_ATTRIBUTES, '') + format.slice(tag.length)
}

const copyWith = (format: string, fillId: number): string =>
  withoutFill(format).replace(/^<[^\s/>]+/, (name) => `${name} fillId="${fillId}" applyFill="1"`)
