import { columnLetter } from '@veridict/contract/notation/column-letter'
import Excel from 'exceljs'
import type { Program } from '../job.ts'
import { checkedRows } from './checked-rows.ts'

/** exceljs as a stream: one row for each bad cell. */
export const run: Program = async ({ path, fields, outputPath }) => {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({
    filename: outputPath,
    useSharedStrings: false,
    zip: { zlib: { level: 1 } },
  })
  const sheet = workbook.addWorksheet('Errors')
  sheet.addRow(['Row', 'Col.', 'Label', 'Error', 'Value', 'Expected']).commit()
  let rowNumber = 1
  for (const { cells, badColumns } of checkedRows(path, fields)) {
    rowNumber++
    for (const column of badColumns) {
      const { name, rule } = fields[column]
      sheet
        .addRow([
          String(rowNumber),
          columnLetter(column),
          name,
          'This value is wrong.',
          cells[column] ?? '',
          rule.type,
        ])
        .commit()
    }
  }
  sheet.commit()
  await workbook.commit()
  return null
}
