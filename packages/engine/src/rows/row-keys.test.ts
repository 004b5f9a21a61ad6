import { errorScreenLimits, worksheetBounds } from '@veridict/contract/limits'
import type { RowReport } from '@veridict/contract/model/cell-error'
import type { Field } from '@veridict/contract/model/field'
import type { Verdict } from '@veridict/contract/model/verdict'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { writeErrorsFile } from '#output/errors-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { openTable } from '#source/open-table.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'

const field = (name: string, parts: Partial<Field> = {}): Field => ({
  name,
  description: '',
  category: '',
  required: false,
  rule: { type: 'text' },
  ...parts,
})
const PLAIN = [
  field('Case', { required: true, rule: { type: 'text', maxLength: 600 } }),
  field('Amount', { rule: { type: 'number' } }),
  field('Month', { rule: { type: 'date', format: 'MM/yyyy' } }),
]
/** The same, of which Case and Month identify the row. */
const FIELDS = PLAIN.map((plain) => (plain.name === 'Amount' ? plain : { ...plain, identifiesRow: true }))

const MONTH = '01/2024'
const requestOf = (bytes: Uint8Array, fileName: string, fields: readonly Field[] = FIELDS) => ({
  source: bytesSource(bytes),
  fileName,
  fields,
  platform: testPlatform(),
  limits: portalGuards,
})
const csv = (...rows: string[]) => new Uint8Array(Buffer.from(['Case,Amount,Month', ...rows].join('\n')))
const ofCsv = (text: string, fields?: readonly Field[]) => requestOf(csv(text), 'cases.csv', fields)

function rowsOf(verdict: Verdict): RowReport[] {
  if (verdict.kind !== 'rowErrors') throw new Error(`Rows with errors are expected: ${verdict.kind}`)
  return verdict.rows
}

describe('The key of a reported row', () => {
  it.for([
    { row: `A-1,x,${MONTH}`, key: ['A-1', MONTH], why: 'cells on both sides of the bad one' },
    { row: ',1,x', key: ['', 'x'], why: 'cells that are bad themselves' },
    { row: 'A-1', key: ['A-1', ''], why: 'of a row that ends early' },
    { row: `A-1,1,${MONTH},extra`, key: ['A-1', MONTH], why: 'of a row that is too long' },
    { row: `"a ""b"", c",x,"${MONTH}"`, key: ['a "b", c', MONTH], why: 'quoted cells' },
    { row: `"a\nb",x,${MONTH}`, key: ['a\nb', MONTH], why: 'a cell of two lines' },
    { row: ` A-1 ,x,${MONTH}`, key: [' A-1 ', MONTH], why: 'a cell as it is in the file' },
    {
      row: `${'é'.repeat(550)},x,${MONTH}`,
      key: ['é'.repeat(errorScreenLimits.maxValueLength), MONTH],
      why: 'a long value, cut',
    },
    {
      row: `${'x'.repeat(errorScreenLimits.maxValueLength - 1)}👍,x,`,
      key: ['x'.repeat(errorScreenLimits.maxValueLength - 1), ''],
      why: 'a long value, cut in front of a character of two code units',
    },
  ])('has $why', async ({ row, key }) => {
    const labelled = [
      { label: 'Case', value: key[0] },
      { label: 'Month', value: key[1] },
    ]
    expect(rowsOf(await validateTable(ofCsv(row)))).toMatchObject([{ rowNumber: 2, key: labelled }])
    const utf16 = new Uint8Array(Buffer.from(`\ufeffCase,Amount,Month\n${row}`, 'utf16le'))
    expect(rowsOf(await validateTable(requestOf(utf16, 'cases.csv')))).toMatchObject([{ key: labelled }])
  })

  it('stands at the first rows of each cause, too', async () => {
    const good = Array.from({ length: 120 }, () => 'A-1,x,')
    const verdict = await validateTable(ofCsv([...good, `,1,${MONTH}`].join('\n')))
    if (verdict.kind !== 'rowErrors') throw new Error('Rows with errors are expected.')
    expect(verdict.causeRows.map(({ rows }) => rows.at(-1)!.key.map(({ value }) => value))).toEqual([
      ['A-1', ''],
      ['', MONTH],
    ])
  })

  it('is empty where no field identifies the row', async () => {
    expect(rowsOf(await validateTable(ofCsv('A-1,x,', PLAIN)))).toMatchObject([{ key: [] }])
  })

  it('counts columns from where the table begins', async () => {
    const bytes = new Uint8Array(Buffer.from(`,Case,Amount,Month\n,A-1,x,${MONTH}`))
    expect(rowsOf(await validateTable(requestOf(bytes, 'cases.csv')))).toMatchObject([
      { key: [{ value: 'A-1' }, { value: MONTH }] },
    ])
  })

  it('shows a true date of a workbook in the format of its field', async () => {
    const rows =
      '<row r="1"><c r="A1" t="str"><v>Case</v></c><c r="B1" t="str"><v>Amount</v></c>' +
      '<c r="C1" t="str"><v>Month</v></c></row>' +
      '<row r="2"><c r="A2"><v>7</v></c><c r="B2" t="str"><v>x</v></c><c r="C2" s="1"><v>45292</v></c></row>'
    const formats = '<xf numFmtId="0"/><xf numFmtId="14"/>'
    const verdict = await validateTable(requestOf(buildWorkbook({ rows, formats }), 'cases.xlsx'))
    expect(rowsOf(verdict)).toMatchObject([
      {
        rowNumber: 2,
        key: [
          { label: 'Case', value: '7' },
          { label: 'Month', value: MONTH },
        ],
      },
    ])
  })

  it('does not change the verdict', async () => {
    const cell = fc.constantFrom('A-1', '', '12', 'x', MONTH, '13/2024', '"a,b"')
    const record = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','))
    const marks = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean())
    await fc.assert(
      fc.asyncProperty(fc.array(record, { maxLength: 6 }), marks, async (records, marked) => {
        const fields = PLAIN.map((plain, index) => ({ ...plain, identifiesRow: marked[index] }))
        const verdict = await validateTable(ofCsv(records.join('\n'), fields))
        const plain = await validateTable(ofCsv(records.join('\n'), PLAIN))
        expect(withoutKeys(verdict)).toEqual(plain)
      }),
      { numRuns: runs(15) },
    )
  })
})

