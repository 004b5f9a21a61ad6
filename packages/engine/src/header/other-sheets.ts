import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import { compareHeader } from '#header/compare-header.ts'
import type { Sheets } from '#source/table-source.ts'

/**
 * What to say where the sheet that was read has no table for the dictionary: that it is not the only one, and
 * which others have the dictionary's columns. `isFitting`: whether one of them has.
 */
export async function readOtherSheets(
  sheets: Sheets | undefined,
  fields: readonly Field[],
): Promise<{ hints: string[]; isFitting: boolean }> {
  if (sheets === undefined || sheets.others.length === 0) return { hints: [], isFitting: false }
  const fitting: string[] = []
  for await (const { sheet, header, firstColumn } of sheets.headings())
    if (compareHeader(header, fields, firstColumn).length === 0) fitting.push(sheet)
  const { otherSheets, fittingSheets } = fileProblemMessages
  const isFitting = fitting.length > 0
  const hints = [otherSheets(sheets.read, sheets.others), ...(isFitting ? [fittingSheets(fitting)] : [])]
  return { hints, isFitting }
}
