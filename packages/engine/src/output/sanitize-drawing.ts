import { attributeEdit, type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
import { elementsNamed, firstNamed, openTags, type XmlElement } from '#formats/xml/xml-elements.ts'
import type { XmlTokens } from '#formats/xml/xml-tokens.ts'
import type { LeftOut } from '#output/left-out.ts'

const LINKS = ['hlinkClick', 'hlinkHover', 'hlinkMouseOver']
/** Everything that contains one of these is left out: charts, controls, diagrams, sounds and films. */
const FOREIGN = [
  'graphicFrame',
  'contentPart',
  'AlternateContent',
  'audioCd',
  'wavAudioFile',
  'audioFile',
  'videoFile',
  'quickTimeFile',
]

/**
 * The edits that remove from a drawing all but pictures and shapes: charts, controls, external pictures,
 * links and macros. `pictures` are the ids of the links to copied pictures.
 */
export function sanitizeDrawing(tokens: XmlTokens, pictures: ReadonlySet<string>, leftOut: LeftOut): Edit[] {
  const edits: Edit[] = []
  for (const anchor of elementsNamed(firstNamed(tokens)?.content ?? tokens))
    edits.push(...sanitizeAnchor(anchor, pictures, leftOut))
  return edits
}

/** The edits of one child of the drawing. */
function sanitizeAnchor(anchor: XmlElement, pictures: ReadonlySet<string>, leftOut: LeftOut): Edit[] {
  const edits: Edit[] = []
  const { whole: tokens } = anchor
  let isForeign = false
  for (const token of openTags(tokens)) {
    if (FOREIGN.some((name) => tokens.nameIs(name)) || isPictureMissing(tokens, pictures)) isForeign = true
    const isLink = LINKS.some((name) => tokens.nameIs(name))
    if (isLink) leftOut.add('links')
    if (isLink || tokens.nameIs('extLst')) edits.push(elementRemoval(tokens, token))
    else edits.push(...blanked(tokens, leftOut))
  }
  if (!isForeign) return edits
  leftOut.add('others')
  return [removal(anchor)]
}

function isPictureMissing(tokens: XmlTokens, pictures: ReadonlySet<string>): boolean {
  const embedded = tokens.prefixedAttribute('embed')
  if (embedded !== null && embedded !== '' && !pictures.has(embedded)) return true
  return (tokens.prefixedAttribute('link') ?? '') !== ''
}

/** Removes the macro that a click runs, and the reference to the cell whose text a shape shows. */
function blanked(tokens: XmlTokens, leftOut: LeftOut): Edit[] {
  return ['macro', 'textlink'].flatMap((name) => {
    if ((tokens.attribute(name) ?? '') === '') return []
    leftOut.add(name === 'macro' ? 'macros' : 'others')
    return [attributeEdit(tokens, name, '')]
  })
}
