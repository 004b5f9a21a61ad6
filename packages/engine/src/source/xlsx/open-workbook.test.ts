import type { Field } from '@veridict/contract/model/field'
import { describe, expect, it } from 'vitest'
import { compileColumns } from '#compile/compile-columns.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { portalGuards } from '#limits.ts'
import { openWorkbook } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, worksheet, type WorkbookParts } from '../../../test/build-workbook.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

const HEADER = '<row r="1"><c r="A1" t="str"><v>A</v></c><c r="B1" t="str"><v>B</v></c></row>'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const STRICT = 'http://purl.oclc.org/ooxml'

/** With a byte order mark. */
function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

/** Every row with content as the sheet's texts, the header first. */
async function readTexts(spec: WorkbookParts, limits = portalGuards): Promise<string[][]> {
  const table = await openWorkbook(bytesSource(buildWorkbook(spec)), testPlatform(), limits)
  const rows = [[...table.header]]
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => [...cells]))
  return rows
}

/** The texts of row 2, which the given cells make up. */
const readRow = async (cells: string, spec: WorkbookParts = {}) =>
  (await readTexts({ rows: `${HEADER}<row r="2">${cells}</row>`, ...spec }))[1]

const problemOf = (spec: WorkbookParts, limits = portalGuards) => problemIn(buildWorkbook(spec), limits)

async function problemIn(bytes: Uint8Array, limits = portalGuards) {
  try {
    const table = await openWorkbook(bytesSource(bytes), testPlatform(), limits)
    await table.validate(
      await compileColumns([textField('A'), textField('B')], xmlTerminators, testPlatform()),
      { badCells() {}, record() {} },
    )
    return null
  } catch (error) {
    if (error instanceof FileProblemError) return error.problem
    throw error
  }
}

const textField = (name: string, required = false): Field => ({
  name,
  description: '',
  category: '',
  required,
  rule: { type: 'text' },
})

