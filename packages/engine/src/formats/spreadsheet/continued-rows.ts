import { worksheetBounds } from '@veridict/contract/limits'
import { writeCount } from '@veridict/contract/notation/count'
import { workbookProblems } from '#formats/workbook-problems.ts'

const NAME = /^Rows from ([\d,]+)$/

/**
 * Names the sheet on which the rows of a longer file continue, from its row `firstRow` on. An upload of such
 * a workbook is recognized by this name, since other programs keep sheet names.
 */
export const continuedSheetName = (firstRow: number): string => `Rows from ${writeCount(firstRow)}`

/**
 * Refuses a table on several sheets, as we write a CSV file longer than a sheet: only one of the sheets would
 * be validated, and the other rows would pass unread. See docs/BEHAVIOUR.md#limits.
 */
export function refuseContinuedRows(sheetNames: readonly string[]): void {
  const continued = sheetNames.length > 1 ? sheetNames.find(isContinued) : undefined
  if (continued !== undefined) throw workbookProblems.rowsOnOtherSheet(continued)
}

function isContinued(sheetName: string): boolean {
  const firstRow = Number(NAME.exec(sheetName)?.[1].replaceAll(',', '') ?? 1)
  return firstRow > 1 && firstRow % worksheetBounds.maxRows === 1
}
