import type { Cause } from '@veridict/contract/model/cause'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { correctWorkbook } from '#output/correct-workbook.ts'
import { type CorrectedRow, CorrectionTally } from '#output/corrections.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { openTable } from '#source/open-table.ts'
import { buildWorkbook, worksheet, type WorkbookParts } from '../../test/build-workbook.ts'
import { buildZip } from '../../test/build-zip.ts'
import { checkWorkbook } from '../../test/check-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { LeftOut } from '#output/left-out.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const SHEET = 'xl/worksheets/sheet1.xml'
const CORRECTIONS = 'xl/worksheets/sheetVeridict.xml'
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const TYPES =
  '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">' +
  '<Default Extension="rels" ContentType="r"/>' +
  '<Default Extension="xml" ContentType="application/xml"/></Types>'
const xf = (numberFormat: number, fill = 0) =>
  `<xf numFmtId="${numberFormat}" fontId="0" fillId="${fill}" borderId="0" xfId="0"/>`
/** Formats: 0 plain, 1 a fill of its own, 2 a date, 3 per cent, 4 per cent by its code, 5 text. */
const STYLES =
  '<styleSheet xmlns="m"><numFmts count="1"><numFmt numFmtId="170" formatCode="0.0%;[Red]-0.0%"/></numFmts>' +
  '<fonts count="1"><font/></fonts><fills count="3"><fill/><fill/><fill><patternFill patternType="solid">' +
  '<fgColor rgb="FFFFFF00"/></patternFill></fill></fills><borders count="1"><border/></borders>' +
  `<cellStyleXfs count="1">${xf(0)}</cellStyleXfs><cellXfs count="6">` +
  `${xf(0)}${xf(0, 2)}${xf(14)}${xf(9)}${xf(170)}${xf(49)}</cellXfs></styleSheet>`

function header(...labels: string[]): string {
  const cells = labels.map((label, at) => `<c r="${'ABCDEF'[at]}1" t="str"><v>${label}</v></c>`)
  return `<row r="1">${cells.join('')}</row>`
}
const bookLinks = (links: string) => `<Relationships xmlns="r">${links}</Relationships>`
const bookLink = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${LINKS}/${type}" Target="${target}"/>`
const sheetLink = bookLink('rId1', 'worksheet', 'worksheets/sheet1.xml')
const stylesLink = bookLink('rId2', 'styles', 'styles.xml')

const workbook = (rows: string, spec: WorkbookParts = {}) =>
  buildWorkbook({
    rows: `${header('A', 'B', 'C')}${rows}`,
    ...spec,
    parts: { '[Content_Types].xml': TYPES, 'xl/styles.xml': STYLES, ...spec.parts },
  })

/** Corrections by cell, such as `B2`. */
type Corrections = Readonly<Record<string, string>>

const columnOf = (cell: string) => 'ABCDEF'.indexOf(cell[0])

function rowsOf(corrections: Corrections): CorrectedRow[] {
  const rows = new Map<number, { column: number; cause: string; original: string; value: string }[]>()
  for (const [cell, value] of Object.entries(corrections).toSorted()) {
    const number = Number(cell.slice(1))
    const correction = { column: columnOf(cell), cause: 'cause', original: `old ${cell}`, value }
    rows.set(number, [...(rows.get(number) ?? []), correction])
  }
  return [...rows]
    .map(([rowNumber, cells]) => ({ rowNumber, cells }))
    .sort((a, b) => a.rowNumber - b.rowNumber)
}

const CAUSE: Cause = {
  id: 'cause',
  kind: 'kind',
  columnPosition: 'B',
  label: 'B',
  message: 'Wrong <things>.',
  advice: '',
  cells: 7,
  rows: 7,
  firstRow: 2,
  suggestions: 7,
  examples: [],
}

/** `numbers`: columns whose field is a number. */
async function correct(
  bytes: Uint8Array,
  corrections: Corrections,
  { numbers = 'B', chunk = 64 * 1024, isChecked = true } = {},
) {
  const platform = testPlatform(chunk)
  const tally = new CorrectionTally(platform)
  const rows = rowsOf(corrections)
  const feed = { peek: async () => rows[0] ?? null, take: () => void rows.shift() }
  const details = {
    table: null,
    fileName: 'claims.xlsx',
    causes: [CAUSE],
    cellErrorCount: 9,
    passedWrong: [{ label: 'B', cells: 42 }],
    structure: NOTHING_BEFORE,
    labelOf: (column: number) => `Label ${column}`,
    isNumber: (column: number) => numbers.includes('ABCDEF'[column]),
  }
  const request = {
    source: bytesSource(bytes),
    fileName: 'claims.xlsx',
    fields: [],
    platform,
    limits: portalGuards,
  }
  const copy = await joined(correctWorkbook(feed, tally, details, request))
  if (isChecked) expect(checkWorkbook(copy)).toEqual([])
  return { bytes: copy, parts: readZip(copy), tally }
}

