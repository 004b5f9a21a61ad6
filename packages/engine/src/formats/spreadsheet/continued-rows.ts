import { worksheetBounds } from '@veridict/contract/limits'
import { workbookProblems } from '#formats/workbook-problems.ts'

const NAME = /^Rows from ([\d,]+)$/

/**
 * The name of a sheet on which the rows of a longer file continue; `firstRow` is their first in the file. It
 * tells people where they are, and it is how such a workbook is known when it comes back: names outlive any
 * program.
 */
export const continuedSheetName = (firstRow: number): string => `Rows from ${firstRow.toLocaleString('en')}`

/**
 * Refuses a table on several sheets, as we write a CSV file that is longer than a sheet: only one of them
 * would be judged, and rows that nobody read must not pass. Decisions, "Limits": a workbook has no more rows
 * than a sheet.
 */
export function refuseContinuedRows(sheetNames: readonly string[]): void {
  const continued = sheetNames.length > 1 ? sheetNames.find(isContinued) : undefined
  if (continued !== undefined) throw workbookProblems.rowsOnOtherSheet(continued)
}

function isContinued(sheetName: string): boolean {
  const firstRow = Number(NAME.exec(sheetName)?.[1].replaceAll(',', '') ?? 1)
  return firstRow > 1 && firstRow % worksheetBounds.maxRows === 1
}
