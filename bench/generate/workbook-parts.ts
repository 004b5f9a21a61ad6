const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const contentTypes =
  `<Types xmlns="${PACKAGE}/content-types">` +
  '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
  '<Default Extension="xml" ContentType="application/xml"/>' +
  `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
  `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
  `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
  `<Override PartName="/xl/sharedStrings.xml" ContentType="${CONTENT}.sharedStrings+xml"/></Types>`

const rootRelationships =
  `<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

const workbook =
  `<workbook xmlns="${SPREADSHEET}" xmlns:r="${DOCUMENT}">` +
  '<sheets><sheet name="Claims" sheetId="1" r:id="rId1"/></sheets></workbook>'

const workbookRelationships =
  `<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/>` +
  `<Relationship Id="rId2" Type="${DOCUMENT}/styles" Target="styles.xml"/>` +
  `<Relationship Id="rId3" Type="${DOCUMENT}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`

/** Style 0 is General, style 1 a date. */
const styles =
  `<styleSheet xmlns="${SPREADSHEET}">` +
  '<numFmts count="1"><numFmt numFmtId="164" formatCode="dd/mm/yyyy"/></numFmts>' +
  '<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/** The parts of a workbook with one sheet that do not depend on its rows. */
export const fixedParts: Readonly<Record<string, Buffer>> = {
  '[Content_Types].xml': Buffer.from(XML + contentTypes),
  '_rels/.rels': Buffer.from(XML + rootRelationships),
  'xl/workbook.xml': Buffer.from(XML + workbook),
  'xl/_rels/workbook.xml.rels': Buffer.from(XML + workbookRelationships),
  'xl/styles.xml': Buffer.from(XML + styles),
}
