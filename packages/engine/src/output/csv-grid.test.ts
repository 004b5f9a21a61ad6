import { expect, it } from 'vitest'
import { portalGuards } from '#limits.ts'
import { CsvGrid } from '#output/csv-grid.ts'
import { onlyMarked } from '#output/marked-rows.ts'
import { MAX_SHEET_ROWS } from '#formats/spreadsheet/workbook-parts.ts'
import { openText } from '#formats/csv/open-text.ts'
import { bytesSource, testPlatform } from '../../test/test-platform.ts'

const platform = testPlatform()

it.for([
  { rows: MAX_SHEET_ROWS, lineEnd: '\n', isDone: true, why: 'as long as a sheet' },
  {
    rows: MAX_SHEET_ROWS,
    lineEnd: '\r\n',
    isDone: true,
    why: 'as long, its last line feed behind the last row',
  },
  { rows: MAX_SHEET_ROWS + 1, lineEnd: '\r\n', isDone: false, why: 'one row longer' },
])('A grid has a second sheet only for rows that do not fit: $why', async ({ rows, lineEnd, isDone }) => {
  const text = await (
    await openText(bytesSource(platform.encodeUtf8(`a${lineEnd}`.repeat(rows))), platform)
  ).from(0)
  const parts = {
    text,
    dialect: { delimiter: 0x2c },
    marks: onlyMarked(null),
    width: 1,
    headerRow: 1,
    limits: portalGuards,
  }
  const grid = new CsvGrid(parts)
  for await (const _ of grid.sheet());
  expect(grid.isDone).toBe(isDone)
})

it('Notes count the rows of their own sheet', async () => {
  const text = await (
    await openText(bytesSource(platform.encodeUtf8('a\n'.repeat(MAX_SHEET_ROWS + 2))), platform)
  ).from(0)
  const marks = onlyMarked({ rowNumber: MAX_SHEET_ROWS + 2, marks: [{ column: 0, note: 'no a' }] })
  const grid = new CsvGrid({
    text,
    dialect: { delimiter: 0x2c },
    marks,
    width: 1,
    headerRow: 1,
    limits: portalGuards,
  })
  for await (const _ of grid.sheet());
  expect(grid.takeNotes()).toEqual([
    { row: 0, column: 0, text: expect.stringContaining('continue on the sheet "Rows from 1,048,577"') },
  ])
  for await (const _ of grid.sheet());
  expect(grid.takeNotes()).toEqual([{ row: 1, column: 0, text: 'no a' }])
})

it('A note of the sheet stands in front of what is said of its first cell', async () => {
  const text = await (
    await openText(bytesSource(platform.encodeUtf8('a\n'.repeat(MAX_SHEET_ROWS + 1))), platform)
  ).from(0)
  const marks = onlyMarked({ rowNumber: 1, marks: [{ column: 0, note: 'no a' }] })
  const grid = new CsvGrid({
    text,
    dialect: { delimiter: 0x2c },
    marks,
    width: 1,
    headerRow: 1,
    limits: portalGuards,
  })
  for await (const _ of grid.sheet());
  expect(grid.takeNotes()).toEqual([
    { row: 0, column: 0, text: expect.stringMatching(/^The rows continue .*\nno a$/) },
  ])
})
