import type { Field } from '@veridict/contract/model/field'
import type { Rule } from '@veridict/contract/model/rule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeDictionary } from '#dictionary-file/write-dictionary.ts'
import { writeTemplate } from '#dictionary-file/write-template.ts'
import { notesDrawing } from '#formats/spreadsheet/write-notes.ts'
import { portalGuards } from '#limits.ts'
import { writeErrorsFile } from '#output/errors-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { buildWorkbook, worksheet, type WorkbookParts } from '../../test/build-workbook.ts'
import { buildZip } from '../../test/build-zip.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

/**
 * Excel offers to repair an invalid workbook, and people then no longer trust it. Excel cannot run here, so
 * our workbooks are checked against its rules.
 */

const field = (name: string, rule: Rule, required = false): Field => ({
  name,
  description: 'What it <means> & why',
  category: '',
  required,
  rule,
})
const FIELDS = [
  field('Id', { type: 'text', minLength: 2, maxLength: 9 }, true),
  field('Amount "net" <EUR>', { type: 'number', scale: 2, minimum: 0, maximum: 1000 }),
  field('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
  field('Code', { type: 'pattern', pattern: '[A-Z]{2}&[0-9]+' }),
  field('State', {
    type: 'list',
    options: Array.from({ length: 60 }, (_, index) => `State "${index}" & more`),
  }),
]
const HEADER = FIELDS.map(({ name }) => name)

const request = (bytes: Uint8Array, fileName = 'a.xlsx') => ({
  source: bytesSource(bytes),
  fileName,
  fields: FIELDS,
  platform: testPlatform(),
  limits: portalGuards,
})
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
const csvOf = (rows: readonly (readonly string[])[]) =>
  request(new Uint8Array(Buffer.from(rows.map((cells) => cells.map(quoted).join(',')).join('\n'))), 'a.csv')

const text = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\n',
    ' x ',
    '=1+1',
    '_x000D_',
    '\u0001',
    '\ufffe',
    'a\r\nb',
    ']]>',
    '<&">',
    "'",
    '😀',
    '31/12/2024',
    '12',
    'x'.repeat(32_767),
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }).filter((cell) => !/[\0\ufffd]/.test(cell)),
)
const tables = fc
  .tuple(
    fc.constantFrom(HEADER, HEADER.toReversed(), ['', ...HEADER], HEADER.slice(1)),
    fc.array(fc.array(text, { minLength: 1, maxLength: 7 }), { maxLength: 6 }),
  )
  .map(([header, rows]) => [header, ...rows])

describe('A workbook written from scratch is valid:', () => {
  it('error files of any CSV file', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (rows) => {
        expect(checkWorkbook(await joined(writeHighlightedFile(csvOf(rows))))).toEqual([])
        expect(checkWorkbook(await joined(writeErrorsFile(csvOf(rows))))).toEqual([])
      }),
      { numRuns: runs(5) },
    )
  })

  it.for([
    { why: 'plain', cell: 'x'.repeat(40_000) },
    { why: 'beyond the first plane', cell: `a${'😀'.repeat(17_000)}` },
    { why: 'quoted', cell: `"${'""'.repeat(40_000)}"` },
    { why: 'never closed', cell: `"${'é'.repeat(40_000)}` },
  ])('unchecked cells under a header that does not match: $why', async ({ cell }) => {
    const csv = request(new Uint8Array(Buffer.from(`Other\n${cell}\n`)), 'a.csv')
    const bytes = await joined(writeHighlightedFile(csv))
    expect(checkWorkbook(bytes)).toEqual([])
    const [, text] = /<row r="2">.*?<t[^>]*>(.*?)<\/t>/s.exec(
      readZip(bytes).get('xl/worksheets/sheet1.xml')!,
    )!
    const whole = cell.replace(/^"|"$/g, '').replaceAll('""', '"')
    expect(text.replaceAll('&quot;', '"').trimEnd()).toBe(
      whole.slice(0, 32_767).replace(/[\uD800-\uDBFF]$/, ''),
    )
  })

  it('dictionaries and templates', async () => {
    const dictionary = {
      name: "It's a [dictionary] with a name that is longer than any sheet's",
      fields: FIELDS,
    }
    for (const fields of [FIELDS, []]) {
      expect(checkWorkbook(await joined(writeDictionary({ ...dictionary, fields }, testPlatform())))).toEqual(
        [],
      )
    }
    expect(checkWorkbook(await joined(writeTemplate(dictionary, testPlatform())))).toEqual([])
  })
})