describe('Cells of a workbook', () => {
  const strings =
    '<si><t>first</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh sb="0" eb="1">' +
    '<t>hint</t></rPh></si><si><t/></si><si/><si><t xml:space="preserve"> &lt;a&gt; </t></si>'
  it.for<{ cell: string; text: string | undefined; why: string; spec?: WorkbookParts }>([
    { cell: '<c r="A2" t="s"><v>0</v></c>', text: 'first', why: 'a shared string' },
    {
      cell: '<c r="A2" t="s"><v>1</v></c>',
      text: 'rich text',
      why: 'runs are joined, without phonetic hints',
    },
    { cell: '<c r="A2" t="s"><v>4</v></c>', text: ' <a> ', why: 'entities are resolved' },
    {
      cell: '<c r="A2" t="inlineStr"><is><t>in place</t></is></c>',
      text: 'in place',
      why: 'an inline string',
    },
    {
      cell: '<c r="A2" t="inlineStr"><is><r><t>in </t></r><r><t>runs</t></r></is></c>',
      text: 'in runs',
      why: 'an inline string in runs',
    },
    {
      cell: '<c r="A2" t="inlineStr"><v>in v</v></c>',
      text: 'in v',
      why: 'some writers put inline strings into v',
    },
    { cell: '<c r="A2" t="inlineStr"><is><t><![CDATA[a < b]]></t></is></c>', text: 'a < b', why: 'CDATA' },
    {
      cell: '<c r="A2" t="inlineStr"><is><t><![CDATA[a\rb\r\nc]]></t></is></c>',
      text: 'a\nb\nc',
      why: 'line ends in CDATA',
    },
    {
      cell: '<c r="A2" t="inlineStr"><is><t>ABC_x000D_\nDEF</t></is></c>',
      text: 'ABC\r\nDEF',
      why: 'an escaped carriage return',
    },
    {
      cell: '<c r="A2" t="inlineStr"><is><t>_x005F_x000D_</t></is></c>',
      text: '_x000D_',
      why: 'an escaped escape',
    },
    {
      cell: '<c r="A2" t="inlineStr"><is><t>a\r\nb</t></is></c>',
      text: 'a\nb',
      why: 'XML reads line ends as \\n',
    },
    { cell: '<c r="A2" t="str"><f>A1&amp;"x"</f><v>Ax</v></c>', text: 'Ax', why: "a formula's cached text" },
    {
      cell: '<c r="A2"><f t="shared" si="0"/><v>7</v></c>',
      text: '7',
      why: "a shared formula's cached number",
    },
    { cell: '<c r="A2"><f>1/3</f></c>', text: undefined, why: 'a formula without a cached value is blank' },
    { cell: '<c r="A2" t="b"><v>1</v></c>', text: 'TRUE', why: 'a boolean' },
    { cell: '<c r="A2" t="b"><v>0</v></c>', text: 'FALSE', why: 'a boolean' },
    { cell: '<c r="A2" t="e"><v>#N/A</v></c>', text: '#N/A', why: 'an error cell' },
    {
      cell: '<c r="A2"><v>12.350000000000001</v></c>',
      text: '12.35',
      why: 'noise beyond 15 digits is not shown',
    },
    {
      cell: '<c r="A2"><v>0.30000000000000004</v></c>',
      text: '0.3',
      why: 'noise beyond 15 digits is not shown',
    },
    {
      cell: '<c r="A2"><v>1234567890123456</v></c>',
      text: '1234567890123456',
      why: 'a whole number keeps its digits',
    },
    { cell: '<c r="A2"><v>1E-7</v></c>', text: '0.0000001', why: 'no exponent' },
    { cell: '<c r="A2"><v>1.5E+21</v></c>', text: '1500000000000000000000', why: 'no exponent' },
    {
      cell: '<c r="A2"><v>1.7976931348623157E308</v></c>',
      text: `17976931348623157${'0'.repeat(292)}`,
      why: 'rounding would make it infinite',
    },
    { cell: '<c r="A2"><v>-0</v></c>', text: '0', why: 'there is one zero' },
    { cell: '<c r="A2"><v>007.50</v></c>', text: '7.5', why: 'a number has one spelling' },
    { cell: '<c r="A2" t="d"><v>2023-01-15</v></c>', text: '2023-01-15', why: 'an ISO date' },
    {
      cell: '<c r="A2" t="d"><v>2023-01-15T10:30:00Z</v></c>',
      text: '2023-01-15 10:30:00',
      why: 'an ISO date with a time',
    },
    {
      cell: '<c r="A2" t="d"><v>2023-01-15T10:59:59.99</v></c>',
      text: '2023-01-15 11:00:00',
      why: 'Excel writes hours with such rounding noise',
    },
    {
      cell: '<c r="A2" t="d"><v>2023-12-31T23:59:59.999</v></c>',
      text: '2024-01-01',
      why: 'rounding may reach the next day',
    },
    { cell: '<c r="A2" t="d"><v>10:30</v></c>', text: '10:30:00', why: 'an ISO time' },
    { cell: '<c r="A2" t="d"><v>PT25H11M0.000S</v></c>', text: '25:11:00', why: 'an ISO duration' },
    { cell: '<c r="A2" t="d"><v>P2D</v></c>', text: '48:00:00', why: 'an ISO duration in days' },
    { cell: '<c r="A2" t="d"><v>PT</v></c>', text: 'PT', why: 'a duration without parts is text' },
    {
      cell: '<c r="A2" t="d"><v>2023-01-15T</v></c>',
      text: '2023-01-15T',
      why: 'a date cut in front of its time is text',
    },
    {
      cell: '<c r="A2" t="d"><v>2023-01-15 25:00</v></c>',
      text: '2023-01-15 25:00',
      why: 'anything but an ISO date is text',
    },
    { cell: "<c r='A2' t='n' ><v >5</v ></c >", text: '5', why: 'single quotes and white space in tags' },
    { cell: '<!-- <c r="A2"><v>1</v></c> --><c r="A2"><!-- no --><v>5</v></c>', text: '5', why: 'comments' },
    { cell: '<c r="A2">\n  <f>1+4</f>\n  <v>5</v>\n</c>', text: '5', why: 'white space in a cell' },
    {
      cell: '<c z:r="C2" r="A2" z:t="b"><v>5</v></c>',
      text: '5',
      why: 'attributes of other namespaces do not count',
    },
    { cell: '<c><v>5</v></c>', text: '5', why: 'a cell without a reference follows the one before' },
    {
      cell: '<c r="A2"><extLst><ext><v>9</v></ext></extLst><v>5</v></c>',
      text: '5',
      why: 'extensions are skipped',
    },
    {
      cell:
        '<mc:AlternateContent xmlns:mc="m"><mc:Choice Requires="x"><c r="A2"><v>1</v></c></mc:Choice>' +
        '<mc:Fallback><c r="A2"><v>5</v></c></mc:Fallback></mc:AlternateContent>',
      text: '5',
      why: 'of alternate content the fallback counts',
    },
    { cell: '<c r="B2"><v>9</v></c><c r="A2"><v>5</v></c>', text: '5', why: 'cells out of order' },
    {
      cell: '<c r="A2"><v>1</v></c><c r="A2"><v>5</v></c>',
      text: '5',
      why: 'of a cell that comes twice the last counts',
    },
  ])('$cell: $why', async ({ cell, text, spec }) => {
    expect((await readRow(`${cell}<c r="B2"><v>9</v></c>`, { strings, ...spec }))[0] || undefined).toBe(text)
  })

  const dates =
    '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="46"/>' +
    '<xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="71"/>'
  const numberFormats =
    '<numFmt numFmtId="164" formatCode="[$-409]d\\ mmm&quot; of &quot;yyyy;@"/>' +
    '<numFmt numFmtId="165" formatCode="0.00&quot; days&quot;"/>' +
    '<numFmt numFmtId="166" formatCode="[Red]#,##0\\d"/>'
  it.for([
    { style: 1, value: '44927', date1904: false, text: '2023-01-01', why: 'a built-in date format' },
    {
      style: 7,
      value: '44927',
      date1904: false,
      text: '2023-01-01',
      why: 'a built-in format of Thai editions',
    },
    { style: 2, value: '44927', date1904: false, text: '2023-01-01', why: 'a custom date format' },
    { style: 3, value: '44927', date1904: false, text: '44927', why: 'quoted letters make no date' },
    {
      style: 5,
      value: '44927',
      date1904: false,
      text: '44927',
      why: 'colours and escaped letters make no date',
    },
    { style: 1, value: '43465', date1904: true, text: '2023-01-01', why: 'the 1904 epoch' },
    { style: 1, value: '59', date1904: false, text: '1900-02-28', why: 'before the false leap day' },
    { style: 1, value: '60', date1904: false, text: '1900-02-29', why: 'the false leap day' },
    { style: 1, value: '61', date1904: false, text: '1900-03-01', why: 'after the false leap day' },
    { style: 1, value: '44927.75', date1904: false, text: '2023-01-01 18:00:00', why: 'a time of day shows' },
    {
      style: 1,
      value: '44927.999999',
      date1904: false,
      text: '2023-01-02',
      why: 'times are rounded to the second',
    },
    { style: 1, value: '-1', date1904: false, text: '-1', why: 'no spreadsheet shows negative dates' },
    {
      style: 1,
      value: '2958466',
      date1904: false,
      text: '2958466',
      why: 'no spreadsheet shows a day after 9999',
    },
    { style: 4, value: '1.5', date1904: false, text: '36:00:00', why: 'a duration' },
    { style: 6, value: '0.5', date1904: true, text: '12:00:00', why: 'a time without a day' },
    { style: 0, value: '44927', date1904: false, text: '44927', why: 'without a date format it is a number' },
  ])('the number $value in format $style reads $text: $why', async ({ style, value, date1904, text }) => {
    const row = await readRow(`<c r="A2" s="${style}"><v>${value}</v></c>`, {
      formats: dates,
      numberFormats,
      date1904,
    })
    expect(row[0]).toBe(text)
  })
})