/** Cells are all that is corrected. */
const NOTHING_BEFORE = {
  source: bytesSource(new Uint8Array()),
  isWorkbook: true,
  found: { verdict: { kind: 'passed', recordsCount: 0 }, conclusion: null, structure: null },
  corrected: [],
  removed: [],
  leftOut: new LeftOut(),
  known: new Map(),
  rowInSource: (row: number) => row,
} as const

/** Rows with content as texts, the header first. */
async function textsOf(bytes: Uint8Array): Promise<string[][]> {
  const request = {
    source: bytesSource(bytes),
    fileName: 'a.xlsx',
    platform: testPlatform(),
    limits: portalGuards,
  }
  const table = await openTable({ ...request, fields: [] })
  const rows = (await Array.fromAsync(table.rows())).flat()
  return [table.header, ...rows.map(({ cells }) => cells)].map((cells) => [...cells])
}

/** The XML of a cell of the data sheet. */
const cellOf = (parts: ReadonlyMap<string, string>, cell: string) =>
  new RegExp(`<(\\w+:)?c r="${cell}"[^>]*?(?:/>|>.*?</(\\w+:)?c>)`, 's').exec(parts.get(SHEET)!)?.[0]

/** The colour of the fill of a cell's format. */
function colorOf(parts: ReadonlyMap<string, string>, cell: string): string | undefined {
  const style = Number(/ s="(\d+)"/.exec(cellOf(parts, cell)!)?.[1] ?? 0)
  const styles = parts.get('xl/styles.xml')!
  const format = [...styles.split('<cellXfs')[1].matchAll(/<xf [^>]*>/g)][style][0]
  const fill = [...styles.matchAll(/<fill>.*?<\/fill>|<fill\/>/gs)][
    Number(/fillId="(\d+)"/.exec(format)![1])
  ][0]
  return /fgColor rgb="(\w+)"/.exec(fill)?.[1]
}
const GREEN = /^FFA.F0B.$/

const text = (cell: string, value: string, style = 0) =>
  `<c r="${cell}" s="${style}" t="str"><v>${value}</v></c>`
const row = (number: number, ...cells: string[]) => `<row r="${number}">${cells.join('')}</row>`