const headings = ['Id', 'Amount &quot;net&quot; &lt;EUR&gt;', 'Day', 'Code', 'State'].map(
  (name, index) => `<c r="${'ABCDE'[index]}1" t="str"><v>${name}</v></c>`,
)
const headerRow = `<row r="1">${headings.join('')}</row>`
const rows =
  `${headerRow}<row r="2"><c r="A2" s="1" t="str"><v>x</v></c><c r="C2"><v>5</v></c></row>` +
  '<row r="4"><c r="B4" t="str"><v>abc</v></c></row>'
const links = (tags: string) =>
  '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' +
  `${tags}</Relationships>`
const link = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" ` +
  `Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" ` +
  `Target="${target}"/>`
const xf = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"/>'
const STYLES =
  '<styleSheet><fonts count="1"><font/></fonts><fills count="2"><fill/><fill/></fills>' +
  `<borders count="1"><border/></borders><cellStyleXfs count="1">${xf}</cellStyleXfs>` +
  `<cellXfs count="2">${xf}${xf}</cellXfs><dxfs count="1"><dxf/></dxfs></styleSheet>`
const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="r"/>' +
  '<Default Extension="xml" ContentType="application/xml"/></Types>'
const styled = (parts: WorkbookParts['parts'] = {}): WorkbookParts => ({
  rows,
  parts: { '[Content_Types].xml': TYPES, 'xl/styles.xml': STYLES, ...parts },
})

