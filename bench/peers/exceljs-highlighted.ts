import { errorFileLimits } from '@veridict/contract/limits'
import Excel from 'exceljs'
import type { Program } from '../findings.ts'
import { handChecks } from './hand-checks.ts'
import { readRows } from './udsv.ts'

const RED: Excel.Fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFF9999' } }

/** exceljs as a stream, of rows that uDSV reads: every row of the source, bad cells red, with a note. */
export const run: Program = async ({ path, fields, outputPath }) => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({
    filename: outputPath,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level: 1 } },
  })
  const sheet = workbook.addWorksheet('Data')
  sheet.addRow(fields.map(({ name }) => name)).commit()
  const checks = handChecks(fields)
  let notes = 0
  for (const cells of readRows(path)) {
    const row = sheet.addRow(cells)
    for (const [column, check] of checks.entries()) {
      if (check(cells[column] ?? '')) continue
      const cell = row.getCell(column + 1)
      cell.fill = RED
      if (notes++ < errorFileLimits.maxNotes) cell.note = `This value does not fit "${fields[column].name}".`
    }
    row.commit()
  }
  sheet.commit()
  await workbook.commit()
  return null
}
