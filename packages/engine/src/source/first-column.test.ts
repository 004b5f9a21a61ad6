import type { RowReport } from '@veridict/contract/model/cell-error'
import { fileProblemText, type Verdict } from '@veridict/contract/model/verdict'
import { columnIndex, columnLetter } from '@veridict/contract/notation/column-letter'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { writeErrorsFile } from '#output/errors-file.ts'
import { writeHighlightedFile } from '#output/highlighted-file.ts'
import { validateTable } from '#validate-table.ts'
import { buildWorkbook } from '../../test/build-workbook.ts'
import { readZip } from '../../test/read-zip.ts'
import { bytesSource, joined, testPlatform } from '../../test/test-platform.ts'
import { runs } from '../../test/runs.ts'
import { field } from '../../test/verdict-of-rows.ts'

const FIELDS = [
  field('Id', { type: 'text', minLength: 2 }, true),
  field('Amount', { type: 'number' }),
  field('Day', { type: 'date', format: 'dd/MM/yyyy' }, true),
]
const HEADER = FIELDS.map(({ name }) => name)

type Rows = readonly (readonly string[])[]
type File = { bytes: Uint8Array; fileName: string }

const csvOf = (rows: Rows): File => ({
  bytes: new Uint8Array(
    Buffer.from(rows.map((cells) => cells.map((cell) => `"${cell}"`).join(';')).join('\n')),
  ),
  fileName: 'a.csv',
})

function workbookOf(rows: Rows): File {
  const cellTag = (text: string, column: number, row: number) =>
    text === '' ? '' : `<c r="${columnLetter(column)}${row + 1}" t="str"><v>${text}</v></c>`
  const tags = rows.map(
    (cells, row) =>
      `<row r="${row + 1}">${cells.map((text, column) => cellTag(text, column, row)).join('')}</row>`,
  )
  return { bytes: buildWorkbook({ rows: tags.join('') }), fileName: 'a.xlsx' }
}

const request = ({ bytes, fileName }: File) => ({
  source: bytesSource(bytes),
  fileName,
  fields: FIELDS,
  platform: testPlatform(),
  limits: portalGuards,
})
const validate = (file: File): Promise<Verdict> => validateTable(request(file))
const problemText = (verdict: Verdict) =>
  verdict.kind === 'fileProblem' ? fileProblemText(verdict.problem) : verdict.kind

const shiftedRows = (rows: Rows, by: number): Rows =>
  rows.map((cells) => [...Array<string>(by).fill(''), ...cells])
const shiftedLetter = (letter: string, by: number) => columnLetter(columnIndex(letter) + by)

/** In the id of a cause: its column, or both columns whose values are swapped. */
const LETTERS_OF_CAUSE = /^[A-Z]+|(?<=^rows\.swappedColumns\.(?:[A-Z]+~)?)[A-Z]+/g

/** The verdict on the same table `by` columns further right. */
function shifted(verdict: Verdict, by: number): Verdict {
  if (verdict.kind !== 'rowErrors') return verdict
  const place = <Item extends { columnPosition: string }>(item: Item) => ({
    ...item,
    columnPosition: shiftedLetter(item.columnPosition, by),
  })
  const causeId = (id: string) => id.replace(LETTERS_OF_CAUSE, (letter) => shiftedLetter(letter, by))
  const placeRows = (rows: readonly RowReport[]) =>
    rows.map((row) => ({
      ...row,
      columnValidationErrors: row.columnValidationErrors.map((error) => ({
        ...place(error),
        cause: causeId(error.cause),
      })),
    }))
  return {
    ...verdict,
    rows: placeRows(verdict.rows),
    groups: verdict.groups.map(place),
    causes: verdict.causes.map((cause) => ({
      ...cause,
      id: causeId(cause.id),
      columnPosition: cause.columnPosition && shiftedLetter(cause.columnPosition, by),
    })),
    causeRows: verdict.causeRows.map(({ cause, rows }) => ({ cause: causeId(cause), rows: placeRows(rows) })),
  }
}

const cell = fc.constantFrom('', 'x', 'ab', '12', '1,5', '31/12/2024', '31/02/2024')
const records = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 6 })
/** Amount and Day hold each other's values. */
const swapped = Array(3).fill(['ab', '31/12/2024', '12'])
const KINDS = [
  { kind: 'CSV file', fileOf: csvOf },
  { kind: 'workbook', fileOf: workbookOf },
]