describe('A corrected cell of a workbook', () => {
  it.for([
    { value: '12.5', xml: '<v>12.5</v>', why: 'a number in a column of numbers' },
    { value: '-3', xml: '<v>-3</v>', why: 'a negative number' },
    { value: '12.50', xml: 't="inlineStr"><is><t>12.50</t></is>', why: 'a number that would lose its zero' },
    { value: '007', xml: 't="inlineStr"><is><t>007</t></is>', why: 'a number that would lose its zeros' },
    { value: '9007199254740993', xml: '<is><t>9007199254740993</t></is>', why: 'a number beyond a double' },
    { value: '1e5', xml: '<is><t>1e5</t></is>', why: 'an exponent' },
    { value: 'Infinity', xml: '<is><t>Infinity</t></is>', why: 'a word that is a number in JavaScript' },
    { value: '5', numbers: 'A', xml: '<is><t>5</t></is>', why: 'digits in a column of texts' },
    { value: '=1+1', xml: '<is><t>=1+1</t></is>', why: 'never a formula' },
    { value: ' a\n<b> ', xml: '<t xml:space="preserve"> a\n&lt;b&gt; </t>', why: 'white space and markup' },
    { value: '5', style: 2, xml: '<is><t>5</t></is>', why: 'a number that would be shown as a date' },
    { value: '12.5', style: 3, xml: '<is><t>12.5</t></is>', why: 'a number that would be shown as 1250 %' },
    { value: '12.5', style: 4, xml: '<is><t>12.5</t></is>', why: 'the same by a format code' },
    { value: '12.5', style: 5, xml: '<v>12.5</v>', why: 'a number in the format for text' },
  ])('holds $why', async ({ value, numbers, style, xml }) => {
    const source = workbook(row(2, text('A2', 'a'), text('B2', 'old', style), text('C2', 'c')))
    const { bytes, parts } = await correct(source, { B2: value }, { numbers })
    expect(cellOf(parts, 'B2')).toContain(xml)
    expect((await textsOf(bytes))[1]).toEqual(['a', value, 'c'])
    expect(colorOf(parts, 'B2')).toMatch(GREEN)
  })

  it('is empty and keeps its format where the right value is empty', async () => {
    const { parts } = await correct(workbook(row(2, text('B2', 'N/A', 1))), { B2: '' })
    expect(cellOf(parts, 'B2')).toMatch(/^<c r="B2" s="\d+"\/>$/)
    expect(colorOf(parts, 'B2')).toMatch(GREEN)
  })

  it.for([
    { cell: '<c r="B2" t="s"><v>0</v></c>', why: 'a shared string' },
    { cell: '<c r="B2" t="b"><v>1</v></c>', why: 'a boolean' },
    { cell: '<c r="B2" t="e"><v>#N/A</v></c>', why: 'an error' },
    { cell: '<c r="B2" s="2"><v>45000</v></c>', why: 'a date' },
    {
      cell: '<c r="B2" t="inlineStr" ph="1"><is><r><t>a</t></r><rPh sb="0" eb="1"><t>b</t></rPh></is></c>',
      why: 'rich text',
    },
    { cell: '<c r="B2" cm="1" vm="2"><f>A2*2</f><v>4</v></c>', why: 'a formula' },
    { cell: '<c r="B2"/>', why: 'an empty cell' },
    { cell: '<c><v>5</v></c>', why: 'a cell without a reference' },
  ])('may have been $why', async ({ cell }) => {
    const source = workbook(row(2, text('A2', 'a'), cell, text('C2', 'c')), {
      strings: '<si><t>shared</t></si>',
    })
    const { bytes, parts } = await correct(source, { B2: 'new' })
    expect((await textsOf(bytes))[1]).toEqual(['a', 'new', 'c'])
    expect(parts.get(SHEET)).not.toMatch(/<f>| cm=| vm=| ph=/)
  })

  it('is corrected in a row of 40 MiB, with more rows after it', async () => {
    // A cut row is tried again with twice as many bytes: from 36 KiB on also with 36 MiB, which are too few
    // for this row, and then with 72 MiB, which are more than are held.
    const chunk = 36 * 1024
    const long = 'x'.repeat(32_767)
    const cells = Array.from({ length: 1280 }, () => `<c t="inlineStr"><is><t>${long}</t></is></c>`)
    const rows = [row(2, `<c r="A2"/>${cells.join('')}`), row(3, cells.slice(0, 800).join(''))]
    // To check so large a workbook takes a second.
    const { parts } = await correct(workbook(rows.join('')), { B2: '7' }, { chunk, isChecked: false })
    expect(parts.get(SHEET)).toContain('<v>7</v>')
    expect(parts.get(SHEET)!.match(/<row /g)).toHaveLength(3)
  })

  it('is read to its end where a chunk of the sheet cuts it', async () => {
    const cell = `<c r="B2" t="inlineStr"><is><t>${'x'.repeat(500)}</t></is></c>`
    for (const chunk of [1, 7, 64, 333]) {
      const { bytes } = await correct(
        workbook(row(2, text('A2', 'a'), cell, text('C2', 'c'))),
        { B2: 'new' },
        { chunk },
      )
      expect((await textsOf(bytes))[1]).toEqual(['a', 'new', 'c'])
    }
  })

  it('is skipped if the sheet does not have its cell, or cannot hold the value', async () => {
    const source = workbook(row(2, text('A2', 'a')))
    const { bytes, tally } = await correct(source, { A2: '\ud800', B2: 'new' })
    expect((await textsOf(bytes))[1]).toEqual(['a'])
    expect(tally).toMatchObject({ count: 0, skippedCount: 2 })
  })
})

