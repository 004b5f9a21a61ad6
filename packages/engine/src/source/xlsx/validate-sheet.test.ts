import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withSwappedDates } from '#causes/swapped-dates.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { makeKernel } from '#fast-path/column-kernel.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { readWorkbook } from '#formats/spreadsheet/read-workbook.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { openArchive } from '#formats/zip/zip-archive.ts'
import { portalGuards } from '#limits.ts'
import type { BadCell, RowView, SourceRow } from '#source/table-source.ts'
import { openWorkbook, readTables, validateSheet } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, type WorkbookParts } from '../../../test/build-workbook.ts'
import { fieldsOfAllTypes } from '../../../test/fields-of-all-types.ts'
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'
import { isLong, runs } from '../../../test/runs.ts'

const headerCells = fieldsOfAllTypes.map(
  ({ name }, index) => `<c r="${columnLetter(index)}1" t="str"><v>${name}</v></c>`,
)
const HEADER = `<row r="1">${headerCells.join('')}</row>`
const FORMATS =
  '<xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="46"/><xf numFmtId="170"/>'
const NUMBER_FORMATS = '<numFmt numFmtId="170" formatCode="[&lt;1]0.00;dd/mm/yyyy"/>'
const STRINGS =
  '<si><t>Open</t></si><si><t>abc</t></si><si><t xml:space="preserve"> AB-1 </t></si><si><r><t>Clo</t>' +
  '</r><r><t>sed</t></r></si><si><t>a&amp;b</t></si>' +
  '<si><t/></si><si><t>_x0041_bc</t></si><si><t>31/12/2024</t></si><si><t>é中👍</t></si><si/>' +
  `<si><t>${'x'.repeat(1500)}</t></si><si><t>${'é&amp;'.repeat(800)}</t></si><si>` +
  `<t xml:space="preserve">${' '.repeat(2000)}</t></si>`

/**
 * What is reported of a workbook: its faults and records, or the problem that ended the reading. `keys` gets
 * the key of each row with faults, `runsOfRows` how many records were reported at once.
 */
async function validated(
  spec: WorkbookParts,
  reading: 'fast' | 'tokens',
  chunkSize?: number,
  keys: Map<number, readonly string[]> = new Map(),
  runsOfRows: number[] = [],
  changed: (columns: ColumnCheck[]) => ColumnCheck[] = (columns) => columns,
): Promise<string[]> {
  const platform = testPlatform(chunkSize)
  const workbook = buildWorkbook({
    formats: FORMATS,
    numberFormats: NUMBER_FORMATS,
    strings: STRINGS,
    ...spec,
  })
  const archive = await openArchive(bytesSource(workbook), platform, portalGuards)
  const book = await readWorkbook(archive)
  const reported: string[] = []
  const sink = {
    badCells: (row: number, cells: readonly BadCell[], view: RowView) => {
      for (const { column, fault, value } of cells)
        reported.push(`${columnLetter(column)}${row} ${fault.code} ${fault.error} "${value}"`)
      keys.set(row, view.keyTexts())
    },
    records: (first: number, count: number) => {
      runsOfRows.push(count)
      for (let row = first; row < first + count; row++) reported.push(`row ${row}`)
    },
  }
  try {
    const columns = changed(await compileColumns(fieldsOfAllTypes, xmlTerminators, platform))
    const tables = await readTables(archive, book, reading === 'fast' ? makeKernel() : null)
    await validateSheet({ archive, book, tables, scanners: [] }, columns, sink)
  } catch (error) {
    if (!(error instanceof FileProblemError)) throw error
    return [error.message]
  }
  return reported
}

const sheet = (...rows: string[]) => ({
  rows: HEADER + rows.map((cells, index) => `<row r="${index + 2}" spans="1:5">${cells}</row>`).join(''),
})
const GOOD =
  '<c r="A2" t="s"><v>1</v></c><c r="B2"><v>12.5</v></c><c r="C2" s="1"><v>45657</v></c>' +
  '<c r="D2" t="str"><f>A1</f><v>AB-1</v></c><c r="E2" t="s"><v>3</v></c>'
