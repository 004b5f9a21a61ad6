import { cellErrorKinds } from '@veridict/contract/messages/cells'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { portalGuards } from '#limits.ts'
import { writeErrorsFile } from '#output/errors-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { openTable } from '#source/open-table.ts'
import type { TableSource } from '#source/table-source.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook, worksheet, type WorkbookParts } from '../../test/build-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { isLong, runs } from '../../test/runs.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Id', { type: 'text', minLength: 2 }, true),
  field('Amount', { type: 'number', scale: 2 }),
  field('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
]
const CSV = 'Id,Amount,Day\n007,1.50,01/02/2024\n\nx,abc,\n"a ""b"" & <c>",=1+1,31/12/2024,extra\n01,2\n'

const request = (bytes: Uint8Array, fileName: string, fields = FIELDS) => ({
  source: bytesSource(bytes),
  fileName,
  fields,
  platform: testPlatform(),
  limits: portalGuards,
})
const ofCsv = (text: string, fields = FIELDS) =>
  request(new Uint8Array(Buffer.from(text)), 'claims.csv', fields)

const rowsOf = async (bytes: Uint8Array) => rowsIn(await openTable(request(bytes, 'x.xlsx', [])))

/** Rows by number, the header included, without blank cells at the end of a row. */
async function rowsIn(table: TableSource): Promise<Map<number, string[]>> {
  const rows = new Map([[table.headerRowNumber ?? 1, [...table.header]]])
  for await (const batch of table.rows()) {
    for (const { rowNumber, cells } of batch)
      rows.set(rowNumber, cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1))
  }
  return rows
}

/** The texts of one of our sheets, row by row; missing cells as ''. */
function gridOf(sheet: string): string[][] {
  return [...sheet.matchAll(/<row .*?<\/row>/gs)].map(([row]) => {
    const texts: string[] = []
    for (const [, letter, text] of row.matchAll(/r="([A-Z])\d+"[^>]*><is><t[^>]*>(.*?)<\/t>/gs))
      texts[letter.charCodeAt(0) - 65] = text
    return Array.from(texts, (text) => text ?? '')
  })
}

/** Cells filled red (format 2 of a grid, 5 in its header), and notes by cell. */
function marksIn(parts: Map<string, string>) {
  const sheet = parts.get('xl/worksheets/sheet1.xml')!
  const notes = [...parts.get('xl/comments1.xml')!.matchAll(/ref="(\w+)".*?<t [^>]*>(.*?)<\/t>/gs)].map(
    ([, ref, text]) => [ref, text],
  )
  return {
    red: [...sheet.matchAll(/<c r="(\w+)" s="[25]"/g)].map(([, ref]) => ref),
    notes: Object.fromEntries(notes),
  }
}