describe('Formulas', () => {
  const shared = (cell: string, value: string, formula: string) =>
    `<c r="${cell}">${formula}<v>${value}</v></c>`
  const book = workbook(
    [
      row(2, shared('B2', '2', '<f t="shared" ref="B2:B5" si="0">A2*2</f>')),
      row(3, shared('B3', '3', '<f t="shared" si="0"/>')),
      row(
        4,
        shared('B4', '4', '<f t="shared" si="0"></f>'),
        shared('C4', '9', '<f t="shared" ref="C4:C5" si="1">A4</f>'),
      ),
      row(5, shared('B5', '5', '<f t="shared" si="0"/>'), shared('C5', '9', '<f t="shared" si="1"/>')),
    ].join(''),
    {
      parts: {
        'xl/calcChain.xml': '<calcChain xmlns="m"><c r="B2" i="1"/></calcChain>',
        '[Content_Types].xml': TYPES.replace(
          '</Types>',
          '<Override PartName="/xl/calcChain.xml" ContentType="c"/></Types>',
        ),
        'xl/_rels/workbook.xml.rels': bookLinks(
          `${sheetLink}${stylesLink}` +
            `<Relationship Id="rId3" Type="${LINKS}/calcChain" Target="calcChain.xml"></Relationship>`,
        ),
      },
    },
  )

  it('become their results, those of a shared formula included', async () => {
    for (const chunk of [5, 64 * 1024]) {
      const { bytes, parts } = await correct(book, { B2: '7' }, { chunk })
      expect(await textsOf(bytes)).toEqual([
        ['A', 'B', 'C'],
        ['', '7'],
        ['', '3'],
        ['', '4', '9'],
        ['', '5', '9'],
      ])
      expect(parts.get(SHEET)).not.toContain('<f')
      expect(parts.get('xl/worksheets/aboutVeridict.xml')).toContain('5 formulas (the values are here)')
      expect(parts.get(CORRECTIONS)).toContain('they were not calculated again')
    }
  })

  it('leave no order of calculation', async () => {
    const { parts } = await correct(book, { B2: '7' })
    expect([...parts].filter(([name, content]) => /calcChain/.test(name + content))).toEqual([])
  })

  it('of an area become the results of its cells, and each may be corrected', async () => {
    for (const type of ['array', 'dataTable']) {
      const area = `<f t="${type}" ref="B2:$C$3">A2</f>`
      const source = workbook(
        row(2, `<c r="B2">${area}<v>1</v></c><c r="C2"><v>2</v></c>`) +
          row(3, text('A3', 'a'), '<c r="B3"><v>3</v></c><c r="C3"><v>4</v></c>'),
      )
      const { bytes, parts, tally } = await correct(source, { C2: '7', B3: '8' })
      expect(await textsOf(bytes)).toEqual([
        ['A', 'B', 'C'],
        ['', '1', '7'],
        ['a', '8', '4'],
      ])
      expect(parts.get(SHEET)).not.toContain('<f')
      expect(tally).toMatchObject({ count: 2, skippedCount: 0 })
    }
  })
})

