import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RecordReader } from '#formats/csv/record-reader.ts'
import { openText } from '#formats/csv/open-text.ts'
import { utf16Bytes } from '#formats/encoding.ts'
import { portalGuards } from '#limits.ts'
import { correctCsv } from '#output/correct-csv.ts'
import { type CorrectedRow, type Correction, CorrectionTally } from '#output/corrections.ts'
import type { Rows } from '#output/row-feed.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const platform = testPlatform()

type Encoding = 'utf-8' | 'utf-8 with BOM' | 'utf-16le' | 'utf-16be'

function encoded(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return platform.encodeUtf8(text)
  if (encoding === 'utf-8 with BOM') return platform.encodeUtf8(`\uFEFF${text}`)
  return utf16Bytes(`\uFEFF${text}`, encoding === 'utf-16le')
}

/** Rows from an array, each pulled in a later turn, as those of a file are. */
function pulled(rows: readonly CorrectedRow[]): Rows<CorrectedRow> {
  let at = 0
  return {
    peek: async () => rows[at] ?? null,
    take: () => {
      at++
    },
  }
}

async function correct(bytes: Uint8Array, delimiter: string, rows: readonly CorrectedRow[], width = 0) {
  const log: { corrected: string[]; skipped: string[] } = { corrected: [], skipped: [] }
  const tally = new CorrectionTally(platform)
  const apply = (rowNumber: number, correction: Correction) => {
    const isApplied = tally.apply(rowNumber, correction)
    log[isApplied ? 'corrected' : 'skipped'].push(`${rowNumber} ${correction.column}`)
    return isApplied
  }
  const copy = correctCsv(
    { delimiter: delimiter.charCodeAt(0) },
    width,
    pulled(rows),
    { apply },
    { source: bytesSource(bytes), platform, limits: portalGuards },
  )
  return { bytes: await joined(copy), ...log }
}

async function recordsOf(bytes: Uint8Array, delimiter: string): Promise<string[][]> {
  const records: string[][] = []
  const dialect = { delimiter: delimiter.charCodeAt(0) }
  const reader = new RecordReader(dialect, platform, portalGuards, ({ cells }) => records.push(cells))
  const text = await (await openText(bytesSource(bytes), platform)).from(0)
  const chunk = new Uint8Array(1 << 16)
  for (let count = await text.read(chunk); count > 0; count = await text.read(chunk))
    reader.push(chunk, count)
  reader.end()
  return records
}

const correction = (column: number, value: string) => ({ column, value, original: '', cause: 'c' })

/** Corrects one cell of a file of commas, in the form 'A2'. */
async function corrected(text: string, cell: string, value: string): Promise<string> {
  const column = cell.charCodeAt(0) - 65
  const rows = [{ rowNumber: Number(cell.slice(1)), cells: [correction(column, value)] }]
  const { bytes } = await correct(encoded(text, 'utf-8'), ',', rows)
  return Buffer.from(bytes).toString()
}

