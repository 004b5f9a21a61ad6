import { cellErrors } from '@veridict/contract/messages/cells'
import type { CellFault } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import { columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { ByteSource } from '#byte-source.ts'
import { type ColumnCheck, keyColumnsOf } from '#compile/column-check.ts'
import { compileColumns } from '#compile/compile-columns.ts'
import { openText } from '#formats/csv/open-text.ts'
import type { Text } from '#formats/csv/text-bytes.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { type FileGuards, portalGuards } from '#limits.ts'
import type { CsvTable } from '#source/csv/csv-table.ts'
import { openCsv } from '#source/csv/open-csv.ts'
import type { SourceRow } from '#source/table-source.ts'
import cases from '../../../test/cases/csv.json' with { type: 'json' }
import { bytesSource, testPlatform } from '../../../test/test-platform.ts'
import { runs } from '../../../test/runs.ts'

type CsvCase = {
  text?: string
  bytes?: number[]
  rows?: (number | string)[][]
  faults?: [row: number, column: string, code: string][]
  problem?: number
  says?: string
  why: string
}

const platform = testPlatform()
const textField = (name: string): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule: { type: 'text' },
})

/** A text read in pieces of `size` bytes at most. */
function inPieces(text: Text, size: number): Text {
  return {
    ...text,
    raw: undefined,
    from: async (offset) => {
      const bytes = await text.from(offset)
      const piece = new Uint8Array(1 << 16)
      let ready = piece.subarray(0, 0)
      return {
        read: async (into) => {
          if (ready.length === 0) ready = piece.subarray(0, await bytes.read(piece))
          const count = Math.min(size, into.length, ready.length)
          into.set(ready.subarray(0, count))
          ready = ready.subarray(count)
          return count
        },
      }
    },
  }
}

/** As a browser reads a file. */
const inPromises = (source: ByteSource): ByteSource => ({
  size: source.size,
  read: async (into, position) => source.read(into, position),
})

async function open(
  bytes: Uint8Array,
  labels: string[],
  size: number,
  limits: FileGuards = portalGuards,
): Promise<CsvTable> {
  const source = size % 2 === 0 ? bytesSource(bytes) : inPromises(bytesSource(bytes))
  return openCsv(inPieces(await openText(source, platform), size), platform, limits, labels)
}

async function readRows(table: CsvTable): Promise<SourceRow[]> {
  return (await Array.fromAsync(table.rows())).flat()
}

const faultLine = (
  rowNumber: number,
  column: number,
  { code, error }: Pick<CellFault, 'code' | 'error'>,
  value: string,
  key: readonly string[],
) => `${rowNumber} ${columnLetter(column)} ${code} ${JSON.stringify(value)}: ${error} ${JSON.stringify(key)}`

/** What validation reports of a table. `records`: the numbers of their rows. */
type Reported = { faults: string[]; records: number[] }

/** With the kernel, and the same without it. */
async function validated(table: CsvTable, columns: readonly ColumnCheck[]): Promise<Reported> {
  const reported = await validatedWith(table, columns)
  const alone = columns.map((column) => ({ ...column, describe: undefined }))
  expect(await validatedWith(table, alone)).toEqual(reported)
  return reported
}

async function validatedWith(table: CsvTable, columns: readonly ColumnCheck[]): Promise<Reported> {
  const faults: string[] = []
  const records: number[] = []
  await table.validate(columns, {
    // The values are read after the key, which must not move them.
    badCells: (rowNumber, cells, row) => {
      const key = row.keyTexts()
      for (const { column, fault, value, like } of cells) {
        faults.push(faultLine(rowNumber, column, fault, value, key))
        // From now on, one object for all cells of the class.
        if (like !== undefined) like.memo = {}
      }
    },
    records: (firstRow, count) => {
      for (let row = firstRow; row < firstRow + count; row++) records.push(row)
    },
  })
  return { faults, records }
}

/** The same, worked out from the reference's rows. */
async function expected(table: CsvTable, columns: readonly ColumnCheck[]): Promise<Reported> {
  const faults: string[] = []
  const rows = await readRows(table)
  for (const { rowNumber, cells } of rows) {
    const key = keyColumnsOf(columns).map((column) => cells[column] ?? '')
    for (const [index, column] of columns.entries()) {
      const fault = index < cells.length ? column.check(cells[index]) : null
      if (fault !== null) faults.push(faultLine(rowNumber, index, fault, cells[index], key))
    }
    const missing = { code: 'missingCell', error: cellErrors.missingCell } as const
    if (cells.length < columns.length) faults.push(faultLine(rowNumber, cells.length, missing, '', key))
    const extra = cells.findIndex((cell, index) => index >= columns.length && cell.trim() !== '')
    const tooMany = { code: 'extraCell', error: cellErrors.extraCell(columns.length) } as const
    if (extra >= 0) faults.push(faultLine(rowNumber, extra, tooMany, cells[extra], key))
  }
  return { faults, records: rows.map(({ rowNumber }) => rowNumber) }
}