const GOOD_4 = GOOD.replaceAll(/([A-E])2"/g, '$14"')

describe('The validation of a worksheet', () => {
  it.for([
    { cells: GOOD, faults: [], why: 'every rule accepts its cells' },
    {
      cells: GOOD.replace('>12.5<', '>12.350000000000001<'),
      faults: [],
      why: 'noise beyond 15 digits is no decimal',
    },
    {
      cells: GOOD.replace('>12.5<', '>12.345<'),
      faults: ['B2 tooManyDecimals'],
      why: 'three decimals are too many',
    },
    { cells: GOOD.replace('>45657<', '>45657.5<'), faults: ['C2 timeOfDay'], why: 'a true date with a time' },
    {
      cells: GOOD.replace('s="1"><v>45657', 's="2"><v>45657'),
      faults: [],
      why: 'a true date is valid however it is displayed',
    },
    {
      cells: GOOD.replace('s="1"><v>45657', 's="0"><v>45657'),
      faults: ['C2 notADate'],
      why: 'a plain number is no date',
    },
    {
      cells: GOOD.replace('>45657<', '>60<'),
      faults: ['C2 notACalendarDay'],
      why: '29 February 1900 never existed',
    },
    {
      cells: GOOD.replace('<c r="B2">', '<c r="B2" s="1">'),
      faults: ['B2 dateCell'],
      why: 'a number has the format of a date',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5', '<c r="B2" s="1"><v>24.75'),
      faults: ['B2 dateCell'],
      why: 'a number with decimals has the format of a date',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5', '<c r="B2" s="1"><v>12.345'),
      faults: ['B2 notANumber'],
      why: 'a date would be a number with too many decimals',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5', '<c r="B2" t="d"><v>2024-12-31'),
      faults: ['B2 notANumber'],
      why: 'a date that was never a number is none',
    },
    {
      cells: GOOD.replace('s="1"><v>45657', 's="4"><v>45657'),
      faults: [],
      why: 'a format may choose by the value',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5', '<c r="B2" s="4"><v>0.5'),
      faults: [],
      why: 'and show another value as a number',
    },
    {
      cells: GOOD.replace('<c r="B2">', '<c r="B2" s="4">'),
      faults: ['B2 dateCell'],
      why: 'and of some as a date',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5</v>', '<c r="B2" t="e"><v>#DIV/0!</v>'),
      faults: ['B2 errorCell'],
      why: 'an error cell is an error',
    },
    {
      cells: GOOD.replace('<v>12.5</v>', '<f>6/2</f>'),
      faults: ['B2 errorCell'],
      why: 'a formula without a result is not a blank cell',
    },
    {
      cells: GOOD.replace('<v>12.5</v>', '<f>6/2</f><v></v>'),
      faults: ['B2 errorCell'],
      why: 'nor is a formula with an empty result of no type',
    },
    {
      cells: GOOD.replace('<v>12.5</v>', '<f t="shared" si="0"/><v/>'),
      faults: ['B2 errorCell'],
      why: 'nor is a cell that shares a formula',
    },
    {
      cells: GOOD.replace('<c r="B2"><v>12.5</v>', '<c r="B2" t="str"><f>""</f><v></v>'),
      faults: [],
      why: 'the result of a formula may be an empty text',
    },
    { cells: GOOD.replace('<v>12.5</v>', '<f/>'), faults: [], why: 'an empty formula is not a formula' },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="s"><v>10<'),
      faults: ['A2 textTooLong'],
      why: 'a long text is checked as any other',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="s"><v>12<'),
      faults: ['A2 required'],
      why: 'a long blank text is blank',
    },
    {
      cells: '<c r="A2"><f>IF(B2="","",1)</f></c><c r="B2"/>',
      faults: null,
      why: 'a row of formulas without results is blank',
    },
    {
      cells: GOOD.replace(/<c r="A2".*?<\/c>/, ''),
      faults: ['A2 required'],
      why: 'a missing cell is a blank one',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="s"><v>5<'),
      faults: ['A2 required'],
      why: 'a blank shared string is blank',
    },
    {
      cells: `${GOOD}<c r="H2"><v>1</v></c><c r="I2"><v>2</v></c>`,
      faults: ['H2 extraCell'],
      why: 'the first cell beyond the header is reported',
    },
    {
      cells: `${GOOD}<c r="H2"><v>1</v></c><c r="H2"><v>2</v></c>`,
      faults: ['H2 extraCell'],
      why: 'a cell beyond the header that comes twice is reported once',
    },
    {
      cells: `${GOOD}<c r="H2"><v>1</v></c><c r="H2"/>`,
      faults: [],
      why: 'of a cell that comes twice the last counts',
    },
    {
      cells: `${GOOD}<c r="H2" t="str"><v> </v></c>`,
      faults: [],
      why: 'blank cells beyond the header are ignored',
    },
    { cells: GOOD.replace(' t="s"><v>3<', '><v>12<'), faults: [], why: 'a number may be an item of a list' },
    {
      cells: GOOD.replace(' t="s"><v>3<', '><v>12.0<'),
      faults: [],
      why: 'a number may be an item of a list, however it is spelled',
    },
    { cells: GOOD.replace(' t="s"><v>1<', '><v>1e3<'), faults: [], why: '1e3 is the text 1000' },
    {
      cells: GOOD.replace(' t="s"><v>1<', '><v>1.0<'),
      faults: ['A2 textTooShort'],
      why: '1.0 is the text 1',
    },
    {
      cells: GOOD.replace(' t="s"><v>1<', '><v>1e9<'),
      faults: ['A2 textTooLong'],
      why: '1e9 is the text 1000000000',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="inlineStr"><is><t>_x0041_</t></is></c><c><v>9<'),
      faults: ['A2 textTooShort'],
      why: 'an escape is one character',
    },
    {
      cells: GOOD.replace(/(<c r="A2".*?<\/c>)(<c r="B2".*?<\/c>)/, '$2$1'),
      faults: [],
      why: 'cells out of order',
    },
    {
      cells: GOOD.replace(/<c r="[BD]2"/g, '</row>\n<row r="2">$&'),
      faults: [],
      why: 'a row may come in pieces',
    },
    {
      cells: GOOD.replace('<c r="C2"', '</row><row r="2"/><row r="2"><c r="F2"'),
      faults: ['C2 required', 'F2 extraCell'],
      why: 'a row in pieces has its faults once',
    },
    {
      cells: GOOD.replace('s="1"><v>45657<', 't="d"><v>2024-12-31T00:00:00.000<'),
      faults: [],
      why: 'an ISO date is a true date',
    },
    {
      cells: GOOD.replace('s="1"><v>45657<', 't="d"><v>2024-02-30<'),
      faults: ['C2 notADate'],
      why: 'an ISO date must be on the calendar',
    },
    {
      cells: '<c r="A2"/><c r="C2" t="str"><v>\u00a0</v></c>',
      faults: null,
      why: 'a blank row is not a record',
    },
  ])('$why: $cells', async ({ cells, faults }) => {
    const reported = await validated(sheet(cells), 'fast')
    expect(reported.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(
      faults === null ? [] : [...faults, 'row 2'],
    )
    expect(await validated(sheet(cells), 'tokens')).toEqual(reported)
  })

  it.for([
    { cell: 't="s"><v>13<', why: 'in a plain shared string' },
    { cell: 't="s"><v>14<', why: 'in a shared string of runs' },
    { cell: 't="str"><v>ab\0c<', why: 'in an inline text' },
    { cell: 't="inlineStr"><is><t><![CDATA[ab\0c]]></t></is></c><c><v>9<', why: 'in CDATA' },
  ])('refuses a NUL $why: no XML holds one', async ({ cell }) => {
    const strings = `${STRINGS}<si><t>ab\0c</t></si><si><r><t>abc\0</t></r></si>`
    const spec = { ...sheet(GOOD.replace('t="s"><v>1<', cell)), strings }
    for (const reading of ['fast', 'tokens'] as const)
      expect(await validated(spec, reading)).toEqual([expect.stringContaining('NUL')])
  })

  it.for([
    { row: `<row r="4">${GOOD_4}<c r="[4"/></row>`, why: 'a reference without letters' },
    { row: `<row r="4"/>${GOOD_4}</row>`, why: 'cells behind an empty row' },
    { row: `<row r="4">${GOOD_4}<c r="F4"\0</row>`, why: 'NUL in a tag' },
    { row: `<row r="4">${GOOD_4}<c r="A4"/></row>`, why: 'a second, blank cell' },
    { row: `<row r="4" a=">${GOOD_4}</row>`, why: 'a quote in a tag' },
    { row: `<row r="4" a='>${GOOD_4}</row>`, why: 'an apostrophe in a tag' },
  ])('reads rows below others as the tokens do: $why', async ({ row }) => {
    const spec = sheet(GOOD, GOOD.replaceAll(/([A-E])2"/g, '$13"'))
    const rows = `${spec.rows}${row}`
    expect(await validated({ rows }, 'fast')).toEqual(await validated({ rows }, 'tokens'))
  })

  it('finds the same fault in a long text each time it occurs', async () => {
    const reported = await validated(
      sheet(
        ...[2, 3, 4].map((row) =>
          GOOD.replaceAll(/([A-E])2"/g, `$1${row}"`).replace('t="s"><v>1<', 't="s"><v>11<'),
        ),
      ),
      'fast',
    )
    const fault = `textTooLong The text has 1,600 characters, at most 6 are allowed. "${'é&'.repeat(800)}"`
    expect(reported).toEqual([2, 3, 4].flatMap((row) => [`A${row} ${fault}`, `row ${row}`]))
  })

  it(
    'does not take a cell without an index for the first string, however often that string was ' + 'valid',
    async () => {
      const strings = STRINGS.replace('Open', `AB-${'1'.repeat(1100)}`)
      const first = GOOD.replace(/<c r="D2".*?<\/c>/, '<c r="D2" t="s"><v>0</v></c>')
      expect(await validated({ ...sheet(first, '<c r="D3" t="s"><v></v></c>'), strings }, 'fast')).toEqual([
        'row 2',
      ])
    },
  )

  it('shows true dates in the format of their column', async () => {
    expect((await validated(sheet(GOOD.replace('>45657<', '>45657.5<')), 'fast'))[0]).toContain(
      '"31/12/2024 12:00:00"',
    )
  })
})

const raw = fc.oneof(
  fc.constantFrom(
    '12',
    '12.5',
    '007',
    '-0',
    '1E2',
    '1.50',
    '45657',
    '45657.25',
    '60',
    '0',
    '499.999',
    '12.350000000000001',
    'x',
    '',
    ' 7 ',
    '123456789012345678',
  ),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
)
const word = fc.oneof(
  fc.constantFrom(
    'Open',
    'Closed',
    'AB-12',
    '31/12/2024',
    '29/02/2023',
    '29/02/2024',
    ' padded ',
    'a&amp;b',
    'a&#x20;',
    '_x0020_',
    'é中👍',
    '',
    '12',
    'a\r\nb',
    '&#160;',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => text.replace(/[&<>]/g, '')),
)
const content = fc.oneof(
  raw.map((value) => `><v>${value}</v></c>`),
  fc.tuple(fc.nat(4), raw).map(([style, value]) => ` s="${style}"><v>${value}</v></c>`),
  fc.nat(12).map((index) => ` t="s"><v>${index}</v></c>`),
  word.map((text) => ` t="str"><v>${text}</v></c>`),
  word.map((text) => ` t="inlineStr"><is><t xml:space="preserve">${text}</t></is></c>`),
  word.map((text) => ` t="inlineStr"><is><r><t>${text}</t></r></is></c>`),
  word.map((text) => ` t="str"><f>SUM(A1)</f><v>${text}</v></c>`),
  fc.constantFrom(
    '/>',
    '></c>',
    ' t="b"><v>1</v></c>',
    ' t="e"><v>#N/A</v></c>',
    ' s="1" t="n" cm="1"><f/><v>45657</v></c>',
    '><f>A1</f></c>',
    '><f t="shared" si="1"/><v/></c>',
    ' t="str"><f>A1</f><v></v></c>',
    '><f>A1</f><v></v></c>',
    '><!-- c --><v>5</v></c>',
  ),
)
const cells = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 6 }), fc.constantFrom('ref', 'ref', 'ref', 'none', 'quote'), content),
  { maxLength: 7 },
)
const sheets = fc
  .array(fc.tuple(cells, fc.constantFrom('', '', '\n  ')), { minLength: 1, maxLength: 6 })
  .map((rows) =>
    rows.map(([row, space], index) => {
      const placed = row.map(([column, spelling, rest]) => {
        const reference =
          spelling === 'none'
            ? ''
            : spelling === 'quote'
              ? ` r='${columnLetter(column)}${index + 2}'`
              : ` r="${columnLetter(column)}${index + 2}"`
        return `${space}<c${reference}${rest}`
      })
      return placed.join('')
    }),
  )

/** Rows as programs write them, which the kernel reads. */
const regularRows = fc
  .array(
    fc.tuple(
      fc.constantFrom(1, 1, 1, 3),
      fc.constantFrom('', ' spans="1:5"', ' ht="15.75" customHeight="1"'),
      fc.array(fc.option(content, { freq: 6 }), { maxLength: 6 }),
    ),
    { maxLength: 12 },
  )
  .map((rows) => {
    let number = 1
    const tags = rows.map(([step, attributes, contents]) => {
      number += step
      const written = contents.map((rest, column) =>
        rest === null ? '' : `<c r="${columnLetter(column)}${number}"${rest}`,
      )
      return `<row r="${number}"${attributes}>${written.join('')}</row>`
    })
    return { rows: HEADER + tags.join('') }
  })

describe('The fast path over a worksheet', () => {
  it(
    'reports the same as the tokens of regular rows, however they are cut',
    { timeout: 120_000 },
    async () => {
      const chunks = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(64 * 1024))
      await fc.assert(
        fc.asyncProperty(regularRows, chunks, async (spec, chunkSize) => {
          expect(await validated(spec, 'fast', chunkSize)).toEqual(await validated(spec, 'tokens'))
        }),
        { numRuns: runs(50) },
      )
    },
  )

  it('passes rows without bad cells together', async () => {
    const runsOfRows: number[] = []
    const good = GOOD.replace('t="s"><v>3<', 't="s"><v>0<')
    const rows = Array.from({ length: 3000 }, (_, index) => good.replaceAll(/([A-E])2"/g, `$1${index + 2}"`))
    await validated(sheet(...rows), 'fast', 64 * 1024, new Map(), runsOfRows)
    expect(Math.max(...runsOfRows)).toBeGreaterThan(500)
  })

  it('asks a column about a day that it may refuse', async () => {
    const days = ['45355', '45389'].map((day, index) => `<c r="C${index + 2}" s="1"><v>${day}</v></c>`)
    const good = (index: number) => GOOD.replace(/<c r="C2".*?<\/c>/, days[index])
    const rows = [good(0), good(1)].map((cells, index) => cells.replaceAll(/([A-E])2"/g, `$1${index + 2}"`))
    const swap = (columns: ColumnCheck[]) =>
      withSwappedDates(columns, [{ column: 2 } as Parameters<typeof withSwappedDates>[1][number]])
    for (const reading of ['fast', 'tokens'] as const)
      expect(
        (await validated(sheet(...rows), reading, undefined, undefined, [], swap)).filter((line) =>
          line.startsWith('C'),
        ),
      ).toEqual(['C2 notACalendarDay  "04/03/2024"', 'C3 notACalendarDay  "07/04/2024"'])
  })

  it('reports the same as the tokens', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, async (rows) => {
        expect(await validated(sheet(...rows), 'fast')).toEqual(await validated(sheet(...rows), 'tokens'))
      }),
      { numRuns: runs(20) },
    )
  })

  it('reports the same however the sheet is cut into chunks', async () => {
    const rows = fc.sample(sheets, { numRuns: 12, seed: 7 }).flat()
    const whole = await validated(
      sheet(...rows.map((cells, index) => cells.replace(/([A-G])\d+(["'])/g, `$1${index + 2}$2`))),
      'tokens',
    )
    // Chunks of one byte end at every place.
    const step = isLong ? 1 : 3
    for (let chunkSize = 1; chunkSize < 200; chunkSize += chunkSize < 40 ? step : 7 * step) {
      const spec = sheet(
        ...rows.map((cells, index) => cells.replace(/([A-G])\d+(["'])/g, `$1${index + 2}$2`)),
      )
      expect(await validated(spec, 'fast', chunkSize)).toEqual(whole)
      if (chunkSize < 20) expect(await validated(spec, 'tokens', chunkSize)).toEqual(whole)
    }
  })
})

it('Rows are the same when the kernel reads them after a validation', { timeout: 120_000 }, async () => {
  const chunks = fc.oneof(fc.integer({ min: 1, max: 300 }), fc.constant(64 * 1024))
  const anySheet = fc.oneof(
    regularRows,
    sheets.map((rows) => sheet(...rows)),
  )
  const columns = await compileColumns(fieldsOfAllTypes, xmlTerminators, testPlatform())
  await fc.assert(
    fc.asyncProperty(
      anySheet,
      chunks,
      fc.constantFrom(1, 7, 1000),
      async (spec, chunkSize, cellsPerBatch) => {
        const parts = { formats: FORMATS, numberFormats: NUMBER_FORMATS, strings: STRINGS, ...spec }
        const source = bytesSource(buildWorkbook(parts))
        const table = await openWorkbook(source, testPlatform(chunkSize), portalGuards)
        const rowsOf = async () => {
          try {
            const batches = await Array.fromAsync(table.rows({ withKinds: true, cellsPerBatch }))
            return batches.flat()
          } catch (error) {
            if (!(error instanceof FileProblemError)) throw error
            return error.message
          }
        }
        const faultsOf = async () => {
          const faults: string[] = []
          const badCells = (row: number, cells: readonly BadCell[]) =>
            void faults.push(...cells.map(({ column, fault }) => `${column} ${row} ${fault.code}`))
          await table.validate(columns, { badCells, records() {} }).catch(() => {})
          return faults
        }
        const before = await rowsOf()
        const faults = await faultsOf()
        // The second reading after it is by the kernel, too.
        expect([await rowsOf(), await rowsOf()]).toEqual([before, before])
        const only =
          typeof before === 'string' ? [] : await Array.fromAsync(table.rows({ columns: new Set([2]) }))
        const texts = (rows: readonly SourceRow[]) =>
          rows.flatMap(({ rowNumber, cells }) => (cells[2]?.trim() ? [`${rowNumber} ${cells[2]}`] : []))
        if (typeof before !== 'string') expect(texts(only.flat())).toEqual(texts(before))
        // So is that after another validation in the same memory.
        expect(await faultsOf()).toEqual(faults)
        expect(await rowsOf()).toEqual(before)
      },
    ),
    { numRuns: runs(40) },
  )
})

/** Readers of rows leave out blank cells at the end of a row. */
const blankAsEmpty = (text: string) => (text.trim() === '' ? '' : text)

/** The texts of the first and the last column, row by row, from the reader that makes all texts. */
async function keysByReference(spec: WorkbookParts): Promise<Map<number, readonly string[]>> {
  const bytes = buildWorkbook({ formats: FORMATS, numberFormats: NUMBER_FORMATS, strings: STRINGS, ...spec })
  const keys = new Map<number, readonly string[]>()
  for await (const rows of (await openWorkbook(bytesSource(bytes), testPlatform(), portalGuards)).rows())
    for (const { rowNumber, cells } of rows)
      keys.set(rowNumber, [cells[0] ?? '', cells[4] ?? ''].map(blankAsEmpty))
  return keys
}

describe('The key of a row with faults', () => {
  it('has the texts that the cells read as, wherever a chunk ends', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        sheets,
        fc.constantFrom('fast' as const, 'tokens' as const),
        fc.oneof(fc.integer({ min: 1, max: 60 }), fc.constant(64 * 1024)),
        async (rows, reading, chunkSize) => {
          const keys = new Map<number, readonly string[]>()
          const reported = await validated(sheet(...rows), reading, chunkSize, keys)
          if (!reported.some((line) => line.startsWith('row'))) return
          const reference = await keysByReference(sheet(...rows))
          for (const [row, key] of keys) expect(key.map(blankAsEmpty)).toEqual(reference.get(row) ?? ['', ''])
        },
      ),
      { numRuns: runs(30) },
    )
  })

  it.for([
    {
      cells: GOOD.replace('>12.5<', '>x<'),
      key: ['abc', 'Closed'],
      why: 'cells that are right of the bad one',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="s"><v>4<').replace('>12.5<', '>x<'),
      key: ['a&b', 'Closed'],
      why: 'an entity',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 't="s"><v>7<'),
      key: ['31/12/2024', 'Closed'],
      why: 'the bad cell itself',
    },
    { cells: GOOD.replace(/<c r="A2".*?<\/c>/, ''), key: ['', 'Closed'], why: 'a missing cell' },
    {
      cells: GOOD.replace('t="s"><v>1<', '><v>0.1000000000000000055<').replace('>12.5<', '>x<'),
      key: ['0.1', 'Closed'],
      why: 'a number, as a spreadsheet shows it',
    },
    {
      cells: GOOD.replace('t="s"><v>1<', 's="1"><v>45657<').replace('>12.5<', '>x<'),
      key: ['2024-12-31', 'Closed'],
      why: 'a true date',
    },
    { cells: GOOD.replace('t="s"><v>1<', 't="e"><v>#N/A<'), key: ['#N/A', 'Closed'], why: 'an error cell' },
    {
      cells: GOOD.replace('t="s"><v>1</v>', '><f>B2</f>'),
      key: ['', 'Closed'],
      why: 'a formula without a result',
    },
    {
      cells: GOOD.replace(/<c r="C2".*?<\/c>/, '').replace('<c r="D2"', '</row><row r="2"><c r="D2"'),
      key: ['abc', 'Closed'],
      why: 'a row in pieces',
    },
    {
      cells: `<c r="E2" t="s"><v>0</v></c><c r="A2" t="s"><v>1</v></c>`,
      key: ['abc', 'Open'],
      why: 'cells out of order',
    },
    {
      cells: `<c r="A2" t="s"><v>0</v></c><c r="A2" t="s"><v>1</v></c>`,
      key: ['abc', ''],
      why: 'a cell that comes twice',
    },
    {
      cells: '<extLst><c r="A2" t="s"><v>0</v></c></extLst><c r="A2" t="s"><v>1</v></c>',
      key: ['abc', ''],
      why: 'cells inside an unknown element',
    },
  ])('has $why', async ({ cells, key }) => {
    for (const chunkSize of [64 * 1024, 61, 7, 1]) {
      for (const reading of ['fast', 'tokens'] as const) {
        const keys = new Map<number, readonly string[]>()
        await validated(sheet(cells), reading, chunkSize, keys)
        expect([...keys]).toEqual([[2, key]])
      }
    }
  })
})
