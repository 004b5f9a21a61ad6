import { expect, it } from 'vitest'
import { openText } from '#formats/csv/open-text.ts'
import type { Note } from '#formats/spreadsheet/write-notes.ts'
import { portalGuards } from '#limits.ts'
import { CsvGrid } from '#output/csv-grid.ts'
import type { MarkedRow } from '#output/marked-rows.ts'
import { RowFeed } from '#output/row-feed.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()
/** A worksheet can have a million. */
const maxRows = 8

async function gridOf(csv: string, marked: MarkedRow | null): Promise<CsvGrid> {
  const marks = new RowFeed<MarkedRow>()
  if (marked !== null) marks.push(marked, 0)
  marks.start(async () => {})
  const text = await openText(bytesSource(platform.encodeUtf8(csv)), platform)
  return new CsvGrid({
    text: await text.from(0),
    dialect: { delimiter: 0x2c },
    platform,
    living: { mark() {} },
    marks,
    width: 1,
    headerRow: 1,
    limits: { ...portalGuards, maxRows },
  })
}

async function writeSheet(grid: CsvGrid): Promise<readonly Note[]> {
  const sheet = grid.sheet('Data')
  for await (const _ of sheet.rows);
  return sheet.notes!.list()
}

it.for([
  { rows: maxRows, lineEnd: '\n', isDone: true, why: 'as long as a sheet' },
  { rows: maxRows, lineEnd: '\r\n', isDone: true, why: 'as long, with a last line feed after the last row' },
  { rows: maxRows + 1, lineEnd: '\r\n', isDone: false, why: 'one row longer' },
])('A grid has a second sheet only for rows that do not fit: $why', async ({ rows, lineEnd, isDone }) => {
  const grid = await gridOf(`a${lineEnd}`.repeat(rows), null)
  await writeSheet(grid)
  expect(grid.isDone).toBe(isDone)
})

const MARK = { column: 0, kind: 'bad', hasNote: true, note: 'no a' } as const

it('Notes count the rows of their own sheet', async () => {
  const rowNumber = maxRows + 2
  const grid = await gridOf('a\n'.repeat(rowNumber), { rowNumber, cells: [MARK] })
  expect(await writeSheet(grid)).toEqual([
    { row: 0, column: 0, text: expect.stringContaining('continue on the sheet "Rows from 9"') },
  ])
  expect(await writeSheet(grid)).toEqual([{ row: 1, column: 0, text: 'Veridict:\nno a' }])
})

it('The note about the whole sheet stands in front of the note on its first cell', async () => {
  const grid = await gridOf('a\n'.repeat(maxRows + 1), { rowNumber: 1, cells: [MARK] })
  expect(await writeSheet(grid)).toEqual([
    { row: 0, column: 0, text: expect.stringMatching(/^Veridict:\nThe rows continue .*\nno a$/) },
  ])
})
