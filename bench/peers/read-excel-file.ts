import { readSheet } from 'read-excel-file/node'
import { createReadStream } from 'node:fs'
import { Findings } from '../findings.ts'
import type { Program } from '../job.ts'
import { WorkbookRows } from './workbook-rows.ts'

/** read-excel-file, the fastest of the npm readers of workbooks. */
export const run: Program = async ({ path, fields }) => {
  const findings = new Findings(fields.length)
  const rows = new WorkbookRows(fields, findings)
  const [, ...records] = await readSheet(createReadStream(path))
  for (const cells of records) rows.check(cells)
  return findings.counts()
}
