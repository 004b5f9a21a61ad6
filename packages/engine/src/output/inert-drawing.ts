import { attributeEdit, type Edit } from '#formats/xml/edit-xml.ts'
import { workbookProblems } from '#formats/workbook-problems.ts'
import { XmlToken, type XmlTokens, xmlName } from '#formats/xml/xml-tokens.ts'
import { leftOutElement } from '#output/leave-out.ts'
import type { LeftOut } from '#output/left-out.ts'

const LINKS = ['hlinkClick', 'hlinkHover', 'hlinkMouseOver'].map(xmlName)
const EXTENSIONS = xmlName('extLst')
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
].map(xmlName)
const EMBED = xmlName('embed')
const LINK = xmlName('link')
const MACRO = xmlName('macro')
const TEXT_LINK = xmlName('textlink')

/**
 * The edits that remove from a drawing all but pictures and shapes: charts, controls, external pictures,
 * links and macros. `pictures` are the ids of the links to copied pictures.
 */
export function inertDrawing(tokens: XmlTokens, pictures: ReadonlySet<string>, leftOut: LeftOut): Edit[] {
  const edits: Edit[] = []
  let isRoot = true
  for (let token = tokens.next(); token !== XmlToken.More; token = tokens.next()) {
    if (token !== XmlToken.Open && token !== XmlToken.Empty) continue
    if (isRoot) isRoot = false
    else edits.push(...inertAnchor(tokens, token, pictures, leftOut))
  }
  return edits
}

/** The edits of one child of the drawing, whose first tag was just read. */
function inertAnchor(
  tokens: XmlTokens,
  first: XmlToken,
  pictures: ReadonlySet<string>,
  leftOut: LeftOut,
): Edit[] {
  const { start } = tokens
  const edits: Edit[] = []
  let isForeign = false
  let depth = 0
  for (let token = first; ; token = tokens.next()) {
    if (token === XmlToken.More) throw workbookProblems.malformed()
    if (token === XmlToken.Close) depth--
    else if (token === XmlToken.Open || token === XmlToken.Empty) {
      if (FOREIGN.some((name) => tokens.nameIs(name))) isForeign = true
      if (isPictureMissing(tokens, pictures)) isForeign = true
      const isLink = LINKS.some((name) => tokens.nameIs(name))
      if (isLink) leftOut.add('links')
      if (isLink || tokens.nameIs(EXTENSIONS)) edits.push(leftOutElement(tokens, token))
      else {
        edits.push(...blanked(tokens, leftOut))
        if (token === XmlToken.Open) depth++
      }
    }
    if (depth === 0) break
  }
  if (!isForeign) return edits
  leftOut.add('others')
  return [{ start, end: tokens.position, text: '' }]
}

function isPictureMissing(tokens: XmlTokens, pictures: ReadonlySet<string>): boolean {
  const embedded = tokens.prefixedAttribute(EMBED)
  if (embedded !== null && embedded !== '' && !pictures.has(embedded)) return true
  return (tokens.prefixedAttribute(LINK) ?? '') !== ''
}

/** Removes the macro that a click runs, and the reference to the cell whose text a shape shows. */
function blanked(tokens: XmlTokens, leftOut: LeftOut): Edit[] {
  return [MACRO, TEXT_LINK].flatMap((name) => {
    if ((tokens.attribute(name) ?? '') === '') return []
    leftOut.add(name === MACRO ? 'macros' : 'others')
    return [attributeEdit(tokens, name, '', '')]
  })
}
