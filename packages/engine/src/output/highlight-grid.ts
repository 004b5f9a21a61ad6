import { errorFileSheets } from '@veridict/contract/messages/error-files'
import { openText } from '#formats/csv/open-text.ts'
import { continuedSheetName } from '#formats/spreadsheet/continued-rows.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import { cellStyles } from '#output/cell-styles.ts'
import { CsvGrid } from '#output/csv-grid.ts'
import type { ErrorFileRequest } from '#output/error-file-request.ts'
import type { MarkedRows } from '#output/marked-rows.ts'
import type { TableSource } from '#source/table-source.ts'

/**
 * A CSV file as a workbook of text cells, so that leading zeros and dates stay as they were typed. Rows keep
 * their numbers, blank ones included; beyond Excel's limit they continue on further sheets. Such a workbook
 * cannot be uploaded again; a note on its first cell says so.
 */
export async function* highlightGrid(
  table: TableSource,
  marks: MarkedRows,
  request: ErrorFileRequest,
): AsyncGenerator<Uint8Array> {
  const { source, platform, limits } = request
  if (table.terminators.kind !== 'csv') throw new TypeError('Only a CSV file is written as a grid.')
  const grid = new CsvGrid({
    text: await (await openText(source, platform)).from(0),
    dialect: table.terminators,
    platform,
    marks,
    width: table.header.length,
    headerRow: table.headerRowNumber,
    limits,
  })
  yield* writeWorkbook({ sheets: sheetsOf(grid), styles: cellStyles }, platform)
}

async function* sheetsOf(grid: CsvGrid): AsyncGenerator<NewSheet> {
  yield grid.sheet(errorFileSheets.data)
  while (!grid.isDone) yield grid.sheet(continuedSheetName(grid.firstRow))
}
