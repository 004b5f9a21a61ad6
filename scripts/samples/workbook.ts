import { columnLetter } from '@veridict/contract/notation/column-letter'
import { strToU8, zipSync } from 'fflate'

/** A cell as a spreadsheet keeps it: text, a number as written, or a day as its serial number. */
export type Cell = { text: string } | { number: string } | { day: number } | null

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-'
const SHEET_TYPE = `${CONTENT}officedocument.spreadsheetml`
/** A fixed day, so that the same cells always give the same bytes. fflate takes it in local time. */
const FIRST_OF_2026 = new Date(2026, 0, 1)

/**
 * A workbook with one sheet as a spreadsheet program would save it: a bold header, days as days, numbers as
 * numbers.
 */
export function workbook(sheetName: string, rows: readonly (readonly Cell[])[]): Buffer {
  const files = { ...partsBesideSheet(sheetName), 'xl/worksheets/sheet1.xml': xmlPart(sheetXml(rows)) }
  return Buffer.from(zipSync(files, { level: 9, mtime: FIRST_OF_2026 }))
}

export const xmlPart = (xml: string): Uint8Array =>
  strToU8(`<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`)

const override = (part: string, type: string) =>
  `<Override PartName="${part}" ContentType="${SHEET_TYPE}.${type}+xml"/>`
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
const links = (...tags: string[]) =>
  `<Relationships xmlns="${PACKAGE}/relationships">${tags.join('')}</Relationships>`

/** Style 0 plain, 1 the header, 2 a day (`DAY_STYLE`) shown as dd/mm/yyyy. */
const STYLES =
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>' +
  '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'

export const DAY_STYLE = 2

/** The parts of a workbook with one sheet beside that sheet and, if it has them, its shared strings. */
export const partsBesideSheet = (name: string, hasStrings = false): Record<string, Uint8Array> => ({
  '[Content_Types].xml': xmlPart(
    `<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="${CONTENT}package.relationships+xml"/>` +
      override('/xl/workbook.xml', 'sheet.main') +
      override('/xl/worksheets/sheet1.xml', 'worksheet') +
      override('/xl/styles.xml', 'styles') +
      `${hasStrings ? override('/xl/sharedStrings.xml', 'sharedStrings') : ''}</Types>`,
  ),
  '_rels/.rels': xmlPart(links(link('rId1', 'officeDocument', 'xl/workbook.xml'))),
  'xl/_rels/workbook.xml.rels': xmlPart(
    links(
      link('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      link('rId2', 'styles', 'styles.xml'),
      hasStrings ? link('rId3', 'sharedStrings', 'sharedStrings.xml') : '',
    ),
  ),
  'xl/styles.xml': xmlPart(`<styleSheet xmlns="${MAIN}">${STYLES}</styleSheet>`),
  'xl/workbook.xml': xmlPart(
    `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
      `<sheets><sheet name="${name}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ),
})

const sheetXml = (rows: readonly (readonly Cell[])[]) =>
  `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
  `<cols><col min="1" max="${rows[0].length}" width="18" customWidth="1"/></cols>` +
  `<sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`

function rowXml(cells: readonly Cell[], index: number): string {
  const tags = cells.map((cell, column) => cellXml(cell, `${columnLetter(column)}${index + 1}`, index === 0))
  return `<row r="${index + 1}">${tags.join('')}</row>`
}

function cellXml(cell: Cell, address: string, isHeader: boolean): string {
  if (cell === null) return ''
  if ('number' in cell) return `<c r="${address}"><v>${cell.number}</v></c>`
  if ('day' in cell) return `<c r="${address}" s="${DAY_STYLE}"><v>${cell.day}</v></c>`
  const text = cell.text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const style = isHeader ? ' s="1"' : ''
  return `<c r="${address}"${style} t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`
}