async function problemOf(work: () => Promise<unknown>): Promise<FileProblemError['problem'] | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof FileProblemError) return error.problem
    throw error
  }
}

const bytesOf = ({ text, bytes }: CsvCase) =>
  bytes === undefined ? platform.encodeUtf8(text ?? '') : Uint8Array.from(bytes)

describe('A CSV file', () => {
  it.for(cases as CsvCase[])('$text: $why', async (csvCase) => {
    const bytes = bytesOf(csvCase)
    for (let size = 1; size <= bytes.length + 1; size++) {
      const problem = await problemOf(async () => {
        const table = await open(bytes, ['a', 'b'], size)
        const columns = await compileColumns([textField('a'), textField('b')], table.terminators, platform)
        expect((await readRows(table)).map(({ rowNumber, cells }) => [rowNumber, ...cells])).toEqual(
          csvCase.rows,
        )
        const reported = await validated(table, columns)
        expect(reported).toEqual(await expected(table, columns))
        const faults = (csvCase.faults ?? []).map((fault) => fault.join(' '))
        expect(reported.faults.map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual(faults)
      })
      expect(problem?.errorType).toBe(csvCase.problem)
      if (csvCase.says !== undefined) expect(problem?.message).toContain(csvCase.says)
    }
  })

  it('is not searched to the end of a chunk for each record that ends with CR', async () => {
    const bytes = platform.encodeUtf8('a,b\r'.repeat(10_000))
    const table = await open(bytes, ['a', 'b'], 1 << 16)
    const columns = await compileColumns([textField('a'), textField('b')], table.terminators, platform)
    let searched = 0
    const search = vi.spyOn(Uint8Array.prototype, 'includes').mockImplementation(function (
      this: Uint8Array,
      byte,
    ) {
      const found = this.indexOf(byte)
      searched += found < 0 ? this.length : found + 1
      return found >= 0
    })
    const { records } = await validated(table, columns).finally(() => search.mockRestore())
    expect(records).toHaveLength(9999)
    expect(searched).toBeLessThan(4 * bytes.length)
  })
})

const FIELDS: Field[] = [
  { ...textField('a'), rule: { type: 'text', minLength: 2, maxLength: 6 }, required: true },
  { ...textField('b'), rule: { type: 'number', scale: 2, minimum: -5, maximum: 1000 }, identifiesRow: true },
  { ...textField('c'), rule: { type: 'date', format: 'dd/MM/yyyy' }, required: true },
  { ...textField('d'), rule: { type: 'pattern', pattern: '(ab|c[0-9]{1,3})+' } },
  {
    ...textField('e'),
    rule: { type: 'list', options: ['Open', 'Closed', 'On hold'] },
    required: true,
    identifiesRow: true,
  },
]
const GOOD = [
  ['ab', 'é美x', 'a,b', '😀😀'],
  ['1', '-5', '999.99', ''],
  ['01/02/2020', '29/02/2020'],
  ['ab', 'c123ab', ''],
  ['Open', 'On hold'],
]
const goodCell = (column: number) => fc.constantFrom(...GOOD[column])
const anyCell = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', '1', ' ', '"', ',', '\n', '\r', '.', '/', '美', '\u00a0', '\t'),
    maxLength: 8,
  }),
  fc.constantFrom('', 'x', '1,5', '31/04/2021', 'Opened', ' Open '),
)
const records = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(...GOOD.map((_, column) => fc.oneof({ weight: 4, arbitrary: goodCell(column) }, anyCell)))
        .map((cells) => cells as string[]),
    },
    { weight: 1, arbitrary: fc.array(anyCell, { minLength: 1, maxLength: 8 }) },
  ),
  { maxLength: 12 },
)

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
/** A record as a program might write it: quotes where they must be, and elsewhere now and then. */
const written = (cells: readonly string[], always: boolean) =>
  cells.map((cell) => (always || /[",\r\n]|^[ \t]*$|^[ \t]/.test(cell) ? quoted(cell) : cell)).join(',')

describe('The fast path and the reference', () => {
  it('find the same rows and faults, wherever a chunk ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        records,
        fc.boolean(),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.boolean(),
        async (rows, always, lineEnd, endsLast) => {
          const lines = [
            FIELDS.map(({ name }) => name).join(','),
            ...rows.map((cells) => written(cells, always)),
          ]
          const bytes = platform.encodeUtf8(lines.join(lineEnd) + (endsLast ? lineEnd : ''))
          const whole = await open(bytes, ['a', 'b', 'c', 'd', 'e'], bytes.length)
          const columns = await compileColumns(FIELDS, whole.terminators, platform)
          const reported = await expected(whole, columns)
          for (const size of [1, 2, 3, 5, 7, 11, 17, 31, 64, bytes.length]) {
            const table = await open(bytes, ['a', 'b', 'c', 'd', 'e'], size)
            expect(await validated(table, columns)).toEqual(reported)
          }
        },
      ),
      { numRuns: runs(8) },
    )
  })

  it('read back what was written', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.boolean(), async (rows, always) => {
        const text = ['a,b,c,d,e', ...rows.map((cells) => written(cells, always))].join('\n')
        const table = await open(platform.encodeUtf8(text), ['a', 'b', 'c', 'd', 'e'], 1 << 16)
        const kept = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''))
        expect((await readRows(table)).map(({ cells }) => cells)).toEqual(kept)
      }),
      { numRuns: runs(15) },
    )
  })

  it('agree on any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({
          unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r', ' ', '\t', '美', '\0', '\ufffd', '\u00a0'),
          maxLength: 40,
        }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom(portalGuards, { ...portalGuards, maxCellLength: 3, maxColumns: 3 }),
        async (body, size, limits) => {
          const bytes = platform.encodeUtf8(`a,b\n${body}`)
          const table = await open(bytes, ['a', 'b'], size, limits)
          const columns = await compileColumns([FIELDS[0], FIELDS[1]], table.terminators, platform)
          const byReference = await problemOf(async () => readRows(table))
          const byFastPath = await problemOf(async () => validated(table, columns))
          expect(byFastPath).toEqual(byReference)
          if (byReference === null)
            expect(await validated(table, columns)).toEqual(await expected(table, columns))
        },
      ),
      { numRuns: runs(100) },
    )
  })
})

