import { worksheetBounds } from '@veridict/contract/limits'
import { livingTexts } from '@veridict/contract/messages/template-file'
import { columnIndex } from '@veridict/contract/notation/column-letter'
import { streamPart } from '#formats/spreadsheet/read-part.ts'
import { DRAWING_NAMESPACES } from '#formats/spreadsheet/write-notes.ts'
import { appendTo, applyEdits, attributeEdit, type Edit, edited, removal } from '#formats/xml/edit-xml.ts'
import { elementsNamed, firstNamed, isTransparent, openTags, XmlElement } from '#formats/xml/xml-elements.ts'
import { XmlToken, XmlTokens } from '#formats/xml/xml-tokens.ts'
import { XmlWindow } from '#formats/xml/xml-window.ts'
import type { ZipArchive } from '#formats/zip/zip-archive.ts'
import type { ZipEntry } from '#formats/zip/zip-directory.ts'
import { dataValidations, type LivingColumn, SIGNATURE } from '#formulas/living-columns.ts'
import type { Platform } from '#platform.ts'

const MC = 'http://schemas.openxmlformats.org/markup-compatibility/2006'
const VML = DRAWING_NAMESPACES.v

/** What follows the rows of a worksheet (ECMA-376 part 1, 18.3.1.99); the order is strict. */
const ORDER = (
  'conditionalFormatting dataValidations hyperlinks printOptions pageMargins pageSetup headerFooter ' +
  'rowBreaks colBreaks customProperties cellWatches ignoredErrors smartTags drawing legacyDrawing ' +
  'legacyDrawingHF drawingHF picture oleObjects controls webPublishItems tableParts extLst'
).split(' ')

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
 * Adds a link to the notes' drawing if there is none. A strict worksheet has no such element; there it goes
 * into an alternative for programs that know VML, as Excel does.
 */
export function* placeLegacyDrawing(
  tail: Uint8Array,
  { drawingId, namespace, isStrict }: { drawingId: string; namespace: string; isStrict: boolean },
  platform: Platform,
): Generator<Uint8Array> {
  const tokens = new XmlTokens(platform, tail)
  if (openTags(tokens).some(() => tokens.nameIs('legacyDrawing'))) return yield tail
  const place = findPlace(new XmlTokens(platform, tail), 'legacyDrawingHF')
  const link = `<${place.prefix}legacyDrawing xmlns:r="${namespace}" r:id="${drawingId}"/>`
  const text = isStrict
    ? `<mc:AlternateContent xmlns:mc="${MC}"><mc:Choice xmlns:v="${VML}" Requires="v">` +
      `${link}</mc:Choice></mc:AlternateContent>`
    : link
  yield* applyEdits(tail, [{ start: place.position, end: place.position, text }], platform)
}

/** The place before the first element that is `next` or must follow it, else the end. */
function findPlace(tokens: XmlTokens, next: string): { position: number; prefix: string } {
  const following = ORDER.slice(ORDER.indexOf(next))
  let place: number | null = null
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token === XmlToken.Close && tokens.nameIs('worksheet'))
      return { position: place ?? tokens.start, prefix: tokens.prefix() }
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    const outer = new XmlElement(tokens, token)
    const { whole } = outer
    for (const inner of openTags(whole)) {
      // The children of what only wraps alternatives count as those of the sheet.
      if (inner === XmlToken.Open && (isTransparent(whole) || whole.nameIs('Choice'))) continue
      if (following.some((name) => whole.nameIs(name))) place ??= outer.start
      whole.position = new XmlElement(whole, inner).end
    }
    tokens.position = outer.end
  }
  return { position: place ?? tokens.end, prefix: '' }
}

/** Our conditional formats come first; our rules for input go to columns that have none of their own. */
export function placeRules(
  tail: Uint8Array,
  columns: readonly LivingColumn[],
  formats: readonly string[],
  namespace: string,
  platform: Platform,
): Uint8Array {
  if (columns.length === 0) return tail
  const tokens = () => new XmlTokens(platform, tail)
  const formatsPlace = findPlace(tokens(), 'conditionalFormatting')
  const rulesPlace = findPlace(tokens(), 'hyperlinks')
  const declared = rulesPlace.prefix === '' ? '' : ` xmlns="${namespace}"`
  const written = (tags: readonly string[]) =>
    tags.map((tag) => tag.replace(/^<\w+/, `$&${declared}`)).join('')
  const edits: Edit[] = [{ start: formatsPlace.position, end: formatsPlace.position, text: written(formats) }]
  for (const { tag } of elementsNamed(tokens(), 'cfRule'))
    edits.push(attributeEdit(tag, 'priority', Number(tag.attribute('priority') ?? 0) + formats.length))
  let count = 0
  const taken = new Uint8Array(worksheetBounds.maxColumns)
  for (const { tag } of elementsNamed(tokens(), 'dataValidation')) {
    count++
    for (const area of (tag.attribute('sqref') ?? '').split(' ')) {
      const [first, last = first] = area.split(':').map((cell) => columnIndex(/^[A-Z]*/.exec(cell)![0]))
      // Without letters it is one of whole rows.
      taken.fill(1, Math.max(first, 0), last < 0 ? undefined : last + 1)
    }
  }
  const rules = dataValidations(columns.filter(({ letter }) => taken[columnIndex(letter)] === 0))
  if (rules.length === 0) return edited(tail, edits, platform)
  const list = firstNamed(tokens(), 'dataValidations')
  const text = `<dataValidations${declared} count="${rules.length}">${written(rules)}</dataValidations>`
  if (list === null) edits.push({ start: rulesPlace.position, end: rulesPlace.position, text })
  else
    edits.push(
      attributeEdit(list.tag, 'count', count + rules.length),
      appendTo(tail, 'dataValidations', () => written(rules), platform)!,
    )
  return edited(tail, edits, platform)
}

/** Without our rules of an earlier time. */
export function withoutOurRules(tail: Uint8Array, platform: Platform): Uint8Array {
  const edits: Edit[] = []
  const tokens = new XmlTokens(platform, tail)
  for (const list of elementsNamed(tokens, 'conditionalFormatting', 'dataValidations')) {
    const rules = Array.from(elementsNamed(list.content, 'cfRule', 'dataValidation'), (rule) => ({
      start: rule.start,
      end: rule.end,
      isOurs: rule.tag.attribute('errorTitle') === livingTexts.title || rule.text.includes(SIGNATURE),
    }))
    const ours = rules.filter(({ isOurs }) => isOurs)
    const rest = rules.length - ours.length
    edits.push(...(ours.length > 0 && rest === 0 ? [list] : ours).map(removal))
    if (ours.length > 0 && rest > 0 && list.tag.findAttribute('count'))
      edits.push(attributeEdit(list.tag, 'count', rest))
  }
  return edited(tail, edits, platform)
}
