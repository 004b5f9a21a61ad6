import type { Platform } from '#platform.ts'
import { workbookProblems } from '#source/xlsx/workbook-problems.ts'
import { XmlToken, XmlTokens, xmlName } from '#source/xlsx/xml-tokens.ts'
import { appendTo, applyEdits } from '#output/edit-xml.ts'
import { CONTENT_TYPES } from '#output/workbook-parts.ts'
import { escapeXml } from '#output/xml-output.ts'

const TYPES = xmlName('Types')
const DEFAULT = xmlName('Default')
const EXTENSION = xmlName('Extension')

/** What every workbook with notes needs; some writers name the type of each part instead. */
const NEEDED_DEFAULTS = { rels: CONTENT_TYPES.relationships, vml: CONTENT_TYPES.vml }

/** `[Content_Types].xml` with links, notes' drawings and the given parts added. */
export function* addContentTypes(
  bytes: Uint8Array,
  parts: readonly { name: string; type: string }[],
  platform: Platform,
): Generator<Uint8Array> {
  const missing = Object.entries(NEEDED_DEFAULTS).filter(([extension]) => !hasDefault(bytes, extension, platform))
  const edit = appendTo(
    bytes,
    TYPES,
    (prefix) =>
      missing.map(([extension, type]) => `<${prefix}Default Extension="${extension}" ContentType="${type}"/>`).join('') +
      parts.map(({ name, type }) => `<${prefix}Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`).join(''),
    platform,
  )
  if (edit === null) throw workbookProblems.damaged('its list of content types is malformed')
  yield* applyEdits(bytes, [edit], platform)
}

function hasDefault(bytes: Uint8Array, extension: string, platform: Platform): boolean {
  const tokens = new XmlTokens(platform, bytes)
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    const isTag = token === XmlToken.Open || token === XmlToken.Empty
    if (isTag && tokens.nameIs(DEFAULT) && tokens.attribute(EXTENSION)?.toLowerCase() === extension) return true
  }
  return false
}