const withoutKeys = (verdict: Verdict): Verdict =>
  verdict.kind === 'rowErrors'
    ? {
        ...verdict,
        rows: verdict.rows.map(withoutKey),
        causeRows: verdict.causeRows.map(({ cause, rows }) => ({ cause, rows: rows.map(withoutKey) })),
      }
    : verdict
const withoutKey = (row: RowReport): RowReport => ({ ...row, key: [] })

async function tableOf(workbook: Uint8Array): Promise<string[][]> {
  const table = await openTable(requestOf(workbook, 'errors.xlsx', []))
  const rows: string[][] = [[...table.header]]
  for await (const batch of table.rows()) for (const { cells } of batch) rows.push([...cells])
  return rows
}

/** The notes of a workbook, without the signature. */
const notesIn = (workbook: Uint8Array) =>
  [
    ...readZip(workbook)
      .get('xl/comments1.xml')!
      .matchAll(/<t [^>]*>Veridict:\n(.*?)<\/t>/gs),
  ].map(([, text]) => text.split('\n'))

describe('The error files of a dictionary with fields that identify the row', () => {
  const rows = `A-1,x,${MONTH}\nA-2,1,${MONTH}\n,y,`

  it('Errors has a column for each of them beside the row number', async () => {
    const table = await tableOf(await joined(writeErrorsFile(ofCsv(rows))))
    expect(table.map((cells) => cells.slice(0, 6))).toEqual([
      ['Row', 'Case', 'Month', 'Col.', 'Label', 'Error'],
      ['2', 'A-1', MONTH, 'B', 'Amount', 'This is not a number.'],
      ['4', '', '', 'A', 'Case', 'This cell must not be empty.'],
      ['4', '', '', 'B', 'Amount', 'This is not a number.'],
    ])
  })

  it('Errors has as many columns as a worksheet, and no more, if all fields identify the row', async () => {
    const { maxColumns } = worksheetBounds
    const fields = Array.from({ length: maxColumns }, (_, index) => ({ ...FIELDS[0], name: `F${index}` }))
    const names = fields.map(({ name }) => name).join(',')
    const bytes = new Uint8Array(Buffer.from(`${names}\n${'x,'.repeat(maxColumns - 1)}\n`))
    const table = await tableOf(await joined(writeErrorsFile(requestOf(bytes, 'wide.csv', fields))))
    expect(table.map(({ length }) => length)).toEqual([maxColumns, maxColumns])
  })

  it('Highlighted names them in the note of each bad cell, of a CSV file and of a workbook', async () => {
    const ends = [
      ['Case: A-1', `Month: ${MONTH}`],
      ['Case: (empty)', 'Month: (empty)'],
      ['Case: (empty)', 'Month: (empty)'],
    ]
    const ofGrid = await joined(writeHighlightedFile(ofCsv(rows)))
    expect(notesIn(ofGrid).map((lines) => lines.slice(-2))).toEqual(ends)
    const ofWorkbook = await joined(writeHighlightedFile(requestOf(ofGrid, 'cases.xlsx')))
    expect(notesIn(ofWorkbook).map((lines) => lines.slice(-2))).toEqual(ends)
  })

  it('are the same, byte for byte, where the option is false and where it is absent', async () => {
    for (const write of [writeErrorsFile, writeHighlightedFile]) {
      const plain = await joined(write(ofCsv(rows, PLAIN)))
      const off = await joined(
        write(
          ofCsv(
            rows,
            FIELDS.map((marked) => ({ ...marked, identifiesRow: false })),
          ),
        ),
      )
      expect(off).toEqual(plain)
    }
  })
})
