import types from '#formats/spreadsheet/content-types.json' with { type: 'json' }
import { escapeXml, XML_HEADER } from '#formats/xml/write-xml.ts'

/** The namespace of workbooks, sheets and styles (ECMA-376 part 1, transitional). */
export const MAIN_NAMESPACE = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
export const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/** How the namespaces of a strict workbook begin (ECMA-376 part 1, annex A). */
export const STRICT_NAMESPACE = 'http://purl.oclc.org/ooxml'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'

export const CONTENT_TYPES = types.parts

/** Content types by the endings of pictures; a picture of another kind is not copied. */
export const PICTURE_TYPES: Readonly<Record<string, string>> = types.pictures

/** What the workbook's own parts need to know of a sheet. */
export type SheetEntry = {
  readonly name: string
  readonly hasNotes: boolean
  readonly isHidden: boolean
  readonly opensFirst: boolean
}

/** `_rels/.rels`: the path of the workbook. */
export const packageRelationships = linksPart([
  { id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' },
])

/** `[Content_Types].xml`. */
export function contentTypes(sheets: readonly SheetEntry[]): string {
  const ofSheets = sheets.flatMap(({ hasNotes }, index) => [
    { name: `xl/worksheets/sheet${index + 1}.xml`, type: CONTENT_TYPES.worksheet },
    ...(hasNotes ? [{ name: `xl/comments${index + 1}.xml`, type: CONTENT_TYPES.comments }] : []),
  ])
  return contentTypesPart([
    { name: 'xl/workbook.xml', type: CONTENT_TYPES.workbook },
    { name: 'xl/styles.xml', type: CONTENT_TYPES.styles },
    ...ofSheets,
  ])
}

/** `[Content_Types].xml` of any parts; links need not be among them. */
export function contentTypesPart(parts: readonly { name: string; type: string }[]): string {
  const defaults = new Map<string, string>([
    ['rels', CONTENT_TYPES.relationships],
    ['xml', 'application/xml'],
    ['vml', CONTENT_TYPES.notesDrawing],
  ])
  const overrides: string[] = []
  for (const { name, type } of parts) {
    const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
    if (PICTURE_TYPES[ending] === type) defaults.set(ending, type)
    if (defaults.get(ending) !== type)
      overrides.push(`<Override PartName="/${escapeXml(name)}" ContentType="${type}"/>`)
  }
  const tags = [...defaults].map(([ending, type]) => `<Default Extension="${ending}" ContentType="${type}"/>`)
  return `${XML_HEADER}<Types xmlns="${PACKAGE}/content-types">${tags.join('')}${overrides.join('')}</Types>`
}

/** `xl/workbook.xml`: the sheets in order. */
export function workbookPart(sheets: readonly SheetEntry[]): string {
  const tags = sheets.map(({ name, isHidden }, index) => {
    const state = isHidden ? ' state="hidden"' : ''
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`
  })
  const first = sheets.findIndex(({ opensFirst }) => opensFirst)
  const active = first > 0 ? ` activeTab="${first}"` : ''
  return (
    `${XML_HEADER}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}">` +
    `<bookViews><workbookView${active}/></bookViews><sheets>${tags.join('')}</sheets></workbook>`
  )
}

/** `xl/_rels/workbook.xml.rels`: the paths of sheets and styles. */
export function workbookRelationships(sheets: readonly SheetEntry[]): string {
  const links = sheets.map((_, index) => ({
    id: `rId${index + 1}`,
    type: 'worksheet',
    target: `worksheets/sheet${index + 1}.xml`,
  }))
  return linksPart([...links, { id: `rId${sheets.length + 1}`, type: 'styles', target: 'styles.xml' }])
}

/** The id of the link from a sheet to the drawing of its notes. */
export const NOTES_DRAWING_ID = 'rId2'

/** `xl/worksheets/_rels/sheet<position>.xml.rels` of a sheet with notes. `position` counts from 1. */
export function noteRelationships(position: number): string {
  return linksPart([
    { id: 'rId1', type: 'comments', target: `../comments${position}.xml` },
    { id: NOTES_DRAWING_ID, type: 'vmlDrawing', target: `../drawings/vmlDrawing${position}.vml` },
  ])
}

/** A link from one part to another; without a namespace, that of transitional workbooks. */
type Link = {
  readonly id: string
  readonly type: string
  readonly target: string
  readonly namespace?: string
}

export function linksPart(links: readonly Link[]): string {
  const tags = links.map(({ id, type, target, namespace = RELATIONSHIPS_NAMESPACE }) => {
    const link = [id, `${namespace}/${type}`, target].map(escapeXml)
    return `<Relationship Id="${link[0]}" Type="${link[1]}" Target="${link[2]}"/>`
  })
  return `${XML_HEADER}<Relationships xmlns="${PACKAGE}/relationships">${tags.join('')}</Relationships>`
}
