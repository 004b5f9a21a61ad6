import { attributeEdit, attributeRemoval, type Edit, elementRemoval, removal } from '#formats/xml/edit-xml.ts'
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

/** Leaves out charts, controls, external pictures, links and macros. `pictures`: ids of links to keep. */
export function sanitizeDrawing(tokens: XmlTokens, pictures: ReadonlySet<string>, leftOut: LeftOut): Edit[] {
  const edits: Edit[] = []
  for (const anchor of elementsNamed(firstNamed(tokens)?.content ?? tokens))
    edits.push(...sanitizeAnchor(anchor, pictures, leftOut))
  return edits
}

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

/** The elements with formulas of a table's columns, and with the source of its data. */
const LEFT_OUT = ['calculatedColumnFormula', 'totalsRowFormula', 'xmlColumnPr', 'extLst']
const SOURCE_ATTRIBUTES = ['tableType', 'connectionId']
const COLUMN_ATTRIBUTES = ['queryTableFieldId', 'totalsRowFunction']

/** The edits that remove formulas and the data source from a table; its appearance stays. */
export function sanitizeTable(tokens: XmlTokens): Edit[] {
  const edits: Edit[] = []
  const remove = (name: string) => edits.push(...attributeRemoval(tokens, name))
  for (const token of openTags(tokens)) {
    if (LEFT_OUT.some((name) => tokens.nameIs(name))) edits.push(elementRemoval(tokens, token))
    else if (tokens.nameIs('table')) SOURCE_ATTRIBUTES.forEach(remove)
    else if (tokens.nameIs('tableColumn')) COLUMN_ATTRIBUTES.forEach(remove)
  }
  return edits
}

/** The edits that remove extensions from the threads on cells: they contain the links of the texts. */
export const sanitizeThreads = (tokens: XmlTokens): Edit[] =>
  [...elementsNamed(tokens, 'extLst')].map(removal)
