import { CONTENT_TYPES } from '#formats/spreadsheet/workbook-parts.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { appendTo, applyEdits, removeElements } from '#formats/xml/edit-xml.ts'
import { escapeXml } from '#formats/xml/write-xml.ts'
import { XmlToken, XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import type { Platform } from '#platform.ts'

const TYPES = xmlName('Types')
const DEFAULT = xmlName('Default')
const OVERRIDE = xmlName('Override')
const PART_NAME = xmlName('PartName')
const EXTENSION = xmlName('Extension')

/** What every workbook with notes needs. Some writers list the type of each part instead. */
const NEEDED_DEFAULTS = { rels: CONTENT_TYPES.relationships, vml: CONTENT_TYPES.vml }

/**
 * `[Content_Types].xml` with the types of links, of drawings of notes and of the given parts added, and
 * without the types of dropped parts.
 */
export function* addContentTypes(
  bytes: Uint8Array,
  parts: readonly { name: string; type: string }[],
  platform: Platform,
  isDropped: (part: string) => boolean = () => false,
): Generator<Uint8Array> {
  const { defaults, overrides } = readTypes(bytes, platform)
  const missing = Object.entries(NEEDED_DEFAULTS).filter(([extension]) => !defaults.has(extension))
  const untyped = parts.filter(({ name }) => !overrides.has(`/${name}`.toLowerCase()))
  const edit = appendTo(
    bytes,
    TYPES,
    (prefix) =>
      missing
        .map(([extension, type]) => `<${prefix}Default Extension="${extension}" ContentType="${type}"/>`)
        .join('') +
      untyped
        .map(({ name, type }) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`)
        .join(''),
    platform,
  )
  if (edit === null) throw workbookProblems.damaged('its list of content types is malformed')
  const removals = removeElements(
    bytes,
    OVERRIDE,
    (tokens) => isDropped((tokens.attribute(PART_NAME) ?? '').slice(1)),
    platform,
  )
  yield* applyEdits(bytes, [...removals, edit], platform)
}

/**
 * The extensions and the part names that have a type, in lower case. Some writers list parts that do not
 * exist.
 */
function readTypes(
  bytes: Uint8Array,
  platform: Platform,
): { defaults: ReadonlySet<string>; overrides: ReadonlySet<string> } {
  const tokens = new XmlTokens(platform, bytes)
  const defaults = new Set<string>()
  const overrides = new Set<string>()
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    if (tokens.nameIs(DEFAULT)) defaults.add((tokens.attribute(EXTENSION) ?? '').toLowerCase())
    else if (tokens.nameIs(OVERRIDE)) overrides.add((tokens.attribute(PART_NAME) ?? '').toLowerCase())
  }
  return { defaults, overrides }
}