describe('A table that continues on another sheet', () => {
  const sheets = (...names: string[]) =>
    names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId1"/>`).join('')
  it.for([
    { names: ['Data', 'Rows from 1,048,577'], why: 'in front of its continuation' },
    { names: ['Rows from 1,048,577', 'Data'], why: 'behind it' },
    { names: ['Data', 'Rows from 2,097,153'], why: 'some of which was deleted' },
  ])('is refused, since not all of it would be read: $why', async ({ names }) => {
    const problem = await problemOf({ rows: HEADER, sheets: sheets(...names) })
    expect(problem).toMatchObject({ errorType: 5, message: expect.stringContaining('Rows from') })
  })

  it.for([
    { names: ['Rows from 1,048,577'], why: 'that is the only one left' },
    { names: ['Data', 'Rows from 12'], why: 'that has another name' },
    { names: ['Data', 'Data 2'], why: 'that has a similar name' },
  ])('is not one with a sheet $why', async ({ names }) => {
    expect(await problemOf({ rows: HEADER, sheets: sheets(...names) })).toBeNull()
  })
})

it('Of alternatives among the formats the fallback counts', async () => {
  const formats =
    '<mc:AlternateContent xmlns:mc="mc"><mc:Choice xmlns:hs="hs" Requires="hs">' +
    '<xf numFmtId="0" hs:extension="1"/></mc:Choice><mc:Fallback><xf numFmtId="0"/></mc:Fallback>' +
    '</mc:AlternateContent><xf numFmtId="14"/>'
  expect(
    await readRow('<c r="A2" s="1"><v>44927</v></c><c r="B2" s="0"><v>44927</v></c>', { formats }),
  ).toEqual(['2023-01-01', '44927'])
})