describe('The Highlighted workbook of a CSV file', () => {
  it('is a grid of text cells whose rows keep their numbers', async () => {
    const rows = await rowsOf(await joined(writeHighlightedFile(ofCsv(CSV))))
    expect([...rows]).toEqual([
      [1, ['Id', 'Amount', 'Day']],
      [2, ['007', '1.50', '01/02/2024']],
      [4, ['x', 'abc']],
      [5, ['a "b" & <c>', '=1+1', '31/12/2024', 'extra']],
      [6, ['01', '2']],
    ])
  })

  it('fills bad cells red, with the error and what is expected in a note', async () => {
    const { red, notes } = marksIn(readZip(await joined(writeHighlightedFile(ofCsv(CSV)))))
    expect(red).toEqual(['A4', 'B4', 'C4', 'B5', 'D5', 'C6'])
    expect(Object.keys(notes)).toEqual(red)
    expect(notes.C4).toBe(
      'Veridict:\nThis cell must not be empty.\nExpected: a date like 31/12/2024 (dd/MM/yyyy)',
    )
  })

  it('holds no formula', async () => {
    const sheet = readZip(await joined(writeHighlightedFile(ofCsv(CSV)))).get('xl/worksheets/sheet1.xml')!
    expect(sheet).not.toMatch(/<f[ >]/)
    expect(sheet).toContain('<is><t>=1+1</t></is>')
  })

  it('passes once it is corrected', async () => {
    const corrected = 'Id,Amount,Day\n007,1.50,01/02/2024\n\nxx,1,01/02/2024\n'
    const highlighted = await joined(writeHighlightedFile(ofCsv(corrected)))
    expect(await validateTable(request(highlighted, 'claims_highlighted.xlsx'))).toEqual({
      kind: 'passed',
      recordsCount: 2,
    })
  })

  it('has the same errors as its source', async () => {
    const highlighted = await joined(writeHighlightedFile(ofCsv(CSV.replace('01,2\n', '01,2,\n'))))
    const again = await validateTable(request(highlighted, 'claims_highlighted.xlsx'))
    expect(again).toEqual(await validateTable(ofCsv(CSV.replace('01,2\n', '01,2,\n'))))
  })

  it('is the same, byte for byte, each time it is made', async () => {
    expect(await joined(writeHighlightedFile(ofCsv(CSV)))).toEqual(
      await joined(writeHighlightedFile(ofCsv(CSV))),
    )
  })

  it.for([
    { header: 'Id,Amont,Day', red: ['B1'], why: 'a misspelled column' },
    { header: 'Amount,Id,Day', red: ['A1', 'B1'], why: 'columns in another order' },
    { header: 'Id,Amount', red: ['C1'], why: 'a missing last column' },
    { header: 'Id,Amount,Day,Id', red: ['A1', 'D1'], why: 'a duplicate column' },
  ])('marks only the header for $why', async ({ header, red }) => {
    const parts = readZip(await joined(writeHighlightedFile(ofCsv(`${header}\nx,abc,\n`))))
    expect(marksIn(parts).red).toEqual(red)
    expect(Object.keys(marksIn(parts).notes)).toEqual(red)
  })

  it('is refused on upload if its rows continue on further sheets', async () => {
    const limits = isLong ? portalGuards : { ...portalGuards, maxRows: 1000 }
    const fields = [field('Id', { type: 'text', maxLength: 1 })]
    const csv = ofCsv(`Id\n${'x\n'.repeat(limits.maxRows - 1)}xx\n`, fields)
    const highlighted = await joined(writeHighlightedFile({ ...csv, limits }))
    expect(marksIn(readZip(highlighted)).notes).toEqual({
      A1: expect.stringContaining('Correct the CSV file'),
    })
    const again = await validateTable({ ...request(highlighted, 'claims_highlighted.xlsx', fields), limits })
    expect(again).toMatchObject({
      kind: 'fileProblem',
      problem: { errorType: 5, message: expect.stringContaining('Correct the CSV file') },
    })
  })

  it('keeps every text that a CSV file can hold', async () => {
    const text = fc.oneof(
      // A file with U+FFFD is refused.
      fc.string({ unit: 'grapheme', maxLength: 12 }).map((raw) => raw.replaceAll('\ufffd', '')),
      fc.string({
        unit: fc.constantFrom(
          'a',
          '_',
          'x',
          '0',
          '\r',
          '\n',
          '\t',
          '\u0001',
          '<',
          '&',
          '"',
          ',',
          ' ',
          '\ufffe',
          'é',
          '👍',
        ),
        maxLength: 12,
      }),
      fc.constantFrom('_x000D_', '_x005F_x000D_', '=1+1', '&amp;', ']]>'),
    )
    const cell = fc.oneof(
      text.map((raw) => `"${raw.replaceAll('"', '""')}"`),
      fc.stringMatching(/^[a-z0-9 ]{0,5}$/),
    )
    const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 })
    const fields = ['h1', 'h2', 'h3', 'h4'].map((name) => field(name, { type: 'text' }))
    await fc.assert(
      fc.asyncProperty(records, fc.constantFrom('\n', '\r\n', '\r'), async (rows, lineEnd) => {
        const csv = ['h1,h2,h3,h4', ...rows.map((cells) => cells.join(','))].join(lineEnd)
        const expected = await rowsIn(await openTable(ofCsv(csv, fields)))
        expect(await rowsOf(await joined(writeHighlightedFile(ofCsv(csv, fields))))).toEqual(expected)
      }),
      { numRuns: runs(8) },
    )
  })
})

