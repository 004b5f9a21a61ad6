import { readSheet } from 'read-excel-file/node'
import { createReadStream } from 'node:fs'
import type { Program } from '../job.ts'
import { WorkbookRows } from './workbook-rows.ts'

/** read-excel-file, the fastest of the npm readers of workbooks. */
export const run: Program = async ({ path, fields }) => {
  const rows = new WorkbookRows(fields)
  const [, ...records] = await readSheet(createReadStream(path))
  for (const cells of records) rows.check(cells)
  return rows.counts()
}