describe('Bad cells that repeat', () => {
  const labels = ['a', 'b', 'c', 'd', 'e']
  const table = (rows: readonly string[], size = 1 << 16) =>
    open(platform.encodeUtf8([labels.join(','), ...rows].join('\n')), labels, size)

  it.for([
    { cell: 'abcdefg', why: 'as they are' },
    { cell: '', why: 'empty' },
    { cell: ' ', why: 'blank' },
    { cell: '"abc,defg"', why: 'in quotes' },
    { cell: '"ab""cd""ef"', why: 'with quotes in them' },
    { cell: '  padded cell  ', why: 'with spaces around them' },
    { cell: 'é美😀xxxx', why: 'beyond ASCII' },
    { cell: 'x'.repeat(40), why: 'long' },
    { cell: 'é'.repeat(300), why: 'too long to be kept' },
  ])('are reported each time, $why: $cell', async ({ cell }) => {
    const rows = Array.from({ length: 8 }, () => labels.map(() => cell).join(','))
    for (const size of [7, 1 << 16]) {
      const csv = await table(['ab,1,01/02/2020,ab,Open', ...rows, 'ab,1,01/02/2020,ab,Open'], size)
      const columns = await compileColumns(FIELDS, csv.terminators, platform)
      expect(await validated(csv, columns)).toEqual(await expected(csv, columns))
    }
  })

  it('are not taken for others of the same length', async () => {
    const long = (index: number) => `${'a'.repeat(30)}${String(index % 90).padStart(2, '0')}${'z'.repeat(30)}`
    const rows = Array.from(
      { length: 3000 },
      (_, index) => `${long(index)},x${index % 900},y${index % 700},,q`,
    )
    const csv = await table(rows)
    const columns = await compileColumns(FIELDS, csv.terminators, platform)
    expect(await validated(csv, columns)).toEqual(await expected(csv, columns))
  })

  /** The different objects that a sink gets for each value. */
  async function objectsOf(rows: readonly string[]): Promise<Map<string, Set<object>>> {
    const seen = new Map<string, Set<object>>()
    const csv = await table(rows)
    const columns = await compileColumns(FIELDS, csv.terminators, platform)
    await csv.validate(columns, {
      badCells: (_row, cells) => {
        for (const cell of cells) seen.set(cell.value, (seen.get(cell.value) ?? new Set()).add(cell))
      },
      records() {},
    })
    return seen
  }

  it('are one object from the second on', async () => {
    const rows = Array.from({ length: 900 }, (_, index) => `ab,x,01/02/2020,new${index},Open`)
    const again = Array.from({ length: 50 }, () => 'ab,x,01/02/2020,again,Open')
    const seen = await objectsOf([...rows, ...again])
    expect(seen.get('x')!.size).toBe(2)
    expect(seen.get('again')!.size).toBe(2)
  })
})