describe('The Highlighted workbook of a workbook', () => {
  const header =
    '<row r="1"><c r="A1" t="str"><v>Id</v></c><c r="B1" t="str"><v>Amount</v></c>' +
    '<c r="C1" t="str"><v>Day</v></c></row>'
  const rows =
    `${header}<row r="2" ht="20"><c r="A2" s="1" t="str"><v>x</v></c><c r="B2">` +
    '<v>1.5</v></c></row><row r="3"><c t="str"><v>ok</v></c><c><v>1</v></c><c s="1">' +
    '<v>45292</v></c></row>'
  const formats =
    '<xf numFmtId="0" fontId="0"/><xf numFmtId="14" fontId="3" fillId="1" applyFill="1">' +
    '<alignment wrapText="1"/></xf>'

  it('keeps its formats, and makes red copies of formats', async () => {
    const bytes = buildWorkbook({ rows, formats })
    const parts = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx'))))
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(
      '<row r="2" ht="20"><c r="A2" s="2" t="str"><v>x</v></c><c r="B2"><v>1.5</v></c>' +
        '<c r="C2" s="3"/></row>',
    )
    expect(parts.get('xl/styles.xml')).toContain(
      '<xf fillId="2" applyFill="1" numFmtId="14" fontId="3"><alignment wrapText="1"/></xf>' +
        '<xf fillId="2" applyFill="1" numFmtId="0" fontId="0"/></cellXfs>',
    )
    expect(parts.get('xl/worksheets/sheet1.xml')).toMatch(
      /<\/sheetData><cond.*<\/dataValidations><legacyDrawing [^>]*r:id="rIdVeridictNotes"\/><\/worksheet>$/s,
    )
    expect(parts.get('xl/commentsVeridict.xml')).toContain('<comment ref="C2"')
  })

  it.for([
    {
      why: 'its column',
      columns: '<cols><col min="3" max="3" style="1"/></cols>',
      row: '<row r="2">',
      xf: 'numFmtId="14" fontId="3"',
    },
    {
      why: 'its row, before its column',
      columns: '<cols><col min="1" max="9" style="1"/></cols>',
      row: '<row r="2" s="2" customFormat="1">',
      xf: 'numFmtId="49"',
    },
    {
      why: 'nothing',
      columns: '<cols><col min="4" max="16384" style="1"/></cols>',
      row: '<row r="2">',
      xf: 'numFmtId="0" fontId="0"',
    },
  ])('adds a missing cell with the format of $why', async ({ columns, row, xf }) => {
    const sheet = worksheet(`${header}${row}<c r="A2" t="str"><v>ok</v></c><c r="B2"><v>1</v></c></row>`)
    const bytes = buildWorkbook({
      formats: `${formats}<xf numFmtId="49"/>`,
      parts: { 'xl/worksheets/sheet1.xml': sheet.replace('<sheetData>', `${columns}<sheetData>`) },
    })
    const parts = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx'))))
    const style = Number(/<c r="C2" s="(\d+)"\/>/.exec(parts.get('xl/worksheets/sheet1.xml')!)![1])
    const made = [
      ...parts
        .get('xl/styles.xml')!
        .split('<cellXfs')[1]
        .matchAll(/<xf ([^>]*?)\/?>/g),
    ][style][1]
    expect(made).toBe(`fillId="2" applyFill="1" ${xf}`)
  })

  it('adds its notes to existing ones', async () => {
    const bytes = buildWorkbook({
      formats,
      parts: {
        'xl/worksheets/sheet1.xml': worksheet(
          rows,
          '<drawing r:id="rId7"/><legacyDrawing r:id="rId8"/><tableParts/>',
        ),
        'xl/worksheets/_rels/sheet1.xml.rels':
          '<Relationships xmlns="r"><Relationship Id="rId8" Type="x/vmlDrawing" Target="../v.vml"/>' +
          '<Relationship Id="rId7" Type="x/drawing" Target="../d.xml"/>' +
          '<Relationship Id="rId9" Type="x/comments" Target="../c.xml"/></Relationships>',
        'xl/d.xml': '<wsDr/>',
        'xl/v.vml': '<xml><v:shape><x:Row>1</x:Row><x:Column>0</x:Column></v:shape></xml>',
        'xl/c.xml':
          '<comments><authors><author>me</author></authors><commentList>' +
          '<comment ref="A2" authorId="0"><text>' +
          '<t>mine</t></text></comment></commentList></comments>',
      },
    })
    const parts = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx'))))
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain(
      '<drawing r:id="rId7"/><legacyDrawing r:id="rId8"/><tableParts/>',
    )
    expect(parts.get('xl/c.xml')).toMatch(
      /<text><t [^>]*>mine\n\nVeridict:\nThe text has 1 character[^<]*<\/t><\/text>/,
    )
    expect(parts.get('xl/c.xml')).toMatch(/<comment ref="C2" authorId="1">/)
    expect(parts.get('xl/v.vml')?.match(/<x:Row>/g)).toHaveLength(2)
  })

  it.for([
    { why: 'boxes that are never closed', drawing: '<v:shape>'.repeat(200_000), note: '' },
    { why: 'tags that are never closed', drawing: '<v:shape '.repeat(200_000), note: '' },
    { why: 'a note of empty lines', drawing: '', note: '\n'.repeat(200_000) },
  ])('is written in linear time despite $why', async ({ drawing, note }) => {
    const bytes = buildWorkbook({
      parts: {
        'xl/worksheets/sheet1.xml': worksheet(rows, '<legacyDrawing r:id="rId8"/>'),
        'xl/worksheets/_rels/sheet1.xml.rels':
          '<Relationships xmlns="r"><Relationship Id="rId8" Type="x/vmlDrawing" Target="../v.vml"/>' +
          '<Relationship Id="rId9" Type="x/comments" Target="../c.xml"/></Relationships>',
        'xl/v.vml': `<xml>${drawing}</xml>`,
        'xl/c.xml':
          '<comments><authors><author>me</author></authors><commentList>' +
          '<comment ref="A9" authorId="0"><text><t>' +
          `${note}Veridict:x</t></text></comment></commentList></comments>`,
      },
    })
    const parts = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx'))))
    // Also of the note that has no box.
    expect(parts.get('xl/v.vml')?.match(/<x:Row>/g)).toHaveLength(4)
    expect(parts.get('xl/c.xml')).toContain(`${note}Veridict:x`)
  })

  it('places the link to its notes before the elements that must follow it', async () => {
    const bytes = buildWorkbook({
      parts: {
        'xl/worksheets/sheet1.xml': worksheet(rows, '<pageMargins left="1"/><tableParts count="0"/>'),
      },
    })
    const sheet = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx')))).get(
      'xl/worksheets/sheet1.xml',
    )
    expect(sheet).toMatch(
      /<\/sheetData><cond.*<\/dataValidations><pageMargins left="1"\/><legacyDrawing [^>]*\/><tableParts/s,
    )
  })

  it('is made although an unrelated part exists twice', async () => {
    const twice = { 'docProps/app.xml': '<Properties/>', 'docProps/App.xml': '<Properties/>' }
    const source = buildWorkbook({ rows, formats, parts: twice })
    expect(await rowsOf(await joined(writeHighlightedFile(request(source, 'a.xlsx'))))).toEqual(
      await rowsOf(source),
    )
  })

  it('may have a lot of XML after its rows', async () => {
    // Few elements of many bytes are read faster.
    const merged = Array.from(
      { length: 6_000 },
      (_, index) => `<mergeCell ref="F${index + 1}:G${index + 1}"${' '.repeat(3000)}/>`,
    ).join('')
    const bytes = buildWorkbook({
      parts: { 'xl/worksheets/sheet1.xml': worksheet(rows, `<mergeCells>${merged}</mergeCells>`) },
    })
    const sheet = readZip(await joined(writeHighlightedFile(request(bytes, 'a.xlsx')))).get(
      'xl/worksheets/sheet1.xml',
    )!
    expect(sheet.length).toBeGreaterThan(16 * 1024 * 1024)
    expect(sheet).toMatch(
      /G6000" +\/><\/mergeCells><cond.*<\/dataValidations><legacyDrawing [^>]*\/><\/worksheet>$/s,
    )
  })

  it('has the same errors as its source, with or without styles, prefixes and references', async () => {
    const prefixed =
      '<x:worksheet xmlns:x="m"><x:sheetData>' +
      `${rows.replace(/<(\/?)/g, '<$1x:')}</x:sheetData></x:worksheet>`
    const specs: WorkbookParts[] = [
      { rows, formats },
      {
        rows,
        parts: {
          'xl/styles.xml':
            '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
        },
      },
      {
        rows,
        formats: '<xf numFmtId="0"/><xf numFmtId="14"/>',
        parts: { 'xl/worksheets/sheet1.xml': prefixed },
      },
    ]
    for (const spec of specs) {
      const bytes = buildWorkbook(spec)
      const again = await joined(writeHighlightedFile(request(bytes, 'a.xlsx')))
      expect(await validateTable(request(again, 'a.xlsx'))).toEqual(
        await validateTable(request(bytes, 'a.xlsx')),
      )
    }
  })

  it.for([1, 7, 1000])(
    'marks the cells of rows that come in pieces, in chunks of %i bytes',
    async (chunkSize) => {
      const pieces =
        '<row r="2"/><row r="2" ht="9"><c r="A2" t="str"><v>x</v></c></row> <row r="2">' +
        '<c r="B2" t="str"><v>y</v></c></row><!-- --><row r="2"></row>' +
        '<row r="3"><c r="A3" t="str"><v>ok</v></c></row><row r="3"><c r="C3" s="1"><v>45292</v></c></row>'
      const bytes = buildWorkbook({ rows: header + pieces, formats })
      const again = writeHighlightedFile({ ...request(bytes, 'a.xlsx'), platform: testPlatform(chunkSize) })
      expect(readZip(await joined(again)).get('xl/worksheets/sheet1.xml')).toContain(
        '<row r="2"/><row r="2" ht="9"><c s="2" r="A2" t="str"><v>x</v></c></row> <row r="2">' +
          '<c s="2" r="B2" t="str"><v>y</v></c></row><!-- -->' +
          '<row r="2"><c r="C2" s="2"/></row><row r="3"><c r="A3" t="str"><v>ok</v></c></row>' +
          '<row r="3"><c r="C3" s="1"><v>45292</v></c></row>',
      )
    },
  )

  it.for([1, 7, 1000])(
    'marks the cells that are read, and none of an alternative to them, in chunks of %i bytes',
    async (chunkSize) => {
      const alternatives = (choice: string, fallback: string) =>
        `<mc:AlternateContent xmlns:mc="mc"><mc:Choice Requires="z">${choice}</mc:Choice>` +
        `<mc:Fallback>${fallback}</mc:Fallback></mc:AlternateContent>`
      const row = (number: number, text: string, style = '') =>
        `<row r="${number}"><c${style} r="A${number}" t="str"><v>${text}</v></c></row>`
      const inCell = alternatives('<c r="A2" t="str"><v>y</v></c>', '<c r="A2" t="str"><v>x</v></c>')
      const bytes = buildWorkbook({
        rows: `${header}<row r="2">${inCell}</row>${alternatives(row(3, 'y'), row(3, 'x'))}`,
        formats,
      })
      const again = writeHighlightedFile({ ...request(bytes, 'a.xlsx'), platform: testPlatform(chunkSize) })
      const marked = inCell.replace('<mc:Fallback><c ', '<mc:Fallback><c s="2" ')
      expect(readZip(await joined(again)).get('xl/worksheets/sheet1.xml')).toContain(
        `<row r="2">${marked}<c r="C2" s="2"/></row>` +
          `${alternatives(row(3, 'y'), row(3, 'x', ' s="2"').replace('</row>', '<c r="C3" s="2"/></row>'))}`,
      )
    },
  )

  it('equals its source, except for empty notes, if there are no errors', async () => {
    const bytes = buildWorkbook({
      rows: `${header}<row r="3"><c r="A3" t="str"><v>ok</v></c><c r="C3" s="1"><v>45292</v></c></row>`,
      formats,
    })
    const again = await joined(writeHighlightedFile(request(bytes, 'a.xlsx')))
    expect(await validateTable(request(again, 'a.xlsx'))).toEqual({ kind: 'passed', recordsCount: 1 })
  })
})

