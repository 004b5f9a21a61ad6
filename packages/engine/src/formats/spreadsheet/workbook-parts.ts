import { worksheetBounds } from '@veridict/contract/limits'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import { badFillTag } from '#output/bad-fill.ts'
import { NumberFormat, styleSheetPart } from '#formats/spreadsheet/style-sheet.ts'
import { escapeXml, MAIN_NAMESPACE, XML_HEADER } from '#formats/xml/write-xml.ts'

/** The fixed parts of workbooks that we write from scratch. */

export const RELATIONSHIPS_NAMESPACE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
/**
 * What the namespaces of a strict workbook begin with, where ours are transitional (ECMA-376 part 1, annex A,
 * and part 4).
 */
export const STRICT_NAMESPACE = 'http://purl.oclc.org/ooxml'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Content types by what a part holds. */
export const CONTENT_TYPES = {
  relationships: 'application/vnd.openxmlformats-package.relationships+xml',
  comments: `${SPREADSHEET_TYPE}.comments+xml`,
  styles: `${SPREADSHEET_TYPE}.styles+xml`,
  vml: 'application/vnd.openxmlformats-officedocument.vmlDrawing',
} as const

/** Rows of a worksheet. */
export const MAX_SHEET_ROWS = worksheetBounds.maxRows

/**
 * Cell formats of our own workbooks, by index in `stylesPart`. All but the first are text, so that what is
 * typed stays text.
 */
export const CellStyle = { Plain: 0, Text: 1, Bad: 2, Heading: 3, Wrapped: 4, BadHeading: 5 } as const

/** A hidden sheet is not read, and not shown until somebody asks for it. */
export type SheetPlan = { readonly name: string; readonly notes: boolean; readonly hidden?: boolean }

/** `_rels/.rels`: where the workbook is. */
export const packageRelationships = `${XML_HEADER}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONSHIPS_NAMESPACE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

/** `[Content_Types].xml`. */
export function contentTypes(sheets: readonly SheetPlan[]): string {
  const override = (part: string, type: string) => `<Override PartName="${part}" ContentType="${type}"/>`
  const overrides = sheets.flatMap(({ notes }, index) => [
    override(`/xl/worksheets/sheet${index + 1}.xml`, `${SPREADSHEET_TYPE}.worksheet+xml`),
    ...(notes ? [override(`/xl/comments${index + 1}.xml`, CONTENT_TYPES.comments)] : []),
  ])
  return (
    `${XML_HEADER}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="${CONTENT_TYPES.relationships}"/>` +
    `<Default Extension="xml" ContentType="application/xml"/><Default Extension="vml" ContentType="${CONTENT_TYPES.vml}"/>` +
    override('/xl/workbook.xml', `${SPREADSHEET_TYPE}.sheet.main+xml`) +
    override('/xl/styles.xml', CONTENT_TYPES.styles) +
    `${overrides.join('')}</Types>`
  )
}

/** `xl/workbook.xml`: the sheets in order. */
export function workbookPart(sheets: readonly SheetPlan[]): string {
  const tags = sheets.map(({ name, hidden }, index) => {
    const state = hidden ? ' state="hidden"' : ''
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}"${state} r:id="rId${index + 1}"/>`
  })
  return `${XML_HEADER}<workbook xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}"><bookViews><workbookView/></bookViews><sheets>${tags.join('')}</sheets></workbook>`
}

/** `xl/_rels/workbook.xml.rels`: where sheets and styles are. */
export function workbookRelationships(sheets: readonly SheetPlan[]): string {
  const links = sheets.map((_, index) =>
    relationship(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`),
  )
  links.push(relationship(`rId${sheets.length + 1}`, 'styles', 'styles.xml'))
  return linksPart(links)
}

/** `xl/worksheets/_rels/sheet<index>.xml.rels` of a sheet that has notes. `index` counts from 1. */
export function noteRelationships(index: number): string {
  return linksPart([
    relationship('rId1', 'comments', `../comments${index}.xml`),
    relationship('rId2', 'vmlDrawing', `../drawings/vmlDrawing${index}.vml`),
  ])
}

function linksPart(links: readonly string[]): string {
  return `${XML_HEADER}<Relationships xmlns="${PACKAGE}/relationships">${links.join('')}</Relationships>`
}

/** A part of links that has none yet. */
export const emptyRelationships = linksPart([])

/** A link, as an element of such a part. */
export const relationship = (id: string, type: string, target: string, namespace = RELATIONSHIPS_NAMESPACE) =>
  `<Relationship Id="${id}" Type="${namespace}/${type}" Target="${target}"/>`

const CALIBRI = '<sz val="11"/><name val="Calibri"/><family val="2"/>'
const [BOLD, BAD] = [1, 2]
const text = { numberFormat: NumberFormat.Text }

/** `xl/styles.xml`, with the formats of `CellStyle`. */
export const stylesPart = styleSheetPart({
  fonts: [CALIBRI, `<b/>${CALIBRI}`],
  fills: [badFillTag(null)],
  formats: [
    {},
    text,
    { ...text, fill: BAD },
    { ...text, font: BOLD },
    { ...text, alignment: 'vertical="top" wrapText="1"' },
    { ...text, font: BOLD, fill: BAD },
  ],
})

/**
 * What stands before the rows: the first row frozen, columns of the given widths (in characters) and formats.
 */
export function sheetStart(
  widths: readonly number[],
  formatOf: (column: number) => number = () => CellStyle.Text,
): string {
  return (
    WORKSHEET_START +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>' +
    `<selection pane="bottomLeft"/></sheetView></sheetViews>${beforeRows(widths, formatOf)}`
  )
}

/**
 * The same for a sheet that is there to be read: nothing is frozen, there is no grid, and it prints one page
 * wide.
 */
export function readingSheetStart(widths: readonly number[]): string {
  return (
    `${WORKSHEET_START}<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>` +
    `<sheetViews><sheetView showGridLines="0" workbookViewId="0"/></sheetViews>${beforeRows(widths, () => CellStyle.Text)}`
  )
}

/** What goes with it where data validations belong. */
export const READING_PAGE = '<pageSetup orientation="landscape" fitToHeight="0"/>'

const WORKSHEET_START = `${XML_HEADER}<worksheet xmlns="${MAIN_NAMESPACE}" xmlns:r="${RELATIONSHIPS_NAMESPACE}">`

function beforeRows(widths: readonly number[], formatOf: (column: number) => number): string {
  const columns = widths.map(
    (width, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${width}" style="${formatOf(index)}" customWidth="1"/>`,
  )
  return `<sheetFormatPr defaultRowHeight="15"/>${columns.length > 0 ? `<cols>${columns.join('')}</cols>` : ''}<sheetData>`
}

/**
 * What stands behind the rows. `area` is the range of all cells; `extra` goes where data validations belong.
 */
export function sheetEnd({
  area,
  filter,
  extra = '',
  notes = false,
}: {
  area: string
  filter: boolean
  extra?: string
  notes?: boolean
}): string {
  return (
    `</sheetData>${filter ? `<autoFilter ref="${area}"/>` : ''}${extra}` +
    `<ignoredErrors><ignoredError sqref="${area}" numberStoredAsText="1"/></ignoredErrors>` +
    `${notes ? '<legacyDrawing r:id="rId2"/>' : ''}</worksheet>`
  )
}

/** The range from A1 on that has so many columns and rows, at least one of each. */
export const areaOf = (columns: number, rows: number) =>
  `A1:${columnLetter(Math.max(1, columns) - 1)}${Math.max(1, rows)}`