describe('The corrected copy of a CSV file', () => {
  it.for([
    { text: 'a,b\n1,2\n', cell: 'B2', value: '3', copy: 'a,b\n1,3\n', why: 'a plain cell' },
    { text: 'a,b\n1,"2"\n', cell: 'B2', value: '3', copy: 'a,b\n1,"3"\n', why: 'quotes stay' },
    { text: 'a,b\n1,2', cell: 'B2', value: '', copy: 'a,b\n1,', why: 'the last cell without a line end' },
    { text: 'a,b\n"N/A",2', cell: 'A2', value: '', copy: 'a,b\n"",2', why: 'empty quotes' },
    { text: 'a,b\n1, 2 \r\n', cell: 'B2', value: '3', copy: 'a,b\n1,3\r\n', why: 'padding is text' },
    {
      text: 'a,b\n1, "2" ,\n',
      cell: 'B2',
      value: '3',
      copy: 'a,b\n1, "3" ,\n',
      why: 'around quotes it is not',
    },
    { text: 'a,b\n1,2\n', cell: 'A2', value: '1,5', copy: 'a,b\n"1,5",2\n', why: 'the delimiter is quoted' },
    { text: 'a,b\n1,2\n', cell: 'A2', value: 'x\ny', copy: 'a,b\n"x\ny",2\n', why: 'a line end is quoted' },
    { text: 'a,b\n1,2\n', cell: 'A2', value: 'x"y', copy: 'a,b\n"x""y",2\n', why: 'a quote is doubled' },
    { text: 'a,b\n"1",2\n', cell: 'A2', value: 'x"y', copy: 'a,b\n"x""y",2\n', why: 'inside quotes as well' },
    { text: 'a\n\n\n"1\n2"\n', cell: 'A4', value: '3', copy: 'a\n\n\n"3"\n', why: 'empty lines count' },
    { text: 'sep=,\na,b\n1,2', cell: 'A2', value: '3', copy: 'sep=,\na,b\n3,2', why: 'sep= does not' },
    { text: 'a\rb\r\n1\n', cell: 'A3', value: '2', copy: 'a\rb\r\n2\n', why: 'any line end' },
    {
      text: 'a\n1\u001a\u001a',
      cell: 'A2',
      value: '2',
      copy: 'a\n2\u001a\u001a',
      why: 'marks of the end stay',
    },
  ])('changes only the cell: $why', async ({ text, cell, value, copy }) => {
    expect(await corrected(text, cell, value)).toBe(copy)
  })

  it('of a file without corrections is the file', async () => {
    const bytes = encoded('\uFEFFa;b\r\n"1" ;\u00e9\r"', 'utf-8')
    expect((await correct(bytes, ';', [])).bytes).toEqual(bytes)
  })

  it.for([
    { value: 'a\0b', why: 'NUL' },
    { value: '\uFFFD', why: 'a lost character' },
    { value: '\ud800', why: 'half a character' },
    { value: '1\u001a', why: 'the mark of the end' },
    { value: 'x'.repeat(32_768), why: 'more than a cell may hold' },
  ])('leaves a cell whose new text could not be read again: $why', async ({ value }) => {
    const text = 'a,b\n1,2\n'
    const rows = [{ rowNumber: 2, cells: [correction(0, value), correction(1, '3')] }]
    const copy = await correct(encoded(text, 'utf-8'), ',', rows)
    expect(Buffer.from(copy.bytes).toString()).toBe('a,b\n1,3\n')
    expect(copy).toMatchObject({ corrected: ['2 1'], skipped: ['2 0'] })
  })

  it.for([
    { row: '1', copy: '1,,', why: 'all but one' },
    { row: '1,2', copy: '1,2,', why: 'one' },
    { row: '1,', copy: '1,,', why: 'the one before is empty' },
    { row: '"1", "2" ', copy: '"1", "2" ,', why: 'padding around quotes stays' },
    { row: '"1\n\n",2', copy: '"1\n\n",2,', why: 'a cell of several lines' },
    { row: '1,N/A', copy: '1,3,', cells: [correction(1, '3')], why: 'another cell is corrected' },
    { row: '1,"N/A"', copy: '1,"3",', cells: [correction(1, '3')], why: 'also one in quotes' },
  ])('gives a row that ends early its missing cells: $why', async ({ row, copy, cells = [] }) => {
    for (const delimiter of [',', ';', '\t'])
      for (const end of ['\n', '\r\n', '\r', '', '\n\u001a'])
        for (const encoding of ['utf-8', 'utf-8 with BOM', 'utf-16be'] as const) {
          const written = (text: string) => {
            const lines = ['a,b,c', '7,8,9', text].join(end.trim() === '' ? end || '\n' : '\n') + end
            return encoded(lines.replaceAll(',', delimiter), encoding)
          }
          const column = row.split(',').length
          const rows = [{ rowNumber: 3, cells: [...cells, correction(column, '')] }]
          const { bytes, ...log } = await correct(written(row), delimiter, rows, 3)
          expect(bytes).toEqual(written(copy))
          expect(log).toEqual({ corrected: rows[0].cells.map((cell) => `3 ${cell.column}`), skipped: [] })
        }
  })

  it('keeps every other byte and every other value, in any dialect and encoding', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ records, delimiter, encoding }) => {
        const rows = correctionsOf(records)
        const before = records.map((cells) => cells.map(({ raw }) => raw))
        const after = records.map((cells) => cells.map((cell) => rawOf(cell, delimiter)))
        const source = encoded(joinedRecords(before, records, delimiter), encoding)
        const copy = await correct(source, delimiter, rows)
        expect(copy.skipped).toEqual([])
        expect(copy.bytes).toEqual(encoded(joinedRecords(after, records, delimiter), encoding))
        const values = records.map((cells) => cells.map(({ value, replacement }) => replacement ?? value))
        expect(await recordsOf(copy.bytes, delimiter)).toEqual([['head'], ...values])
      }),
      { numRuns: runs(50) },
    )
  })

  it('is the same where chunks of the file cut cells and characters', async () => {
    const cell = (index: number) => (index % 3 === 0 ? `"\u00e9${index}\n"` : `\u{1F600}${index}`)
    const records = Array.from({ length: 40_000 }, (_, index) => `${cell(index)},${'x'.repeat(index % 50)}`)
    const rows = records.flatMap((_, index) =>
      index % 7 === 0 ? [{ rowNumber: index + 1, cells: [correction(0, `new ${index}`)] }] : [],
    )
    const text = (lines: string[]) => encoded(lines.join('\r\n'), 'utf-16le')
    const copy = await correct(text(records), ',', rows)
    const expected = records.map((record, index) => {
      if (index % 7 !== 0) return record
      return record.replace(/^(?:"[^"]*"|[^,]*)/, (old) =>
        old[0] === '"' ? `"new ${index}"` : `new ${index}`,
      )
    })
    expect(copy.bytes).toEqual(text(expected))
  })
})

