import type { RowRule, RuleTest } from '@veridict/contract/model/row-rule'
import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { describe, expect, it } from 'vitest'
import { livingColumns } from '#formulas/living-columns.ts'
import { portalGuards } from '#limits.ts'
import { correctFile } from '#output/corrected-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { buildZip } from '../../test/build-zip.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Id', { type: 'pattern', pattern: 'M[0-9]{3}' }, true),
  field('Status', { type: 'list', options: ['Open', 'Closed'] }),
  field('Sum', { type: 'number', minimum: 0 }),
  field('Mail', { type: 'pattern', pattern: '[^@]+@[^@]+' }),
]
const ROWS = [
  ['Id', 'Status', 'Sum', 'Mail'],
  ['M001', 'Open', '1', 'a@b'],
  ['X', 'open', '-1', 'b'],
  ['Y', 'Shut', '5', ''],
  ['M004', 'Closed', '7', 'c@d'],
  ['Z', 'Open', '7', 'c@d'],
]
const SHEET = 'xl/worksheets/sheet1.xml'

const sheetRows = (rows: readonly string[][], p = '') =>
  rows
    .map((cells, index) => {
      const tags = cells.map((text, column) =>
        text === '' ? '' : `<${p}c r="${'ABCD'[column]}${index + 1}" t="str"><${p}v>${text}</${p}v></${p}c>`,
      )
      return `<${p}row r="${index + 1}">${tags.join('')}</${p}row>`
    })
    .join('')

const request = (bytes: Uint8Array, rules: RowRule[] = [], fileName = 'a.xlsx') => ({
  source: bytesSource(bytes),
  fileName,
  fields: FIELDS,
  ruleBook: { ...emptyRuleBook, rules, day: '2026-01-01' },
  platform: testPlatform(),
  limits: portalGuards,
})
const highlight = async (bytes: Uint8Array, rules?: RowRule[]) =>
  joined(writeHighlightedFile(request(bytes, rules)))

/** The cells of the conditional formats, and which look they give: ours are red, yellow and white. */
const formatsOf = (sheet: string) =>
  [
    ...sheet.matchAll(
      /<conditionalFormatting[^>]* sqref="([^"]+)"><cfRule [^>]*dxfId="(\d+)" priority="(\d+)">/g,
    ),
  ].map(([, cells, look, priority]) => `${priority}: ${cells} ${look}`)