describe('The corrected copy of a workbook', () => {
  const source = workbook(row(2, text('A2', 'a', 1), text('B2', 'b', 1)) + row(4, text('B4', 'c')), {
    sheets:
      '<sheet name="Secret" sheetId="3" state="hidden" r:id="rId9"/>' +
      '<sheet name="Data" sheetId="7" r:id="rId1"/>' +
      '<sheet name="corrections" sheetId="2" r:id="rId9"/>',
    parts: {
      'xl/_rels/workbook.xml.rels': bookLinks(
        sheetLink + stylesLink + bookLink('rId9', 'worksheet', 'worksheets/sheet2.xml'),
      ),
      'xl/worksheets/sheet2.xml': worksheet(''),
    },
  })

  it('differs in the corrected cells only, and they are green', async () => {
    const { bytes, parts } = await correct(source, { B2: '7' })
    expect(await textsOf(bytes)).toEqual([
      ['A', 'B', 'C'],
      ['a', '7'],
      ['', 'c'],
    ])
    const before = readZip(source)
    const unchanged = parts.get(SHEET)!.replace(cellOf(parts, 'B2')!, cellOf(before, 'B2')!)
    expect(unchanged).toBe(before.get(SHEET))
    expect(parts.get('xl/worksheets/sheet2.xml')).toBe(before.get('xl/worksheets/sheet2.xml'))
    expect([colorOf(parts, 'A2'), colorOf(parts, 'B2')]).toEqual(['FFFFFF00', expect.stringMatching(GREEN)])
  })

  it('says on a last sheet of a free name what was done, and what was not', async () => {
    const { parts } = await correct(source, { B2: '7', B4: ' x ' })
    const tags = [...parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]+)" sheetId="(\d+)"/g)]
    expect(tags.map(([, name, id]) => `${id} ${name}`)).toEqual([
      '3 Secret',
      '7 Data',
      '2 corrections',
      '8 About this file',
      '9 Corrections 2',
    ])
    const rows = parts.get(CORRECTIONS)!.match(/<row .*?<\/row>/gs)!
    const lines = rows.map((tag) => [...tag.matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gs)].map(([, cell]) => cell))
    expect(lines).toEqual([
      ['Corrected copy of claims.xlsx'],
      ['2 cells corrected; green on the sheet &quot;Data&quot;. All other values are as they were.'],
      ['Bad cells that are not corrected: 7.'],
      [expect.stringContaining('B: 42 cells passed with day and month swapped')],
      ['Corrected', 'Col.', 'Label', 'What was wrong', 'Not corrected'],
      ['2', 'B', 'B', 'Wrong &lt;things&gt;.', '5'],
      ['Row', 'Col.', 'Label', 'Before', 'After'],
      ['2', 'B', 'Label 1', 'old B2', '7'],
      ['4', 'B', 'Label 1', 'old B4', ' x '],
    ])
  })

  it('is the same each time, and can be corrected again', async () => {
    const first = await correct(source, { B2: '7' })
    expect((await correct(source, { B2: '7' })).bytes).toEqual(first.bytes)
    const second = await correct(first.bytes, { B2: '8', A2: '9' })
    expect(await textsOf(second.bytes)).toEqual([
      ['A', 'B', 'C'],
      ['9', '8'],
      ['', 'c'],
    ])
    const names = [...second.parts.get('xl/workbook.xml')!.matchAll(/<sheet name="([^"]+)"/g)].map(
      ([, name]) => name,
    )
    expect(names.slice(-2)).toEqual(['Corrections 2', 'Corrections 3'])
  })

  const cells = row(2, text('A2', 'a'), text('B2', 'b'))
  const prefixed = (header('A', 'B') + cells).replace(/<(\/?)/g, '<$1x:')
  it.for<{ why: string; parts: NonNullable<WorkbookParts['parts']> }>([
    {
      why: 'without styles',
      parts: { 'xl/styles.xml': null, 'xl/_rels/workbook.xml.rels': bookLinks(sheetLink) },
    },
    {
      why: 'with prefixed names',
      parts: {
        [SHEET]: `<x:worksheet xmlns:x="m"><x:sheetData>${prefixed}</x:sheetData></x:worksheet>`,
        'xl/workbook.xml':
          `<y:workbook xmlns:y="m" xmlns:z="${LINKS}"><y:sheets>` +
          '<y:sheet name="Data" sheetId="1" z:id="rId1"/></y:sheets></y:workbook>',
      },
    },
  ])('is valid for a source $why', async ({ parts }) => {
    const { bytes } = await correct(workbook(cells, { parts }), { B2: '<7>', A2: '' })
    expect((await textsOf(bytes))[1]).toEqual(['', '<7>'])
  })

  it('keeps a strict workbook strict', async () => {
    const strict = (xml: string) =>
      xml
        .replaceAll(
          'http://schemas.openxmlformats.org/officeDocument/2006',
          'http://purl.oclc.org/ooxml/officeDocument',
        )
        .replaceAll(
          'http://schemas.openxmlformats.org/spreadsheetml/2006',
          'http://purl.oclc.org/ooxml/spreadsheetml',
        )
    const bytes = buildZip(
      [...readZip(workbook(row(2, text('B2', 'b'))))].map(([name, xml]) => [name, strict(xml)] as const),
    )
    const { parts } = await correct(bytes, { B2: '7' })
    expect([...parts.values()].join('')).not.toMatch(
      /schemas\.openxmlformats\.org\/(?:officeDocument|spreadsheetml)/,
    )
  })
})

