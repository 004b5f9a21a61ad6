import { errorFileLimits } from '@veridict/contract/limits'
import Excel from 'exceljs'
import type { Program } from '../job.ts'
import { checkedRows } from './checked-rows.ts'

const RED: Excel.Fill = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFF9999' } }

/** exceljs as a stream: every row of the source, bad cells red, with a note. */
export const run: Program = async ({ path, fields, outputPath }) => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({
    filename: outputPath,
    useStyles: true,
    useSharedStrings: false,
    zip: { zlib: { level: 1 } },
  })
  const sheet = workbook.addWorksheet('Data')
  sheet.addRow(fields.map(({ name }) => name)).commit()
  let notes = 0
  for (const { cells, badColumns } of checkedRows(path, fields)) {
    const row = sheet.addRow(cells)
    for (const column of badColumns) {
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
