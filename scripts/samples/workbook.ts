import { columnLetter } from '@veridict/contract/notation/column-letter'
import { zip } from './zip.ts'

/** What a spreadsheet keeps in a cell: text, a number as written, or a day as its serial number. */
export type Cell = { text: string } | { number: string } | { day: number } | null

/**
 * A workbook with one sheet as a spreadsheet program would save it: a bold header, days as days, numbers as
 * numbers.
 */
export function workbook(sheetName: string, rows: readonly (readonly Cell[])[]): Buffer {
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const packageOf = 'http://schemas.openxmlformats.org/package/2006'
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
  return zip({
    '[Content_Types].xml': part(
      `<Types xmlns="${packageOf}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>` +
        `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/>` +
        `<Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    ),
    '_rels/.rels': part(
      `<Relationships xmlns="${packageOf}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/workbook.xml': part(
      `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="${sheetName}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': part(
      `<Relationships xmlns="${packageOf}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/>` +
        `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
    'xl/styles.xml': part(`<styleSheet xmlns="${main}">${STYLES}</styleSheet>`),
    'xl/worksheets/sheet1.xml': part(
      `<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
        `<cols><col min="1" max="${rows[0].length}" width="18" customWidth="1"/></cols><sheetData>${rows.map(rowXml).join('')}</sheetData></worksheet>`,
    ),
  })
}

/** Style 0 plain, 1 the header, 2 a day shown as dd/mm/yyyy. */
const STYLES =
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>'

const part = (xml: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${xml}`
const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const rowXml = (cells: readonly Cell[], index: number) =>
  `<row r="${index + 1}">${cells.map((cell, column) => cellXml(cell, `${columnLetter(column)}${index + 1}`, index === 0)).join('')}</row>`

function cellXml(cell: Cell, address: string, isHeader: boolean): string {
  if (cell === null) return ''
  if ('number' in cell) return `<c r="${address}"><v>${cell.number}</v></c>`
  if ('day' in cell) return `<c r="${address}" s="2"><v>${cell.day}</v></c>`
  return `<c r="${address}"${isHeader ? ' s="1"' : ''} t="inlineStr"><is><t xml:space="preserve">${escaped(cell.text)}</t></is></c>`
}