describe('A text in UTF-16', () => {
  it(
    'fills the buffer at each read, so that a long record is not read again for every few ' + 'bytes',
    async () => {
      const bytes = new Uint8Array(Buffer.from(`\ufeff${'é'.repeat(200_000)}`, 'utf16le'))
      const text = await (await openText(bytesSource(bytes), platform)).from(0)
      const counts = [
        await text.read(new Uint8Array(300_001)),
        await text.read(new Uint8Array(300_001)),
        await text.read(new Uint8Array(4)),
      ]
      expect(counts).toEqual([300_001, 99_999, 0])
    },
  )
})

describe('The limits of a CSV file', () => {
  const limits = { ...portalGuards, maxCellLength: 10, maxColumns: 4 }
  const problem = (text: string, size = 1 << 16) =>
    problemOf(async () => {
      const table = await open(platform.encodeUtf8(text), ['a', 'b'], size, limits)
      await validated(
        table,
        await compileColumns([textField('a'), textField('b')], table.terminators, platform),
      )
    })

  it.for([
    { text: `a,b\n1,${'x'.repeat(11)}\n`, errorType: 5, says: 'A quote', why: 'a cell that is too long' },
    {
      text: `a,b\n1,${'é'.repeat(10)}\n`,
      errorType: undefined,
      says: '',
      why: 'characters count, not bytes',
    },
    {
      text: `a,b\n1,"${'""'.repeat(10)}"\n`,
      errorType: undefined,
      says: '',
      why: 'an escaped quote is one character',
    },
    {
      text: `a,b\n1,"${'x'.repeat(500)}\n`,
      errorType: 3,
      says: 'line 2',
      why: 'a quote that is never closed is reported as such',
    },
    {
      text: `a,b\n1,"${'x\n'.repeat(500)}2,"y"\n`,
      errorType: 3,
      says: 'in line 2 is closed by the quote in line 502',
      why: 'a quote that a far later one closes is reported as such',
    },
    {
      text: `a,b\n1,"${'x'.repeat(500)}"\n`,
      errorType: 5,
      says: 'row 2',
      why: 'a quoted cell that is closed is too long',
    },
    {
      text: 'a,b\n1,2,3,4,5\n',
      errorType: 5,
      says: '4 columns',
      why: 'a row with more cells than any sheet',
    },
    { text: 'a,b,c,d,e\n', errorType: 5, says: '4 columns', why: 'a header with more columns' },
  ])('$why', async ({ text, errorType, says }) => {
    for (const size of [3, 64, 1 << 16]) {
      const found = await problem(text, size)
      expect(found?.errorType).toBe(errorType)
      expect(found?.message ?? '').toContain(says)
    }
  })

  it('allow the longest cell, wherever a chunk ends', async () => {
    const fields = ['a', 'b', 'c'].map(textField)
    const longest = `"${'美'.repeat(portalGuards.maxCellLength)}"`
    // The first chunk of 256 KiB ends between the text and its closing quote.
    const rows = `xxx,y,z\n${'x,y,z\n'.repeat(21_844)}${'x'.repeat(30_000)},${'y'.repeat(2768)},${longest}\n`
    const text = await openText(bytesSource(platform.encodeUtf8(`a,b,c\n${rows}`)), platform)
    const table = await openCsv(text, platform, portalGuards, ['a', 'b', 'c'])
    const columns = await compileColumns(fields, table.terminators, platform)
    const { faults, records } = await validated(table, columns)
    expect([faults, records.slice(-2)]).toEqual([[], [21_846, 21_847]])
  })

  const ROOM_OF_KERNEL = 12_600_000

  it('keep no more of an endless cell in memory than a few chunks', async () => {
    const text = await openText(
      bytesSource(platform.encodeUtf8(`a,b\n1,"${'x'.repeat(4_000_000)}`)),
      platform,
    )
    let largest = 0
    const watched: Text = {
      ...text,
      from: async (offset) => {
        const bytes = await text.from(offset)
        return {
          read: (into) => {
            // The memory of the kernel has the chunk and lists of what is in it.
            largest = Math.max(largest, into.buffer.byteLength - ROOM_OF_KERNEL)
            return bytes.read(into)
          },
        }
      },
    }
    const table = await openCsv(watched, platform, portalGuards, ['a', 'b'])
    const columns = await compileColumns([textField('a'), textField('b')], table.terminators, platform)
    expect((await problemOf(() => validated(table, columns)))?.errorType).toBe(3)
    expect(largest).toBeLessThan(1_000_000)
  })

  it.for([
    { cell: `${' '.repeat(400_000)}"x"`, why: 'before a quote' },
    { cell: `"x"${' '.repeat(400_000)}`, why: 'after one' },
    { cell: `${' '.repeat(100_000)}"${'x'.repeat(30_000)}"`, why: 'and text' },
  ])('count the white space around a quoted cell: $why', async ({ cell }) => {
    // The cell begins shortly before the end of a chunk, or far from one. Many short rows would take longer.
    const row = `${'y'.repeat(99)}\n`
    for (const before of ['', row.repeat(1300), row.repeat(1500)]) {
      const found = await problemOf(async () => {
        const table = await open(platform.encodeUtf8(`a\n${before}${cell}\n`), ['a'], 1 << 16)
        await validated(table, await compileColumns([textField('a')], table.terminators, platform))
      })
      expect(found?.errorType).toBe(5)
    }
  })

  it('allow a long record of short cells', async () => {
    const fields = Array.from({ length: 2000 }, (_, index) => textField(`Column ${index}`))
    const row = fields.map((_, index) => 'x'.repeat(index % 400)).join(',')
    const text = `${fields.map(({ name }) => name).join(',')}\n${row}\n${row}\n`
    const table = await open(platform.encodeUtf8(text), [], 20_000)
    expect(await validated(table, await compileColumns(fields, table.terminators, platform))).toEqual({
      faults: [],
      records: [2, 3],
    })
  })
})