describe.for(KINDS)('A table in a $kind', ({ fileOf }) => {
  it('has the same verdict anywhere in the sheet, with the letters of the sheet', async () => {
    await fc.assert(
      fc.asyncProperty(records, fc.integer({ min: 1, max: 30 }), async (rows, by) => {
        const table = [HEADER, ...rows]
        // A first record with values only left of the table would be a column without a name.
        expect(await validate(fileOf(shiftedRows(table, by)))).toEqual(
          shifted(await validate(fileOf(table)), by),
        )
      }),
      { numRuns: runs(10), examples: [[swapped, 2]] },
    )
    expect(await validate(fileOf(shiftedRows([HEADER, ...swapped], 2)))).toMatchObject({
      causes: [{ id: 'rows.swappedColumns.D~E' }],
    })
  })

  it('is highlighted where it stands, and can be uploaded again', async () => {
    const table = shiftedRows([HEADER, ['x', '1', '31/12/2024'], ['ab', 'z', '']], 2)
    const file = fileOf([table[0], table[1], ['', 'note', ...table[2].slice(2)]])
    const verdict = await validate(file)
    const bad =
      verdict.kind === 'rowErrors'
        ? verdict.rows.flatMap((row) =>
            row.columnValidationErrors.map((error) => error.columnPosition + row.rowNumber),
          )
        : []
    expect(bad).toEqual(['C2', 'B3', 'D3', 'E3'])
    const highlighted = await joined(writeHighlightedFile(request(file)))
    const notes = [...readZip(highlighted)].find(([name]) => name.includes('comments'))![1]
    expect([...notes.matchAll(/<comment ref="(\w+)"/g)].map(([, place]) => place)).toEqual(bad)
    expect(await validate({ bytes: highlighted, fileName: 'a_highlighted.xlsx' })).toEqual(verdict)
  })

  it('has its errors listed with the letters of the sheet', async () => {
    const file = fileOf([
      ['', '', ...HEADER],
      ['', '', 'x', '1', '31/12/2024'],
      ['', 'note', 'ab', '1', '31/12/2024', 'more'],
    ])
    const sheet = readZip(await joined(writeErrorsFile(request(file)))).get('xl/worksheets/sheet1.xml')!
    const texts = [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/g)].map(([, row]) =>
      [...row.matchAll(/<t>(.*?)<\/t>/g)].map(([, text]) => text).slice(0, 3),
    )
    expect(texts.slice(1)).toEqual([
      ['2', 'C', 'Id'],
      ['3', 'B', expect.stringContaining('left of the table, which begins in column C')],
      ['3', 'F', 'The row has more cells than the 3 columns of the header.'],
    ])
  })

  it.for([
    {
      header: ['', '', 'Id', 'Day'],
      says: '"Amount" is missing (expected at D)',
      marked: ['D1'],
      why: 'a column is missing',
    },
    {
      header: ['', 'Id', 'Day', 'Amount'],
      says: 'column C is "Day", expected "Amount"',
      marked: ['C1', 'D1'],
      why: 'another order',
    },
    {
      header: ['', 'Id', '', 'Amount', 'Day'],
      says: 'Column C has no name',
      marked: ['C1'],
      why: 'a blank column within the table',
    },
    {
      header: ['', 'Id', 'Amount', 'Id', 'Day'],
      says: '(B, D)',
      marked: ['B1', 'D1'],
      why: 'a duplicate column',
    },
  ])('gets a file problem with the letters of the sheet: $why', async ({ header, says, marked }) => {
    const file = fileOf([header, ['', '', 'x', '']])
    expect(problemText(await validate(file))).toContain(says)
    const notes = [...readZip(await joined(writeHighlightedFile(request(file))))].find(([name]) =>
      name.includes('comments'),
    )![1]
    expect([...notes.matchAll(/<comment ref="(\w+)"/g)].map(([, place]) => place)).toEqual(marked)
  })

  it('lacks a column name where the first record has data left of the header', async () => {
    const verdict = await validate(
      fileOf([
        ['', ...HEADER],
        ['0', 'ab', '1', '31/12/2024'],
      ]),
    )
    expect(verdict).toMatchObject({ problem: { errorType: 1 } })
    expect(problemText(verdict)).toContain('Column A has no name')
  })

  it('has its first column’s cell reported as missing, where a row ends left of it', async () => {
    const { bytes } = csvOf([
      ['', '', ...HEADER],
      ['', '', 'ab', '1', '31/12/2024'],
    ])
    const verdict = await validate({
      bytes: new Uint8Array(Buffer.concat([bytes, Buffer.from('\nx\n')])),
      fileName: 'a.csv',
    })
    const found = verdict.kind === 'rowErrors' ? verdict.rows[0].columnValidationErrors : []
    expect(found.map(({ columnPosition, label }) => [columnPosition, label])).toEqual([
      ['A', ''],
      ['C', 'Id'],
    ])
  })
})