describe('The red marks of an earlier Highlighted file', () => {
  const fields = ['A', 'B', 'C'].map((name) => ({
    name,
    description: '',
    category: '',
    required: false,
    rule: { type: 'number' as const },
  }))

  it('go where the cell is corrected, note and fill, and stay elsewhere', async () => {
    const source = workbook(row(2, text('A2', 'a', 1), text('B2', 'b', 1)))
    const request = {
      source: bytesSource(source),
      fileName: 'a.xlsx',
      fields,
      platform: testPlatform(),
      limits: portalGuards,
    }
    const highlighted = await joined(writeHighlightedFile(request))
    const { bytes, parts } = await correct(highlighted, { B2: '7' })
    const notes = [...parts.get('xl/commentsVeridict.xml')!.matchAll(/<comment ref="(\w+)"/g)].map(
      ([, cell]) => cell,
    )
    expect(notes).toEqual(['A2'])
    expect(parts.get('xl/drawings/vmlDrawingVeridict.vml')!.match(/<x:Row>/g)).toHaveLength(1)
    expect([colorOf(parts, 'A2'), colorOf(parts, 'B2')]).toEqual([
      expect.stringMatching(/^FFFF8.9.$/),
      expect.stringMatching(GREEN),
    ])
    const again = await joined(writeHighlightedFile({ ...request, source: bytesSource(bytes) }))
    expect(checkWorkbook(again)).toEqual([])
    expect(colorOf(readZip(again), 'A2')).toMatch(/^FFFF8.9.$/)
  })

  it('restore the colour below when a green cell is bad and later right again', async () => {
    const source = workbook(row(2, text('B2', 'b', 1)))
    const green = (await correct(source, { B2: 'x' })).bytes
    const request = { fileName: 'a.xlsx', fields, platform: testPlatform(), limits: portalGuards }
    const red = await joined(writeHighlightedFile({ ...request, source: bytesSource(green) }))
    expect(colorOf(readZip(red), 'B2')).toMatch(/^FFFF8.9.$/)
    const right = buildZip(
      [...readZip(red)].map(([name, xml]) => [name, xml.replace('<t>x</t>', '<t>5</t>')] as const),
    )
    const plain = readZip(await joined(writeHighlightedFile({ ...request, source: bytesSource(right) })))
    expect(colorOf(plain, 'B2')).toBe('FFFFFF00')
  })
})

describe('Any workbook', () => {
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '5',
      '-0.25',
      '1e3',
      '00',
      ' x ',
      '_x000D_',
      '\u0001',
      'a\nb',
      '<&">',
      '31/12/2024',
      'TRUE',
    ),
    fc
      .string({ unit: 'grapheme', maxLength: 8 })
      .filter((cell) => !/[\0\u001a\ufffd]/.test(cell) && cell.isWellFormed()),
  )
  const cell = fc.record({
    old: fc.constantFrom('<v>5</v>', '<f>1+1</f><v>2</v>', ' t="str"><v>x</v>', ' t="b"><v>1</v>', ''),
    style: fc.nat(5),
    value: fc.option(value),
  })
  const sheets = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  const cellXml = (name: string, { old, style }: { old: string; style: number }) => {
    if (old === '') return `<c r="${name}" s="${style}"/>`
    return `<c r="${name}" s="${style}"${old.startsWith('<') ? '>' : ''}${old}</c>`
  }

  it('has exactly the changed values in its copy, however its sheet is cut into chunks', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, fc.integer({ min: 20, max: 2000 }), async (rows, chunk) => {
        const names = rows.map((cells, index) => cells.map((_, column) => `${'ABCD'[column]}${index + 2}`))
        const tags = rows.map((cells, index) =>
          row(index + 2, ...cells.map((given, column) => cellXml(names[index][column], given))),
        )
        const source = buildWorkbook({
          rows: header('A', 'B', 'C', 'D') + tags.join(''),
          parts: { '[Content_Types].xml': TYPES, 'xl/styles.xml': STYLES },
        })
        const corrections = Object.fromEntries(
          rows.flatMap((cells, index) =>
            cells.flatMap((given, column) =>
              given.value === null ? [] : [[names[index][column], given.value]],
            ),
          ),
        )
        const copy = await correct(source, corrections, { numbers: 'BD', chunk })
        const [before, after] = [await cellsOf(source), await cellsOf(copy.bytes)]
        for (const [name, value] of Object.entries(corrections)) before.set(name, value)
        expect(withoutBlank(after)).toEqual(withoutBlank(before))
        expect(copy.tally.count).toBe(Object.keys(corrections).length)
      }),
      { numRuns: runs(5) },
    )
  })

  async function cellsOf(bytes: Uint8Array): Promise<Map<string, string>> {
    const request = {
      source: bytesSource(bytes),
      fileName: 'a.xlsx',
      platform: testPlatform(),
      limits: portalGuards,
    }
    const table = await openTable({ ...request, fields: [] })
    const cells = new Map<string, string>()
    for await (const batch of table.rows())
      for (const { rowNumber, cells: texts } of batch)
        for (const [column, cellText] of texts.entries()) cells.set(`${'ABCD'[column]}${rowNumber}`, cellText)
    return cells
  }

  /** Blank cells at the end of a row, and blank rows, are not read. */
  const withoutBlank = (cells: ReadonlyMap<string, string>) =>
    new Map([...cells].filter(([, cellText]) => cellText.trim() !== '').toSorted())
})