it('A long cell that comes in many chunks is not read again for each of them', async () => {
  const runs = '<r><t>x</t></r>'.repeat(3000)
  const bytes = buildWorkbook({
    rows: `${HEADER}<row r="2"><c r="A2" t="inlineStr"><is>${runs}</is></c></row>`,
  })
  const platform = testPlatform(100)
  let decoded = 0
  const decodeUtf8: typeof platform.decodeUtf8 = (...range) => {
    decoded++
    return platform.decodeUtf8(...range)
  }
  const table = await openWorkbook(bytesSource(bytes), { ...platform, decodeUtf8 }, portalGuards)
  expect((await Array.fromAsync(table.rows())).flat()).toEqual([{ rowNumber: 2, cells: ['x'.repeat(3000)] }])
  expect(decoded).toBeLessThan(10 * 3000)
})

it('Extensions of later programs are left out, whatever their elements are named', async () => {
  const extended = (xml: string, extension: string) =>
    xml.replace(/<\/[^>]+>$/, `<extLst><ext><x15:any xmlns:x15="x">${extension}</x15:any></ext></extLst>$&`)
  const workbook =
    `<workbook xmlns="${MAIN}" xmlns:r="r"><workbookPr date1904="1"/><sheets>` +
    '<sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>'
  const styles =
    `<styleSheet xmlns="${MAIN}"><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>` + '</styleSheet>'
  const row = await readRow('<c r="A2" s="1"><v>43465</v></c><c r="B2" s="2"><v>1</v></c>', {
    parts: {
      'xl/workbook.xml': extended(
        workbook,
        '<x15:workbookPr chartTrackingRefBase="1"/><x15:sheet name="No" r:id="rId9"/>',
      ),
      'xl/styles.xml': extended(styles, '<x15:cellXfs><x15:xf numFmtId="14"/></x15:cellXfs>'),
    },
  })
  expect(row).toEqual(['2023-01-01', '1'])
})