describe('A Highlighted workbook is valid if its source was', () => {
  it.for<{ why: string; spec: WorkbookParts }>([
    { why: 'plain', spec: styled() },
    {
      why: 'without styles',
      spec: {
        rows: rows.replaceAll(' s="1"', ''),
        parts: {
          '[Content_Types].xml': TYPES,
          'xl/styles.xml': null,
          'xl/_rels/workbook.xml.rels': links(link('rId1', 'worksheet', 'worksheets/sheet1.xml')),
        },
      },
    },
    {
      why: 'with a type for each part, links included',
      spec: styled({
        '[Content_Types].xml':
          '<Types xmlns="t"><Default Extension="xml" ContentType="application/xml"/>' +
          '<Override PartName="/_rels/.rels" ContentType="r"/>' +
          '<Override PartName="/xl/_rels/workbook.xml.rels" ContentType="r"/></Types>',
      }),
    },
    {
      why: 'with everything that may follow the rows',
      spec: styled({
        'xl/worksheets/sheet1.xml': worksheet(
          rows,
          '<sheetProtection sheet="1"/><autoFilter ref="A1:E4"/><mergeCells count="1">' +
            '<mergeCell ref="A9:B9"/></mergeCells><conditionalFormatting sqref="A1">' +
            '<cfRule type="expression" dxfId="0" priority="1">' +
            '<formula>1</formula></cfRule></conditionalFormatting><conditionalFormatting sqref="A2"/>' +
            '<dataValidations count="1"><dataValidation sqref="A1"/></dataValidations><hyperlinks>' +
            '<hyperlink ref="A1" r:id="rId5"/></hyperlinks><pageMargins left="1"/><pageSetup/>' +
            '<headerFooter/><ignoredErrors/><drawing r:id="rId6"/><legacyDrawingHF r:id="rId7"/>' +
            '<tableParts count="1"><tablePart r:id="rId8"/></tableParts><extLst/>',
        ),
        'xl/worksheets/_rels/sheet1.xml.rels': links(
          ['drawing', 'vmlDrawing', 'table']
            .map((type, index) => link(`rId${index + 6}`, type, '../any.xml'))
            .join('') +
            '<Relationship Id="rId5" Type="x/hyperlink" Target="https://example.com" TargetMode="External"/>',
        ),
        'xl/any.xml': '<any/>',
      }),
    },
    {
      why: 'with extensions in its conditional formats and views, which are not those of the sheet',
      spec: styled({
        'xl/worksheets/sheet1.xml': worksheet(
          rows,
          '<customSheetViews><customSheetView><pageMargins left="1"/>' +
            '<extLst/></customSheetView></customSheetViews><conditionalFormatting sqref="B2:B4">' +
            '<cfRule type="dataBar" priority="1"><dataBar/><extLst>' +
            '<ext uri="{B025F937-C7B1-47D3-B67F-A62EFF666E3E}"/></extLst></cfRule>' +
            '</conditionalFormatting><pageMargins left="1"/><extLst>' +
            '<ext xmlns:x14="x" uri="{78C0D931-6437-407d-A8EE-F0AAD7539E65}">' +
            '<x14:conditionalFormattings/></ext></extLst>',
        ),
      }),
    },
    {
      why: 'with controls that are alternatives',
      spec: styled({
        'xl/worksheets/sheet1.xml': worksheet(
          rows,
          '<mc:AlternateContent xmlns:mc="mc"><mc:Choice xmlns:x14="x" Requires="x14"><controls>' +
            '<mc:AlternateContent><mc:Choice Requires="x14">' +
            '<control r:id="rId1"/></mc:Choice></mc:AlternateContent></controls></mc:Choice>' +
            '</mc:AlternateContent><tableParts count="0"/>',
        ),
        'xl/worksheets/_rels/sheet1.xml.rels': links(link('rId1', 'ctrlProp', '../any.xml')),
        'xl/any.xml': '<any/>',
      }),
    },
    {
      why: 'with alternatives among its formats',
      spec: styled({
        'xl/styles.xml': STYLES.replace(
          `${xf}${xf}</cellXfs>`,
          '<mc:AlternateContent xmlns:mc="mc"><mc:Choice xmlns:hs="h" Requires="hs">' +
            `${xf}</mc:Choice><mc:Fallback>${xf}</mc:Fallback></mc:AlternateContent>${xf}</cellXfs>`,
        ),
      }),
    },
    {
      why: 'with formats and without fills',
      spec: styled({
        'xl/styles.xml':
          '<styleSheet><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      }),
    },
    {
      why: 'with a sheet that was the first one when it was highlighted',
      spec: styled({
        '[Content_Types].xml': TYPES.replace(
          '</Types>',
          '<Default Extension="vml" ContentType="v"/></Types>',
        ),
        'xl/workbook.xml':
          '<workbook xmlns:r="r"><sheets><sheet name="New" sheetId="2" r:id="rId1"/>' +
          '<sheet name="Old" sheetId="1" r:id="rId3"/></sheets></workbook>',
        'xl/_rels/workbook.xml.rels': links(
          link('rId1', 'worksheet', 'worksheets/sheet1.xml') +
            link('rId2', 'styles', 'styles.xml') +
            link('rId3', 'worksheet', 'worksheets/sheet2.xml'),
        ),
        'xl/worksheets/sheet2.xml': worksheet(rows, '<legacyDrawing r:id="rIdVeridictNotes"/>'),
        'xl/worksheets/_rels/sheet2.xml.rels': links(
          link('rIdVeridictNotes', 'vmlDrawing', '/xl/drawings/vmlDrawingVeridict.vml') +
            link('rIdVeridictComments', 'comments', '/xl/commentsVeridict.xml'),
        ),
        'xl/drawings/vmlDrawingVeridict.vml':
          '<xml xmlns:v="v" xmlns:x="x"><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Note">' +
          '<x:Row>1</x:Row><x:Column>0</x:Column></x:ClientData></v:shape></xml>',
        'xl/commentsVeridict.xml':
          '<comments xmlns="m"><authors><author>Veridict</author></authors><commentList>' +
          '<comment ref="A2" authorId="0"><text>' +
          '<t>old</t></text></comment></commentList></comments>',
      }),
    },
    {
      why: 'with notes of its own, one of them on a bad cell',
      spec: styled({
        '[Content_Types].xml': TYPES.replace(
          '</Types>',
          '<Default Extension="vml" ContentType="v"/></Types>',
        ),
        'xl/worksheets/sheet1.xml': worksheet(rows, '<legacyDrawing r:id="rId1"/>'),
        'xl/worksheets/_rels/sheet1.xml.rels': links(
          link('rId1', 'vmlDrawing', '../v.vml') + link('rId2', 'comments', '/xl/c.xml'),
        ),
        'xl/v.vml':
          '<xml xmlns:v="v" xmlns:x="x"><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Note">' +
          '<x:Row>1</x:Row><x:Column>0</x:Column></x:ClientData></v:shape>' +
          '<v:shape id="_x0000_s1026"><x:ClientData ObjectType="Note"><x:Row>8</x:Row>' +
          '<x:Column>0</x:Column></x:ClientData></v:shape></xml>',
        'xl/c.xml':
          '<comments xmlns="m"><authors><author>me</author></authors><commentList>' +
          '<comment ref="A2" authorId="0"><text><r><t>mine</t></r></text></comment>' +
          '<comment ref="A9" authorId="0"><text>' +
          '<t>also</t></text></comment></commentList></comments>',
      }),
    },
    {
      why: 'with prefixed names',
      spec: styled({
        'xl/worksheets/sheet1.xml':
          '<x:worksheet xmlns:x="m"><x:sheetData>' +
          `${rows.replace(/<(\/?)/g, '<$1x:')}</x:sheetData></x:worksheet>`,
        'xl/styles.xml': STYLES.replace(/<(\/?)/g, '<$1y:').replace('<y:styleSheet', '$& xmlns:y="m"'),
      }),
    },
  ])('$why', async ({ spec }) => {
    const source = buildWorkbook(spec)
    expect(checkWorkbook(source)).toEqual([])
    const first = await joined(writeHighlightedFile(request(source)))
    expect(checkWorkbook(first)).toEqual([])
    const corrected = buildZip(
      [...readZip(first)].map(
        ([name, content]) => [name, content.replace('<v>abc</v>', '<v>1</v>')] as const,
      ),
    )
    expect(checkWorkbook(await joined(writeHighlightedFile(request(corrected))))).toEqual([])
  })
})

it.for([
  { mine: '', why: 'alone' },
  { mine: 'mine '.repeat(1000), why: 'below an existing one' },
])('A note is no longer than Excel allows: $why', async ({ mine }) => {
  const note =
    '<comments><authors><author>me</author></authors><commentList>' +
    '<comment ref="B4" authorId="0"><text><t>' +
    `${mine}</t></text></comment></commentList></comments>`
  const spec = styled({
    '[Content_Types].xml': TYPES.replace('</Types>', '<Default Extension="vml" ContentType="v"/></Types>'),
    'xl/worksheets/sheet1.xml': worksheet(rows, mine === '' ? '' : '<legacyDrawing r:id="rId1"/>'),
    'xl/worksheets/_rels/sheet1.xml.rels': links(
      mine === '' ? '' : link('rId1', 'vmlDrawing', '../v.vml') + link('rId2', 'comments', '/xl/c.xml'),
    ),
    'xl/v.vml':
      '<xml xmlns:v="v" xmlns:x="x"><v:shape id="_x0000_s1025"><x:ClientData ObjectType="Note">' +
      '<x:Row>3</x:Row><x:Column>1</x:Column></x:ClientData></v:shape></xml>',
    'xl/c.xml': note,
  })
  const long = Array.from({ length: 3 }, (_, index) => `${index} ${'&'.repeat(30_000)}`)
  const fields = FIELDS.with(1, field(FIELDS[1].name, { type: 'list', options: long }))
  const parts = await joined(writeHighlightedFile({ ...request(buildWorkbook(spec)), fields }))
  expect(checkWorkbook(parts)).toEqual([])
})

it.for([
  { room: 1, why: 'red even if there is room for one more format only' },
  { room: 0, why: 'noted even if there is no room for more formats' },
])('A bad cell is $why', async ({ room }) => {
  const count = 65_490 - room
  const formats = `<xf numFmtId="14" fontId="0" fillId="0" borderId="0"/>${xf.repeat(count - 1)}`
  const spec = styled({
    'xl/styles.xml': STYLES.replace(
      /<cellXfs.*<\/cellXfs>/,
      `<cellXfs count="${count}">${formats}</cellXfs>`,
    ),
  })
  const parts = readZip(await joined(writeHighlightedFile(request(buildWorkbook(spec)))))
  const bad = parts.get('xl/commentsVeridict.xml')!.match(/<comment /g)
  expect(bad!.length).toBeGreaterThan(2)
  const red = parts.get('xl/worksheets/sheet1.xml')!.match(/<c [^>]*s="65489"/g) ?? []
  expect(red).toHaveLength(room * bad!.length)
  const [, written = ''] = /<cellXfs([^]*)<\/cellXfs>/.exec(parts.get('xl/styles.xml')!) ?? []
  expect(written.match(/<xf /g)).toHaveLength(65_490)
})

it('A strict workbook stays strict, except for the drawing of its notes', async () => {
  const strict = (text: string) =>
    text
      .replaceAll(
        'http://schemas.openxmlformats.org/officeDocument/2006',
        'http://purl.oclc.org/ooxml/officeDocument',
      )
      .replaceAll(
        'http://schemas.openxmlformats.org/spreadsheetml/2006',
        'http://purl.oclc.org/ooxml/spreadsheetml',
      )
  const spec = styled({
    'xl/styles.xml': null,
    'xl/_rels/workbook.xml.rels': links(link('rId1', 'worksheet', 'worksheets/sheet1.xml')),
    'xl/worksheets/sheet1.xml': worksheet(
      rows.replaceAll(' s="1"', ''),
      '<pageMargins left="1"/><tableParts count="0"/>',
    ),
  })
  const source = buildZip(
    [...readZip(buildWorkbook(spec))].map(([name, text]) => [name, strict(text)] as const),
  )
  let bytes = source
  for (let round = 0; round < 2; round++) {
    bytes = await joined(writeHighlightedFile(request(bytes)))
    expect(checkWorkbook(bytes)).toEqual([])
    const parts = readZip(bytes)
    for (const part of ['xl/styles.xml', 'xl/commentsVeridict.xml']) {
      expect(parts.get(part)).toContain(' xmlns="http://purl.oclc.org/ooxml/spreadsheetml/main"')
    }
    const types = [...parts.get('xl/worksheets/_rels/sheet1.xml.rels')!.matchAll(/ Type="([^"]+)"/g)].map(
      ([, type]) => type,
    )
    expect(types).toEqual([
      'http://purl.oclc.org/ooxml/officeDocument/relationships/comments',
      'http://schemas.openxmlformats.org/officeDocument/2006/relationships/vmlDrawing',
    ])
    const drawing = '<legacyDrawing xmlns:r="http://purl[^>]*/>'
    const alternative = `<mc:AlternateContent [^>]*><mc:Choice [^>]*Requires="v">${drawing}</mc:Choice>`
    expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(
      new RegExp(`<pageMargins left="1"/>${alternative}</mc:AlternateContent><tableParts`),
    )
  }
})

it.for([{ backslashes: true }, { leadingSlash: true }])(
  'Parts bear the names that a package gives them: %j',
  async (zip) => {
    const written = await joined(writeHighlightedFile(request(buildWorkbook({ ...styled(), zip }))))
    expect(checkWorkbook(written)).toEqual([])
    expect([...readZip(written).keys()].filter((name) => /\\|^\//.test(name))).toEqual([])
  },
)

it('Types and links of missing parts are not duplicated', async () => {
  const styles = '<Override PartName="/xl/Styles.xml" ContentType="s"/>'
  const spec = styled({
    'xl/styles.xml': null,
    '[Content_Types].xml': TYPES.replace('</Types>', `${styles}</Types>`),
  })
  const written = await joined(
    writeHighlightedFile(request(buildWorkbook({ ...spec, rows: rows.replaceAll(' s="1"', '') }))),
  )
  expect(checkWorkbook(written)).toEqual([])
  expect(
    readZip(written)
      .get('xl/_rels/workbook.xml.rels')!
      .match(/\/styles"/g),
  ).toHaveLength(1)
})

it('Our own styles part has the name that programs expect', async () => {
  const spec = styled({
    'xl/styles.xml': null,
    'xl/_rels/workbook.xml.rels': links(link('rId1', 'worksheet', 'worksheets/sheet1.xml')),
  })
  const written = await joined(
    writeHighlightedFile(request(buildWorkbook({ ...spec, rows: rows.replaceAll(' s="1"', '') }))),
  )
  expect(readZip(written).has('xl/styles.xml')).toBe(true)
})

it('A drawing lists the blocks of its ids', async () => {
  for (const [count, blocks] of [
    [1023, '1'],
    [1024, '1,2'],
    [2047, '1,2'],
    [2048, '1,2,3'],
  ] as const) {
    const drawing = [
      ...notesDrawing(Array.from({ length: count }, (_, row) => ({ row, column: 0, text: '' }))),
    ].join('')
    expect(drawing).toContain(`<o:idmap v:ext="edit" data="${blocks}"/>`)
    const last = Math.max(...[...drawing.matchAll(/ id="_x0000_s(\d+)"/g)].map(([, id]) => Number(id)))
    expect(Math.floor(last / 1024)).toBe(Number(blocks.at(-1)))
  }
})

describe('The check of workbooks', () => {
  const source = buildWorkbook(styled())
  it.for([
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '</sheetData>',
      to: '</sheetData><tableParts/><pageMargins/>',
      why: 'elements out of order',
    },
    { part: 'xl/worksheets/sheet1.xml', from: 's="1"', to: 's="2"', why: 'a format that does not exist' },
    { part: 'xl/worksheets/sheet1.xml', from: 's="1"', to: 's="1" s="1"', why: 'a duplicate attribute' },
    { part: 'xl/worksheets/sheet1.xml', from: 'r="A2"', to: 'r="D2"', why: 'cells out of order' },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '</sheetData>',
      to: '</sheetData><drawing r:id="rId9"/>',
      why: 'a dangling link',
    },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '<v>x</v>',
      to: '<v>\u0001</v>',
      why: 'a character that XML does not allow',
    },
    { part: 'xl/styles.xml', from: 'cellXfs count="2"', to: 'cellXfs count="3"', why: 'a wrong count' },
    { part: 'xl/styles.xml', from: 'fontId="0"', to: 'fontId="1"', why: 'a font that does not exist' },
    {
      part: 'xl/workbook.xml',
      from: 'name="Data"',
      to: 'name="a/b"',
      why: 'a sheet name that is not allowed',
    },
    {
      part: '[Content_Types].xml',
      from: '<Default Extension="xml"',
      to: '<Default Extension="txt"',
      why: 'a part without a type',
    },
    { part: 'xl/_rels/workbook.xml.rels', from: 'Id="rId2"', to: 'Id="rId1"', why: 'a duplicate link id' },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '<sheetData>',
      to: '<x:sheetData/><sheetData>',
      why: 'a prefix that is not declared',
    },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: ' xmlns=',
      to: ' xmlns:mc="m" mc:Ignorable="x14ac" xmlns=',
      why: 'an ignorable prefix that is not declared',
    },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '<sheetData>',
      to: '<cols><col min="1" max="1" width="256"/></cols><sheetData>',
      why: 'a column that is too wide',
    },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '<sheetData>',
      to: '<cols><col min="2" max="3"/><col min="3" max="3"/></cols><sheetData>',
      why: 'columns out of order',
    },
    {
      part: 'xl/worksheets/sheet1.xml',
      from: '</sheetData>',
      to: `</sheetData><hyperlinks>${'<hyperlink ref="A1"/>'.repeat(65_531)}</hyperlinks>`,
      why: 'more links than Excel allows',
    },
  ])('finds $why', ({ part, from, to }) => {
    const broken = buildZip(
      [...readZip(source)].map(
        ([name, content]) => [name, name === part ? content.replace(from, to) : content] as const,
      ),
    )
    expect(checkWorkbook(broken)).not.toEqual([])
  })
})
