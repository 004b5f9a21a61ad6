import Excel from 'exceljs'
import type { Program } from '../job.ts'
import { WorkbookRows } from './workbook-rows.ts'

/** exceljs, row by row. Its arrays of cells begin at 1. */
export const run: Program = async ({ path, fields }) => {
  const rows = new WorkbookRows(fields)
  const workbook = new Excel.stream.xlsx.WorkbookReader(path, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    hyperlinks: 'ignore',
    styles: 'cache',
    entries: 'ignore',
  })
  for await (const sheet of workbook) {
    for await (const row of sheet) if (row.number > 1) rows.check(row.values as unknown[], 1)
  }
  return rows.counts()
}