describe('Parts of a workbook', () => {
  const rows = `${HEADER}<row r="2"><c r="A2" t="s"><v>0</v></c></row>`
  const strings = '<si><t>x</t></si>'
  const expected = [['A', 'B'], ['x']]
  const names = [
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/workbook.xml',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
    'xl/worksheets/sheet1.xml',
    'xl/sharedStrings.xml',
  ]
  const links = (
    target: string,
    type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  ) =>
    `<Relationships><Relationship Id="rId1" Type="${type}/worksheet" Target="${target}"/>` +
    `<Relationship Id="rId3" Type="${type}/sharedStrings" Target="sharedStrings.xml"/></Relationships>`
  it.for<{ why: string; spec: WorkbookParts }>([
    { why: 'stored, not deflated', spec: { zip: { stored: true } } },
    { why: 'sizes in data descriptors', spec: { zip: { dataDescriptors: true } } },
    { why: 'zip64', spec: { zip: { zip64: true } } },
    { why: 'other bytes in front', spec: { zip: { junkInFront: 1024 } } },
    { why: 'other bytes in front of zip64', spec: { zip: { junkInFront: 1024, zip64: true } } },
    { why: 'backslashes in names', spec: { zip: { backslashes: true } } },
    { why: 'a leading slash in names', spec: { zip: { leadingSlash: true } } },
    { why: 'names in capitals', spec: { zip: { upperCase: true } } },
    { why: 'shared strings after the sheet', spec: { order: names } },
    { why: 'no styles', spec: { parts: { 'xl/styles.xml': null } } },
    { why: 'no relationships of the package', spec: { parts: { '_rels/.rels': null } } },
    { why: 'no content types', spec: { parts: { '[Content_Types].xml': null } } },
    {
      why: 'absolute targets',
      spec: { parts: { 'xl/_rels/workbook.xml.rels': links('/xl/worksheets/sheet1.xml') } },
    },
    {
      why: 'targets with dots',
      spec: { parts: { 'xl/_rels/workbook.xml.rels': links('../xl/./worksheets/sheet1.xml') } },
    },
    {
      why: 'strict OOXML',
      spec: {
        parts: {
          'xl/_rels/workbook.xml.rels': links(
            'worksheets/sheet1.xml',
            `${STRICT}/officeDocument/relationships`,
          ),
        },
      },
    },
    {
      why: 'another name for the sheet',
      spec: {
        parts: {
          'xl/_rels/workbook.xml.rels': links('data%20sheet.xml'),
          'xl/data sheet.xml': worksheet(rows),
          'xl/worksheets/sheet1.xml': null,
        },
      },
    },
    {
      why: 'prefixed names',
      spec: {
        parts: {
          'xl/worksheets/sheet1.xml':
            `<x:worksheet xmlns:x="${MAIN}"><x:sheetData>${rows.replace(/<(\/?)/g, '<$1x:')}</x:sheetData>` +
            '</x:worksheet>',
          'xl/sharedStrings.xml': `<x:sst xmlns:x="${MAIN}"><x:si><x:t>x</x:t></x:si></x:sst>`,
        },
      },
    },
    {
      why: 'a row in pieces',
      spec: { rows: `${HEADER}<row r="2"/><row r="2"><c r="A2" t="s"><v>0</v></c></row><row r="2"></row>` },
    },
    { why: 'rows and cells without references', spec: { rows: rows.replace(/ r="\w+"/g, '') } },
    {
      why: 'rows without numbers, cells with references',
      spec: { rows: rows.replace(/<row r="\d"/g, '<row') },
    },
    {
      why: 'a byte order mark and a declaration',
      spec: { parts: { 'xl/worksheets/sheet1.xml': `\ufeff<?xml version="1.0"?>${worksheet(rows)}` } },
    },
    {
      why: 'parts in UTF-16',
      spec: {
        parts: Object.fromEntries(
          Object.entries({
            'xl/workbook.xml':
              `<workbook xmlns="${MAIN}"><sheets><sheet name="Data" r:id="rId1"/></sheets>` + '</workbook>',
            'xl/worksheets/sheet1.xml': worksheet(rows),
            'xl/sharedStrings.xml': `<sst xmlns="${MAIN}">${strings}</sst>`,
          }).map(([name, xml], index) => [
            name,
            utf16(`<?xml version="1.0" encoding="UTF-16"?>${xml}`, index === 1),
          ]),
        ),
      },
    },
    {
      why: 'a comment that looks like the end of the archive',
      spec: { zip: { comment: 'PK\x05\x06 and more than twenty-two characters' } },
    },
    {
      why: 'white space and comments around the elements of its parts',
      spec: {
        parts: {
          'xl/styles.xml':
            '\ufeff<?xml version="1.0"?>\n<!-- a > b -->\n<styleSheet ></styleSheet >\n<!-- c -->\n',
          'xl/worksheets/sheet1.xml': `\ufeff\n<!-- a -->\n${worksheet(rows)}\n`,
        },
      },
    },
    {
      why: 'indented XML',
      spec: { rows: rows.replaceAll('<', '\n  <').replaceAll('\n  </v', '</v').replaceAll('\n  <v', '<v') },
    },
    {
      why: 'a hidden sheet first',
      spec: { sheets: '<sheet name="H" r:id="rId9" state="hidden"/><sheet name="Data" r:id="rId1"/>' },
    },
    {
      why: 'a chart sheet first',
      spec: { sheets: '<sheet name="C" r:id="rId2"/><sheet name="Data" r:id="rId1"/>' },
    },
  ])('are read with $why', async ({ spec }) => {
    expect(await readTexts({ rows, strings, ...spec })).toEqual(expected)
  })

  it('names the sheet that is read and the other visible ones', async () => {
    const sheets =
      '<sheet name="A &amp; B" r:id="rId1"/><sheet name="Hidden" r:id="rId1" state="veryHidden"/>' +
      '<sheet name="Other" r:id="rId1"/>'
    const table = await openWorkbook(
      bytesSource(buildWorkbook({ rows, strings, sheets })),
      testPlatform(),
      portalGuards,
    )
    expect(table.sheets).toEqual({ read: 'A & B', others: ['Other'] })
  })

  it('cuts names of sheets that are longer than any program writes', async () => {
    const sheets = `<sheet name="Data" r:id="rId1"/><sheet name="${'x'.repeat(100_000)}" r:id="rId1"/>`
    const table = await openWorkbook(
      bytesSource(buildWorkbook({ rows, strings, sheets })),
      testPlatform(),
      portalGuards,
    )
    expect(table.sheets).toEqual({ read: 'Data', others: ['x'.repeat(100)] })
  })

  it('keeps the row numbers that the spreadsheet shows, with blank rows counted', async () => {
    const spaced =
      '<row r="3"><c r="A3" t="str"><v>A</v></c></row><row r="4"/><row r="7"><c r="A7"><v>1</v></c></row>' +
      '<row r="8"><c r="A8" t="str"><v> </v></c></row><row r="9"><c r="A9"><v>2</v></c></row>'
    const table = await openWorkbook(
      bytesSource(buildWorkbook({ rows: spaced })),
      testPlatform(),
      portalGuards,
    )
    const numbers: number[] = []
    await table.validate(await compileColumns([textField('A', true)], xmlTerminators, testPlatform()), {
      badCells() {},
      record: (row) => numbers.push(row),
    })
    expect([table.headerRowNumber, ...numbers]).toEqual([3, 7, 9])
  })
})

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
      message: /row 2 holds more than 32,767/,
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
      { part: '_rels/.rels', xml: '<Relationships/>CORRUPTED', why: 'text behind its element' },
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
      {
        part: 'xl/styles.xml',
        xml: '<styleSheet><cellXfs><xf numFmtId="0"/>',
        why: 'a missing end',
      },
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
