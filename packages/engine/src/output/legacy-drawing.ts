import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { DRAWING_NAMESPACES } from '#formats/spreadsheet/write-notes.ts'
import { applyEdits } from '#formats/xml/edit-xml.ts'
import { isTransparent, openTags, XmlElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'
import type { Platform } from '#platform.ts'

const MC = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const VML = DRAWING_NAMESPACES.v

/** What follows a legacy drawing in a worksheet (ECMA-376 part 1, 18.3.1.99); the order is strict. */
const FOLLOWING = [
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
]

/** The id of the link to the drawing with the boxes of a sheet's notes; null if it has none. */
export async function readLegacyDrawing(archive: ZipArchive, entry: ZipEntry): Promise<string | null> {
  const window = new XmlWindow(archive.platform)
  const { tokens } = window
  let id: string | null = null
  for await (const chunk of streamPart(archive, entry)) {
    window.append(chunk)
    for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
      if (token !== XmlToken.Text && tokens.nameIs('legacyDrawing')) id ??= tokens.prefixedAttribute('id')
    }
  }
  return id
}

/**
 * What follows the rows of a worksheet, with a link to the drawing of the notes added if it has none. Strict
 * worksheets have no such element; there it goes into an alternative for programs that know VML, as Excel
 * does.
 */
export function* placeLegacyDrawing(
  tail: Uint8Array,
  { drawingId, namespace, isStrict }: { drawingId: string; namespace: string; isStrict: boolean },
  platform: Platform,
): Generator<Uint8Array> {
  const place = findPlace(new XmlTokens(platform, tail))
  if (place === null) return yield tail
  const link = `<${place.prefix}legacyDrawing xmlns:r="${namespace}" r:id="${drawingId}"/>`
  const text = isStrict
    ? `<mc:AlternateContent xmlns:mc="${MC}"><mc:Choice xmlns:v="${VML}" Requires="v">` +
      `${link}</mc:Choice></mc:AlternateContent>`
    : link
  yield* applyEdits(tail, [{ start: place.position, end: place.position, text }], platform)
}

/** The place before the first element that must follow, else the end; null if there is a legacy drawing. */
function findPlace(tokens: XmlTokens): { position: number; prefix: string } | null {
  let place: number | null = null
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Close && tokens.nameIs('worksheet'))
      return { position: place ?? tokens.start, prefix: tokens.prefix() }
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    const outer = new XmlElement(tokens, token)
    const { whole } = outer
    for (const inner of openTags(whole)) {
      if (whole.nameIs('legacyDrawing')) return null
      // The children of what only wraps alternatives count as those of the sheet.
      if (inner === XmlToken.Open && (isTransparent(whole) || whole.nameIs('Choice'))) continue
      if (FOLLOWING.some((name) => whole.nameIs(name))) place ??= outer.start
      whole.position = new XmlElement(whole, inner).end
    }
    tokens.position = outer.end
  }
  return place === null ? null : { position: place, prefix: '' }
}
