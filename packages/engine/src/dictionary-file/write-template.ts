import type { Dictionary } from '@veridict/contract/model/field'
import { checkTemplate } from '#dictionary-file/check-template.ts'
import { templateColumns } from '#dictionary-file/template/template-columns.ts'
import { dataSheet } from '#dictionary-file/template/template-data-sheet.ts'
import { guideSheet } from '#dictionary-file/template/template-guide-sheet.ts'
import { listRanges, listsSheet } from '#dictionary-file/template/template-lists-sheet.ts'
import { TemplateStyles } from '#dictionary-file/template/template-styles.ts'
import type { NewSheet } from '#formats/spreadsheet/write-sheet.ts'
import { writeWorkbook } from '#formats/spreadsheet/write-workbook.ts'
import type { Platform } from '#platform.ts'

/**
 * The blank workbook of a dictionary, for people to fill in and upload: sheet Data with the headings in
 * order, required ones in dark red, a note at each, drop-downs for lists, and cells that keep values as
 * typed; sheet Guide; and a hidden sheet Lists if there are lists. The same dictionary gives the same bytes.
 * Throws RangeError if `checkTemplate` refuses the fields.
 */
export async function* writeTemplate(
  { name, fields }: Dictionary,
  platform: Platform,
): AsyncGenerator<Uint8Array> {
  const refusal = checkTemplate(fields)
  if (refusal !== null) throw new RangeError(refusal)
  const columns = templateColumns(fields, platform)
  const styles = new TemplateStyles(columns)
  const lists = listRanges(columns)
  const sheets: NewSheet[] = [dataSheet(columns, styles), guideSheet(name, columns)]
  if (lists.length > 0) sheets.push(listsSheet(lists))
  yield* writeWorkbook({ sheets, styles: styles.sheet() }, platform)
}
