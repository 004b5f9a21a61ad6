import { readFileSync } from 'node:fs'
import * as Sheet from 'xlsx'
import type { Program } from '../job.ts'
import { WorkbookRows } from './workbook-rows.ts'

/** SheetJS, the most used reader of workbooks, without the results that are not needed. */
export const run: Program = async ({ path, fields }) => {
  const rows = new WorkbookRows(fields)
  const workbook = Sheet.read(readFileSync(path), {
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
  })
  const [, ...records] = Sheet.utils.sheet_to_json<unknown[]>(workbook.Sheets[workbook.SheetNames[0]], {
    header: 1,
    raw: true,
    defval: '',
  })
  for (const cells of records) rows.check(cells)
  return rows.counts()
}
