import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook, worksheet } from '../../test/build-workbook.ts'
import { buildZip } from '../../test/build-zip.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [field('Id', { type: 'text', minLength: 2 }, true), field('Amount', { type: 'number' })]

const request = (bytes: Uint8Array, fileName = 'a.xlsx', fields = FIELDS) => ({
  source: bytesSource(bytes),
  fileName,
  fields,
  platform: testPlatform(),
  limits: portalGuards,
})
const highlight = async (bytes: Uint8Array, fileName?: string) =>
  joined(writeHighlightedFile(request(bytes, fileName)))
const ofCsv = (text: string) => highlight(new Uint8Array(Buffer.from(text)), 'a.csv')

/** A workbook with some of its parts changed, as a spreadsheet program changes them. */
function edited(bytes: Uint8Array, edits: Readonly<Record<string, (text: string) => string>>): Uint8Array {
  return buildZip([...readZip(bytes)].map(([name, text]) => [name, edits[name]?.(text) ?? text] as const))
}

const SHEET = 'xl/worksheets/sheet1.xml'
/** Writes a text into a cell. */
const typed =
  (cell: string, text: string) =>
  (sheet: string): string => {
    const tag = new RegExp(`<c r="${cell}"( s="\\d+")?[^>]*?(/>|>.*?</c>)`)
    expect(sheet).toMatch(tag)
    return sheet.replace(tag, (_, style = '') => `<c r="${cell}"${style} t="str"><v>${text}</v></c>`)
  }

