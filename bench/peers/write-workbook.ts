import Excel from 'exceljs'
import { statSync } from 'node:fs'
import type { Column } from '../generate/columns.ts'
import type { RowMaker } from '../generate/rows.ts'

/**
 * As a spreadsheet program does: numbers and dates as typed cells, all else in shared strings, blank cells
 * left out. Numbers and dates that are none stay strings.
 */
export async function writeWorkbook(
  path: string,
  columns: readonly Column[],
  rows: RowMaker,
  count: number,
): Promise<void> {
  const workbook = new Excel.stream.xlsx.WorkbookWriter({
    filename: path,
    useStyles: true,
    useSharedStrings: true,
    // As Excel compresses.
    zip: { zlib: { level: 6 } },
  })
  const sheet = workbook.addWorksheet('Claims')
  sheet.addRow(columns.map(({ name }) => name)).commit()
  for (const [index, { rule }] of columns.entries())
    if (rule.type === 'date') sheet.getColumn(index + 1).numFmt = 'dd/mm/yyyy'
  for (let index = 0; index < count; index++)
    sheet.addRow(rows.next().map((text, column) => cellValue(text, columns[column]))).commit()
  sheet.commit()
  await workbook.commit()
  rows.truth.bytes = statSync(path).size
}

function cellValue(text: string, { rule }: Column): Excel.CellValue {
  if (text === '') return null
  if (rule.type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return Number(text)
  return (rule.type === 'date' && dayOf(text)) || text
}

/** null if it is no day, dd/MM/yyyy. */
function dayOf(text: string): Date | null {
  const [, day, month, year] = (/^(\d\d)\/(\d\d)\/(\d{4})$/.exec(text) ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCDate() === day && date.getUTCMonth() === month - 1 ? date : null
}