describe('The delimiter', () => {
  it.for([
    {
      text: 'Name;City, State\nx;y, z\n',
      labels: ['Name', 'City, State'],
      delimiter: ';',
      why: 'is the one whose header has the labels',
    },
    { text: 'a;b\n1,5;2,5\n', labels: [], delimiter: ';', why: 'is the one that gives even rows' },
    {
      text: 'note\na, b and c\nd, e',
      labels: ['note'],
      delimiter: ';',
      why: 'is not one that the cells of the only column hold without quotes',
    },
    {
      text: 'note\na; b\nc',
      labels: ['note'],
      delimiter: ',',
      why: 'is the comma where the comma leaves one column',
    },
    {
      text: 'note\n1,5\n"2;5";\n',
      labels: ['note'],
      delimiter: ';',
      why: 'is the one that leaves one column, with or without blank cells after it',
    },
    {
      text: `note\n${'x\n'.repeat(1000)}d, e\n`,
      labels: ['note'],
      delimiter: ';',
      why: 'is not one that the only column holds, even far below',
    },
    { text: 'note\n"b";x', labels: ['note'], delimiter: ';', why: 'is the one that makes one row too long' },
    {
      text: 'note\n"a";;\n"b";;\n',
      labels: ['note'],
      delimiter: ';',
      why: 'is not one that breaks the first row',
    },
    {
      text: 'note\na, b and c\nd, e\n',
      labels: [],
      delimiter: ',',
      why: 'is the comma where the dictionary does not have one column',
    },
    {
      text: 'a|b,c|d\n1|2,3|4\n',
      labels: [],
      delimiter: '|',
      why: 'is the one that gives the widest rows among equals',
    },
  ])('$why', async ({ text, labels, delimiter }) => {
    const table = await open(platform.encodeUtf8(text), labels, 1 << 16)
    expect(table.terminators).toEqual({ kind: 'csv', delimiter: delimiter.charCodeAt(0) })
  })

  it('is not taken from a line that goes on, even if the look at it cuts the next character', async () => {
    expect((await open(platform.encodeUtf8('sep=;👍\n1;2\n'), [], 1 << 16)).header).toEqual(['sep=', '👍'])
  })
})
