import { describe, expect, it } from 'vitest'
import { compileColumns } from '#compile/compile-columns.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { portalGuards } from '#limits.ts'
import { openWorkbook } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, type WorkbookParts, worksheet } from '../../../test/build-workbook.ts'
import { HEADER, problemOf, readTexts, textField, utf16 } from '../../../test/read-workbook.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const STRICT = 'http://purl.oclc.org/ooxml'

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
    expect(table.sheets).toMatchObject({ read: 'A & B', others: ['Other'] })
  })

  it('cuts names of sheets that are longer than any program writes', async () => {
    const sheets = `<sheet name="Data" r:id="rId1"/><sheet name="${'x'.repeat(100_000)}" r:id="rId1"/>`
    const table = await openWorkbook(
      bytesSource(buildWorkbook({ rows, strings, sheets })),
      testPlatform(),
      portalGuards,
    )
    expect(table.sheets).toMatchObject({ read: 'Data', others: ['x'.repeat(100)] })
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
      records: (row) => numbers.push(row),
    })
    expect([table.headerRowNumber, ...numbers]).toEqual([3, 7, 9])
  })
})

describe('A table that continues on another sheet', () => {
  const sheets = (...names: string[]) =>
    names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId1"/>`).join('')
  it.for([
    { names: ['Data', 'Rows from 1,048,577'], why: 'in front of its continuation' },
    { names: ['Rows from 1,048,577', 'Data'], why: 'after it' },
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
