import { describe, expect, it } from 'vitest'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { portalGuards } from '#limits.ts'
import { openWorkbook } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, type WorkbookParts, worksheet } from '../../../test/build-workbook.ts'
import { HEADER, problemIn, problemOf, utf16 } from '../../../test/read-workbook.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

describe('Workbooks that are refused', () => {
  const one = '<row r="2"><c r="A2"><v>1</v></c></row>'
  const bomb = `<c r="A2" t="str"><v>${'x'.repeat(70_000)}</v></c>`
  it.for<{
    why: string
    spec: WorkbookParts
    type: number
    message: RegExp
    limits?: Partial<typeof portalGuards>
  }>([
    { why: 'encrypted parts', spec: { zip: { flags: 1 } }, type: 3, message: /password/ },
    { why: 'overlapping parts', spec: { zip: { overlap: true } }, type: 3, message: /overlap/ },
    { why: 'an unknown compression', spec: { zip: { method: 14 } }, type: 3, message: /unknown way/ },
    { why: 'too many parts', spec: {}, limits: { maxZipParts: 3 }, type: 5, message: /more than 3 parts/ },
    {
      why: 'more bytes than its header states',
      spec: { rows: `${HEADER}<row r="2">${bomb}</row>`, zip: { statedSize: 10 } },
      limits: { maxUnpackedBytes: 50_000 },
      type: 5,
      message: /unpacks to more/,
    },
    {
      why: 'too many rows',
      spec: { rows: `${HEADER}<row r="12"><c r="A12"><v>1</v></c></row>` },
      limits: { maxRows: 10 },
      type: 5,
      message: /more than 10 rows/,
    },
    {
      why: 'too many columns',
      spec: { rows: `${HEADER}<row r="2"><c r="XFE2"><v>1</v></c></row>` },
      type: 5,
      message: /16,384 columns/,
    },
    {
      why: 'columns that no spreadsheet has',
      spec: { rows: `${HEADER}<row r="2"><c r="ZZZZ2"><v>1</v></c></row>` },
      type: 5,
      message: /16,384 columns/,
    },
    {
      why: 'a cell that is too long',
      spec: { rows: `${HEADER}<row r="2">${bomb}</row>` },
      type: 5,
      message: /row 2 holds more than 32,767 .* spreadsheet cell can hold\.$/,
    },
    {
      why: 'a document type',
      spec: { parts: { 'xl/worksheets/sheet1.xml': `<!DOCTYPE x [<!ENTITY a "b">]>${worksheet(HEADER)}` } },
      type: 3,
      message: /document type/,
    },
    ...(
      [
        ['[Content_Types].xml', '<?xml version="1.0"?>\n<!DOCTYPE x><Types/>'],
        ['xl/worksheets/sheet9.xml', `<!-- x -->${' '.repeat(300_000)}<!DOCTYPE x><worksheet/>`],
        ['xl/drawings/vmlDrawing1.vml', '\ufeff<!DOCTYPE x><xml>'],
        ['xl/worksheets/_rels/sheet1.xml.rels', `<!--${'-x'.repeat(300_000)}--><!DOCTYPE x><Relationships/>`],
        ['customXml/item1.xml', utf16('<!DOCTYPE x><x/>', true)],
        ['any.bin', '<?a?><!DOCTYPE x>'],
      ] as const
    ).map(([name, content]) => ({
      why: `a document type in ${name}, which is not read otherwise`,
      spec: { rows: HEADER, parts: { [name]: content } },
      type: 3,
      message: /document type/,
    })),
    {
      why: 'half a character of UTF-16',
      spec: { parts: { 'xl/worksheets/sheet1.xml': utf16(worksheet(HEADER), false).slice(0, -1) } },
      type: 3,
      message: /not text/,
    },
    {
      why: 'a document type in the shared strings',
      spec: { rows: HEADER, strings: '<!DOCTYPE x>' },
      type: 3,
      message: /document type/,
    },
    {
      why: 'an unknown entity',
      spec: { rows: `${HEADER}<row r="2"><c r="A2" t="str"><v>&a;</v></c></row>` },
      type: 3,
      message: /unknown entity &a;/,
    },
    {
      why: 'a shared string that is not there',
      spec: { rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>999999999</v></c></row>` },
      type: 3,
      message: /shared string 999999999/,
    },
    {
      why: 'a cell at A0',
      spec: { rows: `${HEADER}<row r="2"><c r="A0"><v>1</v></c></row>` },
      type: 3,
      message: /cell at "A0"/,
    },
    {
      why: 'a cell in another row',
      spec: { rows: `${HEADER}<row r="2"><c r="A9"><v>1</v></c></row>` },
      type: 3,
      message: /A9 stands in row 2/,
    },
    ...['0.5', '-1', '1', 'x'].map((index) => ({
      why: `a shared string that is not there: ${index}`,
      spec: {
        strings: '<si><t>x</t></si>',
        rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>${index}</v></c></row>`,
      },
      type: 3,
      message: /refers to the shared string/,
    })),
    {
      why: 'an unpaired surrogate as an entity',
      spec: { rows: `${HEADER}<row r="2"><c r="A2" t="str"><v>&#xD800;</v></c></row>` },
      type: 3,
      message: /unknown entity &#xD800;/,
    },
    {
      why: 'a long text of digits, on which a careless expression would never end',
      spec: { rows: `${HEADER}<row r="2"><c r="A2"><v>${'1'.repeat(1_000_000)}x</v></c></row>` },
      type: 5,
      message: /row 2 holds more than/,
    },
    ...[
      '<c r="A2"><v>1<v></c><c r="B2"><v>2</v></c>',
      '<c r="A2"><v>1</v><c r="B2"><v>2</v></c>',
      '<c r="A2"<c r="B2"><v>2</v></c>',
      '<c r="A2><v>1</v></c><c r="B2"><v>2</v></c>',
      '<c r="A2"><v>1</v></row><row r="3"><c r="A3"><v>2</v></c>',
      '<c r="A2"><v>1</v></c><row r="3"><c r="A3"><v>2</v></c></row>',
      '<c r="A2" t="inlineStr"><is><t>x<t></is></c><c r="B2" t="inlineStr"><is><t>y</t></is></c>',
    ].map((cells) => ({
      why: `an unclosed tag that would swallow what follows: ${cells}`,
      spec: { rows: `${HEADER}<row r="2">${cells}</row>` },
      type: 3,
      message: /malformed/,
    })),
    {
      why: 'a shared string that is not closed',
      spec: {
        strings: '<si><t>x</t><si><t>y</t></si>',
        rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c></row>`,
      },
      type: 3,
      message: /malformed/,
    },
    {
      why: 'an unclosed tag in a shared string that would swallow the text',
      spec: {
        strings: '<si><r><rPr><b/><t>x</t></r></si>',
        rows: `${HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c></row>`,
      },
      type: 3,
      message: /malformed/,
    },
    {
      why: 'a row with an impossible number',
      spec: { rows: `${HEADER}<row r="-1"/>` },
      type: 3,
      message: /number "-1"/,
    },
    {
      why: 'bytes that are not text',
      spec: {
        parts: {
          'xl/worksheets/sheet1.xml': Buffer.from(
            worksheet(`${HEADER}<row r="2"><c r="A2" t="str"><v>é</v></c></row>`),
            'latin1',
          ),
        },
      },
      type: 3,
      message: /not text/,
    },
    {
      why: 'a sheet that ends in the middle',
      spec: { parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${HEADER}${one}` } },
      type: 3,
      message: /ends in the middle/,
    },
    {
      why: 'a sheet that ends before its rows',
      spec: { parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetViews><sheetView/></sheetViews>' } },
      type: 3,
      message: /ends in the middle/,
    },
    {
      why: 'text in front of the sheet',
      spec: {
        parts: { 'xl/worksheets/sheet1.xml': `<?xml version="1.0"?>\nfoo\n${worksheet(HEADER + one)}` },
      },
      type: 3,
      message: /malformed/,
    },
    ...[
      { part: '_rels/.rels', xml: '<?xml version="1.0"?>\nCORRUPTED\n', why: 'text but no element' },
      { part: '_rels/.rels', xml: '', why: 'no content' },
      { part: '_rels/.rels', xml: '<Relationships/>CORRUPTED', why: 'text after its element' },
      { part: '_rels/.rels', xml: 'CORRUPTED<Relationships/>', why: 'text in front of its element' },
      { part: '_rels/.rels', xml: '<Relationships/><Relationships/>', why: 'two elements' },
      { part: '_rels/.rels', xml: '<Relationships/></Relationships>', why: 'one closing tag too many' },
      {
        part: 'xl/_rels/workbook.xml.rels',
        xml: '<Relationships><Relationship Id="rId1"',
        why: 'a tag that is cut',
      },
      {
        part: 'xl/workbook.xml',
        xml: '<workbook><sheets><sheet name="Data" r:id="rId1"/></workbook>',
        why: 'a tag that is not closed',
      },
      { part: 'xl/styles.xml', xml: '<styleSheet><cellXfs><xf numFmtId="0"/>', why: 'a missing end' },
      {
        part: 'xl/styles.xml',
        xml: '<styleSheet><x:cellXfs></cellXfs></styleSheet>',
        why: 'an element with tags of two prefixes',
      },
      {
        part: 'xl/styles.xml',
        xml: '<a>'.repeat(5000) + '</a>'.repeat(5000),
        why: 'elements nested too deep',
      },
    ].map(({ part, xml, why }) => ({
      why: `${part} with ${why}`,
      spec: { parts: { [part]: xml } },
      type: 3,
      message: new RegExp(`the part ${part} is not whole`),
    })),
    {
      why: 'a tag that never ends',
      spec: {
        parts: { 'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${HEADER}<row ${'a'.repeat(3_000_000)}` },
      },
      type: 3,
      message: /never ends/,
    },
    {
      why: 'a missing sheet',
      spec: { parts: { 'xl/worksheets/sheet1.xml': null } },
      type: 3,
      message: /"Data" is missing/,
    },
    {
      why: 'no visible sheet',
      spec: { sheets: '<sheet name="H" r:id="rId1" state="hidden"/>' },
      type: 3,
      message: /no visible sheet/,
    },
    {
      why: 'no workbook part',
      spec: { parts: { 'xl/workbook.xml': null } },
      type: 3,
      message: /without a workbook/,
    },
    ...[
      {
        why: 'a text document',
        xml: '<w:document xmlns:w="w"><w:body/></w:document>',
        message: /it is a text document \(\.docx\)/,
      },
      {
        why: 'a presentation',
        xml: '<p:presentation xmlns:p="p"/>',
        message: /it is a presentation \(\.pptx\)/,
      },
      { why: 'a drawing', xml: '<VisioDocument/>', message: /without a workbook/ },
    ].map(({ why, xml, message }) => ({
      why: `${why} named as a workbook`,
      spec: {
        parts: {
          '_rels/.rels':
            '<Relationships><Relationship Type="x/officeDocument" Target="main.xml"/></Relationships>',
          'main.xml': xml,
        },
      },
      type: 3,
      message,
    })),
    {
      why: 'a binary workbook',
      spec: {
        parts: {
          '_rels/.rels':
            '<Relationships><Relationship Type="x/officeDocument" Target="xl/workbook.bin"/></Relationships>',
          'xl/workbook.bin': 'x',
        },
      },
      type: 3,
      message: /xlsb/,
    },
    ...[
      '<si><t>\xff</t></si>',
      '<si><r><t>\xff\xff\xff</t></r></si>',
      `<si><t>${'x'.repeat(2000)}\xff\xff\xff</t></si>`,
    ].map((strings) => ({
      why: `a shared string of bytes that are not text: ${strings.slice(0, 15)}`,
      spec: {
        strings: '',
        parts: { 'xl/sharedStrings.xml': Buffer.from(`<sst>${strings}</sst>`, 'latin1') },
      },
      type: 3,
      message: /not text/,
    })),
    { why: 'no cells', spec: { rows: '<row r="1"/>' }, type: 4, message: /empty/ },
    {
      why: 'no rows',
      spec: { parts: { 'xl/worksheets/sheet1.xml': '<worksheet><sheetPr></sheetPr></worksheet>' } },
      type: 4,
      message: /empty/,
    },
    {
      why: 'a blank sheet',
      spec: { parts: { 'xl/worksheets/sheet1.xml': '<worksheet/>' } },
      type: 4,
      message: /empty/,
    },
  ])('$why', async ({ spec, type, message, limits }) => {
    const problem = await problemOf({ rows: HEADER + one, ...spec }, { ...portalGuards, ...limits })
    expect(problem?.errorType).toBe(type)
    expect(problem?.message).toMatch(message)
  })

  it('a file that is cut off anywhere', async () => {
    const whole = buildWorkbook({ rows: HEADER + one })
    for (let length = 0; length < whole.length; length += 7) {
      await expect(
        openWorkbook(bytesSource(whole.slice(0, length)), testPlatform(), portalGuards),
      ).rejects.toBeInstanceOf(FileProblemError)
    }
  })

  it('a part whose checksum is wrong', async () => {
    const bytes = buildWorkbook({ rows: HEADER + one, zip: { stored: true } })
    const text = Buffer.from(bytes).toString('latin1')
    bytes[text.indexOf('<v>1</v>') + 3] = 0x32
    expect((await problemIn(bytes))?.message).toMatch(/checksum/)
  })
})