/** `raw` is how the file spells `value`; `inner` is where the text stands in it. */
type Cell = {
  raw: string
  value: string
  quotes: { before: string; after: string } | null
  replacement: string | null
}

const character = fc.constantFrom(
  'a',
  '1',
  ',',
  ';',
  '\t',
  '|',
  '"',
  '\n',
  '\r',
  ' ',
  '\u00e9',
  '\u{1F600}',
  '\uFEFF',
)
const value = fc.array(character, { maxLength: 5 }).map((characters) => characters.join(''))
const padding = fc.constantFrom('', ' ', '  ')

const cellOf = (delimiter: string) =>
  fc
    .record({ value, before: padding, after: padding, isQuoted: fc.boolean(), replacement: fc.option(value) })
    .map(({ before, after, isQuoted, ...cell }): Cell => {
      // A text that could be taken for the end of a cell or for a quoted one must be quoted.
      const mustBeQuoted = cell.value.includes(delimiter) || /["\r\n]/.test(cell.value)
      if (!isQuoted && !mustBeQuoted) return { ...cell, raw: cell.value, quotes: null }
      const raw = `${before}"${cell.value.replaceAll('"', '""')}"${after}`
      return { ...cell, raw, quotes: { before, after } }
    })

const lineEnds = fc.constantFrom('\n', '\r\n', '\r')
const files = fc
  .record({
    delimiter: fc.constantFrom(',', ';', '\t', '|'),
    encoding: fc.constantFrom<Encoding>('utf-8', 'utf-8 with BOM', 'utf-16le', 'utf-16be'),
  })
  .chain(({ delimiter, encoding }) =>
    fc
      .array(fc.tuple(fc.array(cellOf(delimiter), { minLength: 2, maxLength: 4 }), lineEnds), {
        minLength: 1,
        maxLength: 5,
      })
      .map((lines) => ({
        delimiter,
        encoding,
        records: lines.map(([cells, lineEnd]) => Object.assign(cells, { lineEnd })),
      })),
  )
type Records = readonly (Cell[] & { lineEnd: string })[]

const joinedRecords = (texts: readonly string[][], records: Records, delimiter: string): string =>
  `head\n${texts.map((cells, index) => cells.join(delimiter) + records[index].lineEnd).join('')}`

function rawOf({ raw, quotes, replacement }: Cell, delimiter: string): string {
  if (replacement === null) return raw
  const doubled = replacement.replaceAll('"', '""')
  if (quotes !== null) return `${quotes.before}"${doubled}"${quotes.after}`
  return replacement.includes(delimiter) || /["\r\n]/.test(replacement) ? `"${doubled}"` : replacement
}

const correctionsOf = (records: Records): CorrectedRow[] =>
  records.flatMap((cells, index) => {
    const corrected = cells.flatMap(({ replacement }, column) =>
      replacement === null ? [] : [correction(column, replacement)],
    )
    return corrected.length === 0 ? [] : [{ rowNumber: index + 2, cells: corrected }]
  })