/** The fills of cells by colour (`bad` for ours), and notes and their boxes by cell. */
function marksOf(bytes: Uint8Array) {
  const parts = readZip(bytes)
  const part = (name: RegExp) => [...parts].find(([path]) => name.test(path))?.[1] ?? ''
  const styles = part(/styles\w*\.xml$/)
  const fills = [...styles.matchAll(/<fill>.*?<\/fill>|<fill\/>/gs)].map(
    ([fill]) => /fgColor (\w+="\w+")/.exec(fill)?.[1],
  )
  const formats = [...styles.split('<cellXfs')[1].matchAll(/<xf [^>]*>/g)].map(([xf]) =>
    Number(/fillId="(\d+)"/.exec(xf)?.[1] ?? 0),
  )
  const cells = [...parts.get(SHEET)!.matchAll(/<c r="(\w+)"(?: s="(\d+)")?/g)]
  const coloured = cells.flatMap(([, cell, style = '0']) => {
    const color = fills[formats[Number(style)]]
    return color === undefined ? [] : [[cell, /^rgb="FFFF8.9.$/.test(color.slice(0, -1)) ? 'bad' : color]]
  })
  const notes = [...part(/comments\w*\.xml$/).matchAll(/<comment ref="(\w+)".*?<\/comment>/gs)].map(
    ([tag, cell]) => [cell, [...tag.matchAll(/<t(?: [^>]*)?>(.*?)<\/t>/gs)].map(([, text]) => text).join('')],
  )
  const boxes = [...part(/\.vml$/).matchAll(/<x:Row>(\d+)<\/x:Row>\s*<x:Column>(\d+)/g)].map(
    ([, row, column]) => 'ABC'[Number(column)] + (Number(row) + 1),
  )
  return {
    fills: Object.fromEntries(coloured),
    notes: Object.fromEntries(notes),
    boxes: boxes.toSorted(),
    styles,
    formats: formats.length,
  }
}

const HEADER = '<row r="1"><c r="A1" t="str"><v>Id</v></c><c r="B1" t="str"><v>Amount</v></c></row>'
const ROW = (id: string, amount: string, style = 0) =>
  `<row r="2"><c r="A2" s="${style}" t="str"><v>${id}</v></c>` +
  `<c r="B2" s="${style}" t="str"><v>${amount}</v></c></row>`

/** Formats: 0 plain, 1 to 3 with a fill of the user, 4 with a pattern. */
const STYLES =
  '<styleSheet><fills count="5"><fill><patternFill patternType="none"/></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/>' +
  '<bgColor indexed="64"/></patternFill></fill>' +
  '<fill><patternFill patternType="solid"><fgColor theme="4" tint="0.59999"/></patternFill></fill>' +
  '<fill><patternFill patternType="solid"><fgColor rgb="FFFF9999"/></patternFill></fill>' +
  '<fill><patternFill patternType="gray125"/></fill></fills>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0"/>' +
  '<xf numFmtId="0" fontId="0" fillId="1" applyFill="1"/>' +
  '<xf numFmtId="0" fontId="0" fillId="2"/>' +
  '<xf numFmtId="0" fontId="0" fillId="3"/><xf numFmtId="0" fontId="0" fillId="4"/></cellXfs></styleSheet>'

const workbook = (rows: string, parts: Readonly<Record<string, string>> = {}) =>
  buildWorkbook({ rows, parts: { 'xl/styles.xml': STYLES, ...parts } })

describe('A Highlighted workbook that was corrected and is highlighted again', () => {
  it('has red cells and notes only for its present errors', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', '1')))
    expect(marksOf(first)).toMatchObject({
      fills: { A2: 'bad' },
      notes: { A2: expect.stringContaining('Veridict:') },
      boxes: ['A2'],
    })
    const second = marksOf(
      await highlight(edited(first, { [SHEET]: (sheet) => typed('B2', 'abc')(typed('A2', 'xx')(sheet)) })),
    )
    expect(second.fills).toEqual({ B2: 'bad' })
    expect(second.notes).toEqual({
      B2: expect.stringMatching(/^Veridict:\nThis is not a number\.\nExpected: /),
    })
    expect(second.boxes).toEqual(['B2'])
  })

  it.for([
    { style: 0, back: '0', why: 'no fill' },
    { style: 1, back: '1', why: 'a colour of its own' },
    { style: 2, back: '2', why: 'a colour of the theme' },
    { style: 3, back: '3', why: 'another red' },
    { style: 4, back: '0', why: 'a pattern, which is lost' },
  ])('gives a corrected cell its former format back: $why', async ({ style, back }) => {
    const first = await highlight(workbook(HEADER + ROW('x', 'abc', style)))
    expect(marksOf(first).fills).toEqual({ A2: 'bad', B2: 'bad' })
    const second = await highlight(edited(first, { [SHEET]: typed('A2', 'xx') }))
    expect(readZip(second).get(SHEET)).toContain(`<c r="A2" s="${back}"`)
    expect(marksOf(second).fills.B2).toBe('bad')
  })

  it('creates a fill again that a program dropped as unused', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', 'abc', 1)))
    const dropped = edited(first, {
      [SHEET]: typed('A2', 'xx'),
      'xl/styles.xml': (styles) => styles.replace('FFFFFF00', 'FF00FF00'),
    })
    expect(marksOf(await highlight(dropped)).fills).toEqual({ A2: 'rgb="FFFFFF00"', B2: 'bad' })
  })

  it('recognizes its red if the second colour was overwritten, and then restores no fill', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', 'abc', 1)))
    const overwritten = edited(first, {
      [SHEET]: typed('A2', 'xx'),
      'xl/styles.xml': (styles) => styles.replace(/<bgColor rgb="FFFFFF00"\/>/g, '<bgColor rgb="FFFF8080"/>'),
    })
    expect(marksOf(await highlight(overwritten)).fills).toEqual({ B2: 'bad' })
  })

  it('clears red from whole rows and columns', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', '1')))
    const red = /<c r="A2" s="(\d+)"/.exec(readZip(first).get(SHEET)!)![1]
    const drawn = edited(first, {
      [SHEET]: (sheet) =>
        sheet
          .replace('<sheetData>', `<cols><col min="1" max="2" style="${red}"/></cols><sheetData>`)
          .replace('<row r="2"', `<row r="2" s="${red}" customFormat="1"`),
    })
    const sheet = readZip(await highlight(drawn)).get(SHEET)
    expect(sheet).toContain('<col min="1" max="2" style="0"/>')
    expect(sheet).toContain(`<row r="2" s="0" customFormat="1"><c r="A2" s="${red}"`)
  })

  it('keeps fills and notes that are not ours', async () => {
    const bytes = workbook(HEADER + ROW('x', '1', 3), {
      [SHEET]: worksheet(HEADER + ROW('x', '1', 3), '<legacyDrawing r:id="rId8"/>'),
      'xl/worksheets/_rels/sheet1.xml.rels':
        '<Relationships xmlns="r"><Relationship Id="rId8" Type="x/vmlDrawing" Target="../v.vml"/>' +
        '<Relationship Id="rId9" Type="x/comments" Target="../comments1.xml"/></Relationships>',
      'xl/v.vml':
        '<xml><v:shape id="a"><x:Row>1</x:Row><x:Column>0</x:Column></v:shape><v:shape id="b">' +
        '<x:Row>0</x:Row><x:Column>1</x:Column></v:shape></xml>',
      'xl/comments1.xml':
        '<comments><authors><author>me</author></authors><commentList>' +
        '<comment ref="A2" authorId="0"><text><t>mine</t></text></comment>' +
        '<comment ref="B1" authorId="0"><text><r>' +
        '<t>in Veridict: euros</t></r></text></comment></commentList></comments>',
    })
    const first = await highlight(bytes)
    expect(marksOf(first).notes.A2).toMatch(/^mine\n\nVeridict:\nThe text has/)
    const second = await highlight(edited(first, { [SHEET]: typed('A2', 'xx') }))
    expect(marksOf(second)).toMatchObject({
      fills: { A2: 'rgb="FFFF9999"', B2: 'rgb="FFFF9999"' },
      boxes: ['A2', 'B1'],
    })
    expect(marksOf(second).notes).toEqual({ A2: 'mine', B1: 'in Veridict: euros' })
    expect(readZip(second).get('xl/comments1.xml')).not.toContain('<r><t xml:space')
  })

  it('recognizes the boxes of its notes under other prefixes', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', '1')))
    const renamed = edited(first, {
      [SHEET]: (sheet) => typed('B2', 'abc')(typed('A2', 'xx')(sheet)),
      'xl/drawings/vmlDrawingVeridict.vml': (drawing) =>
        drawing.replace(/(?<=[</ ])([vox]):|(?<=xmlns:)([vox])(?==)/g, 'ns_$&'),
    })
    const second = await highlight(renamed)
    expect(marksOf(second).boxes).toEqual(['B2'])
  })

  it('recognizes its notes if their author was lost', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', '1')))
    const lost = edited(first, {
      [SHEET]: typed('A2', 'xx'),
      'xl/commentsVeridict.xml': (notes) =>
        notes.replace('<author>Veridict</author>', '<author> </author>').replaceAll('\n', '&#10;'),
    })
    expect(marksOf(await highlight(lost))).toMatchObject({ fills: {}, notes: {}, boxes: [] })
  })

  it('may be the grid of a CSV file; its header gets its former format back', async () => {
    const first = await ofCsv('Id,Amont\nx,1\n')
    expect(marksOf(first).fills).toEqual({ B1: 'bad' })
    const second = await highlight(edited(first, { [SHEET]: typed('B1', 'Amount') }))
    expect(marksOf(second)).toMatchObject({ fills: { A2: 'bad' }, boxes: ['A2'] })
    expect(readZip(second).get(SHEET)).toContain('<c r="B1" s="3"')
    const third = await highlight(
      edited(second, { [SHEET]: (sheet) => typed('B2', 'abc')(typed('A2', 'xx')(sheet)) }),
    )
    expect(marksOf(third)).toMatchObject({ fills: { B2: 'bad' }, boxes: ['B2'] })
    expect(marksOf(third).formats).toBe(marksOf(first).formats)
  })

  it.for([
    { kind: 'workbook', start: () => highlight(workbook(HEADER + ROW('x', 'abc', 1))) },
    { kind: 'CSV file', start: () => ofCsv('Id,Amount\nx,abc\n') },
  ])('does not grow in ten rounds: $kind', async ({ start }) => {
    let bytes = await start()
    const sizes = new Set<number>()
    for (let round = 0; round < 10; round++) {
      const [id, amount] = round % 2 === 0 ? ['xx', 'abc'] : ['x', '1']
      bytes = await highlight(
        edited(bytes, { [SHEET]: (sheet) => typed('B2', amount)(typed('A2', id)(sheet)) }),
      )
      expect(marksOf(bytes).boxes).toEqual([round % 2 === 0 ? 'B2' : 'A2'])
      if (round % 2 === 0) sizes.add([...readZip(bytes).values()].join('').length)
    }
    expect(sizes.size).toBe(1)
  })

  it('passes once all errors are corrected', async () => {
    const first = await highlight(workbook(HEADER + ROW('x', '1')))
    const right = edited(await highlight(first), { [SHEET]: typed('A2', 'xx') })
    expect(await validateTable(request(right))).toEqual({ kind: 'passed', recordsCount: 1 })
  })
})
