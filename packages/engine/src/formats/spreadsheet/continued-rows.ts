import { writeCount } from '@veridict/contract/notation/count'
import { workbookProblems } from '#formats/workbook-problems.ts'
import type { FileGuards } from '#limits.ts'

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
export function refuseContinuedRows(sheets: readonly { name: string }[], { maxRows }: FileGuards): void {
  const continued = sheets.find(({ name }) => firstRowOf(name) > 1 && firstRowOf(name) % maxRows === 1)
  if (continued !== undefined && sheets.length > 1) throw workbookProblems.rowsOnOtherSheet(continued.name)
}

const firstRowOf = (sheetName: string) => Number(NAME.exec(sheetName)?.[1].replaceAll(',', '') ?? 1)
