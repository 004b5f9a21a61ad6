import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { openWorkbook } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, type WorkbookParts } from '../../../test/build-workbook.ts'
import { HEADER, readRow } from '../../../test/read-workbook.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

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