describe('The Errors workbook', () => {
  it('lists every bad cell and counts them by column and kind', async () => {
    const parts = readZip(await joined(writeErrorsFile(ofCsv(CSV))))
    const errors = gridOf(parts.get('xl/worksheets/sheet1.xml')!)
    expect(errors[0]).toEqual(['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected'])
    expect(errors.slice(1).map(([row, column, label, , value]) => [row, column, label, value])).toEqual([
      ['4', 'A', 'Id', 'x'],
      ['4', 'B', 'Amount', 'abc'],
      ['4', 'C', 'Day', ''],
      ['5', 'B', 'Amount', '=1+1'],
      ['5', 'D', '', 'extra'],
      ['6', 'C', 'Day', ''],
    ])
    expect(errors[2].slice(3)).toEqual([
      'This is not a number.',
      'abc',
      expect.stringMatching(/^a number with at most 2 decimals, like /),
    ])
    const summary = gridOf(parts.get('xl/worksheets/sheet2.xml')!)
    expect(summary.slice(0, 2)).toEqual([
      ['Col.', 'Label', 'Error', 'Count'],
      ['B', 'Amount', cellErrorKinds.notANumber, '2'],
    ])
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('<autoFilter ref="A1:F7"/>')
    expect(parts.get('xl/worksheets/sheet1.xml')).toContain('state="frozen"')
  })

  it('throws the problem of a file that cannot be read', async () => {
    await expect(joined(writeErrorsFile(ofCsv('Id,Amount,Day\nxx,1,"open')))).rejects.toBeInstanceOf(
      FileProblemError,
    )
    await expect(joined(writeHighlightedFile(ofCsv('Id,Amount,Day\nxx,1,"open')))).rejects.toBeInstanceOf(
      FileProblemError,
    )
  })

  it('stops reading when its consumer stops', async () => {
    const bytes = writeErrorsFile(ofCsv(CSV))[Symbol.asyncIterator]()
    await bytes.next()
    expect(await bytes.return?.(undefined)).toEqual({ done: true, value: undefined })
  })
})
