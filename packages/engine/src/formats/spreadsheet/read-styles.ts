import { openSmallPart } from '#formats/spreadsheet/open-small-part.ts'
import { elementsNamed } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'

/** What a cell format makes of a number. `Duration` counts hours beyond 24 ([h]). */
export const NumberKind = { Plain: 0, Date: 1, Time: 2, Duration: 3 } as const
export type NumberKind = (typeof NumberKind)[keyof typeof NumberKind]

/**
 * Formats known by number (ECMA-376 part 1, 18.8.30). 27–36 and 50–58 are East Asian dates, unused in western
 * Excel; 71–81 are Thai dates and times, which programs number in another order than the standard.
 */
const BUILTIN_DATES: readonly (readonly [from: number, to: number, kind: NumberKind])[] = [
  [14, 17, NumberKind.Date],
  [18, 21, NumberKind.Time],
  [22, 22, NumberKind.Date],
  [27, 31, NumberKind.Date],
  [32, 35, NumberKind.Time],
  [36, 36, NumberKind.Date],
  [45, 45, NumberKind.Time],
  [46, 46, NumberKind.Duration],
  [47, 47, NumberKind.Time],
  [50, 58, NumberKind.Date],
  [71, 81, NumberKind.Date],
]

/** What a cell format makes of numbers: always the same, or what its conditions choose for a number. */
export type NumberFormat = NumberKind | ((value: number) => NumberKind)

/** Every cell format (`s` of a cell), by index. */
export type CellStyles = readonly NumberFormat[]

/** Reads the part of the cell formats; without one there are none, and every number is plain. */
export async function readStyles(archive: ZipArchive, entry: ZipEntry | undefined): Promise<CellStyles> {
  if (entry === undefined) return []
  return parseStyles(await openSmallPart(archive, entry))
}

function parseStyles(tokens: XmlTokens): NumberFormat[] {
  const custom = new Map<number, NumberFormat>()
  const styles: NumberFormat[] = []
  for (const { tag, content } of elementsNamed(tokens, 'numFmt', 'cellXfs')) {
    if (tag.nameIs('numFmt'))
      custom.set(Number(tag.attribute('numFmtId')), formatKind(tag.attribute('formatCode') ?? ''))
    else
      for (const { tag: format } of elementsNamed(content, 'xf')) {
        const id = Number(format.attribute('numFmtId') ?? 0)
        styles.push(custom.get(id) ?? builtinKind(id))
      }
  }
  return styles
}

function builtinKind(id: number): NumberKind {
  return BUILTIN_DATES.find(([from, to]) => id >= from && id <= to)?.[2] ?? NumberKind.Plain
}

/** The longest format code in Excel. Of a longer one only the start counts. */
const MAX_FORMAT_CODE = 255
/** The fourth section of a format is for text. */
const MOST_NUMBER_SECTIONS = 3

/**
 * The first section decides, unless conditions choose another, as in `[=0]"";dd/mm/yyyy`. Quoted and escaped
 * text and colours do not count. The expressions take linear time.
 */
export function formatKind(code: string): NumberFormat {
  const bare = code.slice(0, MAX_FORMAT_CODE).replace(/"[^"]*"?|\\.|_.|\*./g, '')
  const sections = bare.split(';', MOST_NUMBER_SECTIONS)
  const first = sectionKind(sections[0])
  const condition = conditionOf(sections[0])
  if (condition === null || sections.length === 1) return first
  const [second, third = second] = sections.slice(1).map(sectionKind)
  // Without a condition, the second of three is for negative numbers.
  const secondCondition = conditionOf(sections[1]) ?? isNegative
  return (value) => (condition(value) ? first : secondCondition(value) ? second : third)
}

function sectionKind(section: string): NumberKind {
  if (/\[(?:h+|m+|s+)\]/i.test(section)) return NumberKind.Duration
  const letters = section.replace(/\[[^[\]]*\]/g, '').replace(/general|standard/gi, '')
  if (
    /[dy]/i.test(letters) ||
    /m/i.test(letters.replace(/(?<!m)m+(?=[^a-z]*s)|(?<=h[^a-z]*)m+|am\/pm/gi, ''))
  )
    return NumberKind.Date
  return /[hs]/i.test(letters) ? NumberKind.Time : NumberKind.Plain
}

type Condition = (value: number) => boolean

const isNegative: Condition = (value) => value < 0

/** The condition of a section, such as `[>=100]`; null if it has none. */
function conditionOf(section: string): Condition | null {
  const [, sign, text] = /\[(<[=>]?|>=?|=)\s*(-?[\d.]+)\]/.exec(section) ?? []
  if (sign === undefined) return null
  const bound = Number(text)
  return (value) => sign.includes(value < bound ? '<' : value > bound ? '>' : '=')
}