describe('A copy that carries its dictionary', () => {
  it('marks what is wrong in whole columns, and shows its red cells plain once they are right', async () => {
    const copy = await highlight(buildWorkbook({ rows: sheetRows(ROWS) }))
    expect(checkWorkbook(copy)).toEqual([])
    expect(formatsOf(readZip(copy).get(SHEET)!)).toEqual([
      '1: A2:A1048576 1',
      '2: B2:B1048576 1',
      '3: C2:C1048576 1',
      '4: D2:D1048576 1',
      '5: A3:A4 A6 3',
      '6: B3:B4 3',
      '7: C3 3',
      '8: D3 3',
    ])
    expect(await validateTable(request(copy))).toMatchObject({ cellErrorCount: 7 })
  })

  it('marks what rules between cells do not accept, and names those that formulas cannot say', async () => {
    const rule = (name: string, more: Pick<RowRule, 'then'> & Partial<RowRule>): RowRule => ({
      name,
      severity: 'error',
      ...more,
    })
    const isClosed: RuleTest = { column: 'Status', is: 'equal', than: { value: 'Closed' } }
    const isFilled: RuleTest = { column: 'Sum', is: 'filled' }
    const rows = [ROWS[0], ['M001', 'Closed', '', 'a@b'], ['M002', 'Open', '', 'a@b']]
    const rules = [
      rule('Said', { when: { all: [isClosed] }, then: [isFilled] }),
      rule('Warns', { severity: 'warning', then: [{ column: 'Sum', is: 'less', than: { value: '5' } }] }),
      rule('Not said', { then: [{ columns: ['Id'], is: 'unique' }] }),
    ]
    const copy = readZip(await highlight(buildWorkbook({ rows: sheetRows(rows) }), rules))
    expect(formatsOf(copy.get(SHEET)!).slice(4)).toEqual([
      '5: A2:A1048576 1',
      '6: B2:B1048576 C2:C1048576 1',
      '7: C2:C1048576 2',
      '8: B2 3',
      '9: C2 3',
    ])
    const about = copy.get('xl/worksheets/aboutVeridict.xml')!.replaceAll('&quot;', '"')
    expect(about).toContain('>Not said<')
    expect(about).toContain('"Id" is unique')
    for (const name of ['Said', 'Warns']) expect(about).not.toContain(`>${name}<`)
  })

  it.for(['', 'x:'])('keeps the formats and input rules of the workbook, with the prefix "%s"', async (p) => {
    const tail =
      `<${p}mergeCells count="1"><${p}mergeCell ref="F1:G1"/></${p}mergeCells>` +
      `<${p}conditionalFormatting sqref="A1:D9"><${p}cfRule type="expression" dxfId="0" priority="1">` +
      `<${p}formula>$A1=1</${p}formula></${p}cfRule></${p}conditionalFormatting>` +
      `<${p}dataValidations count="1" xWindow="9"><${p}dataValidation type="list" sqref="A2 C2:D9">` +
      `<${p}formula1>"a,b"</${p}formula1></${p}dataValidation></${p}dataValidations>` +
      `<${p}pageMargins left="1" right="1" top="1" bottom="1" header="1" footer="1"/>`
    const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
    const sheet =
      `<${p}worksheet xmlns${p === '' ? '' : ':x'}="${main}" ` +
      'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
      `<${p}sheetData>${sheetRows(ROWS, p)}</${p}sheetData>${tail}</${p}worksheet>`
    const copy = await highlight(buildWorkbook({ parts: { [SHEET]: sheet } }))
    expect(checkWorkbook(copy)).toEqual([])
    const written = readZip(copy).get(SHEET)!
    expect(written).toContain(`<${p}cfRule type="expression" dxfId="0" priority="9">`)
    const rules = written.match(/<(?:x:)?dataValidations.*dataValidations>/s)![0]
    expect(rules).toContain(`<${p}dataValidations count="2" xWindow="9">`)
    expect(rules).toContain(`<${p}dataValidation type="list" sqref="A2 C2:D9">`)
    // Of the columns without rules of their own only B has one to get.
    expect(rules.match(/sqref="[^"]+"/g)).toEqual(['sqref="A2 C2:D9"', 'sqref="B2:B1048576"'])
    const places = [
      'mergeCells',
      '<conditionalFormatting',
      `<${p}conditionalFormatting`,
      `<${p}dataValidations`,
      'pageMargins',
    ]
    const found = places.map((name) => written.indexOf(name))
    expect(found).toEqual(found.toSorted((one, other) => one - other))
  })

  it('leaves red what shows dates in other columns: programs may not tell them from numbers', async () => {
    const fields = [field('Sum', { type: 'number' }), field('Day', { type: 'date', format: 'yyyy-MM-dd' })]
    const cells = (row: number, style: number) =>
      `<row r="${row}"><c r="A${row}" s="${style}"><v>45000.5</v></c>` +
      `<c r="B${row}" s="${style}"><v>45000.5</v></c></row>`
    const heading = '<row r="1"><c r="A1" t="str"><v>Sum</v></c><c r="B1" t="str"><v>Day</v></c></row>'
    const source = buildWorkbook({
      rows: heading + cells(2, 1) + cells(3, 0),
      numberFormats: '<numFmt numFmtId="164" formatCode="dddd\\, yyyy\\/mm"/>',
      formats: '<xf/><xf numFmtId="164"/>',
    })
    const copy = await joined(writeHighlightedFile({ ...request(source), fields }))
    expect(formatsOf(readZip(copy).get(SHEET)!).slice(2)).toEqual(['3: B2:B3 3'])
  })

  it('can be read by programs, whatever its options and the rules of the workbook are', async () => {
    const options = ['=1+1', '"a"', "'b'!A1", ']]>', '\u0001', '_x0041_', '<&>', '|;~^\n']
    const fields = [
      field('Id', { type: 'list', options: [...options, ...Array.from({ length: 300 }, (_, n) => `${n}`)] }),
      field('=Status "x"', { type: 'list', options }),
    ]
    const rows =
      '<row r="1"><c r="A1" t="str"><v>Id</v></c><c r="B1" t="str"><v>=Status "x"</v></c></row>' +
      '<row r="2"><c r="A2" t="str"><v>no</v></c><c r="B2" t="str"><v>no</v></c></row>'
    const tail =
      '<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1">' +
      '<formula>A1=1</formula></cfRule></conditionalFormatting>' +
      '<dataValidations xmlns:xr="urn:xr" count="1">' +
      '<dataValidation xr:uid="{0}" sqref="$A$1 1:1"/></dataValidations>'
    const source = buildWorkbook({ parts: { [SHEET]: worksheet(rows, tail) } })
    const copy = await joined(writeHighlightedFile({ ...request(source), fields }))
    expect(checkWorkbook(copy)).toEqual([])
    const sheet = readZip(copy).get(SHEET)!
    expect(sheet).toContain('<dataValidations xmlns:xr="urn:xr" count="1">')
    expect(await validateTable({ ...request(copy), fields })).toMatchObject({ cellErrorCount: 2 })
  })

  it('checks nothing, or offers no list, where the sheet has not enough columns', () => {
    const lists = ['a', 'b'].map((option) => field(option, { type: 'list', options: [option] }))
    const columnsFrom = (firstColumn: number) => {
      const table = { headerRowNumber: 1, firstColumn }
      const place = { table, listSheet: 'Lists', firstListColumn: 16_383 }
      return livingColumns(lists, emptyRuleBook, place, testPlatform())
    }
    expect(columnsFrom(16_382).map(({ cells, choices }) => [cells, choices?.cells])).toEqual([
      ['XFC2:XFC1048576', "'Lists'!$XFD$2:$XFD$2"],
      ['XFD2:XFD1048576', undefined],
    ])
    expect(columnsFrom(16_383)).toEqual([])
  })

  it('replaces what an earlier copy added, and does not grow', async () => {
    const second = await highlight(await highlight(buildWorkbook({ rows: sheetRows(ROWS) })))
    expect(await highlight(second)).toEqual(second)
    const corrected = await correctFile({ ...request(second), causes: null })
    const copy = readZip(await joined((corrected as Extract<typeof corrected, { kind: 'copy' }>).bytes()))
    expect(copy.get('xl/workbook.xml')!.match(/<sheet [^>]*name="[^"]+"/g)).toHaveLength(3)
    expect(formatsOf(copy.get(SHEET)!)).toHaveLength(4)
    expect(copy.get(SHEET)).toContain("<formula1>'About this file'!$E$2:$E$3</formula1>")
  })

  it('keeps a sheet of a person that has the name of ours', async () => {
    const own = worksheet('<row r="1"><c r="A1" t="str"><v>mine</v></c></row>')
    const first = readZip(await highlight(buildWorkbook({ rows: sheetRows(ROWS) })))
    const about = 'xl/worksheets/aboutVeridict.xml'
    const theirs = buildZip([...first].map(([name, text]) => [name, name === about ? own : text] as const))
    const copy = readZip(await highlight(await highlight(theirs)))
    expect(copy.get(about)).toContain('mine')
    const names = [...copy.get('xl/workbook.xml')!.matchAll(/<sheet [^>]*name="([^"]+)"/g)]
    expect(names.map(([, name]) => name).slice(1)).toEqual(['About this file', 'About this file 2'])
    expect(copy.get(SHEET)).toContain("'About this file 2'!$E$2:$E$3")
  })

  it('checks nothing where the headings do not fit', async () => {
    const copy = readZip(
      await highlight(
        buildWorkbook({
          rows: sheetRows([
            ['Id', 'Other'],
            ['X', 'y'],
          ]),
        }),
      ),
    )
    expect(formatsOf(copy.get(SHEET)!)).toEqual([])
  })

  it('may be that of a CSV file; a cell that its row does not have stays red', async () => {
    const csv = Buffer.from('Id,Status,Sum,Mail\nM001,open,-1,a@b\nX,Open\n')
    const copy = await joined(writeHighlightedFile(request(csv, [], 'a.csv')))
    expect(checkWorkbook(copy)).toEqual([])
    expect(formatsOf(readZip(copy).get(SHEET)!).slice(4)).toEqual(['5: A3 2', '6: B2 2', '7: C2 2'])
  })
})
