import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { compareHeader } from '#header/check-header.ts'
import { fileStructure, type Structure } from '#header/header-structure.ts'
import type { Sheets } from '#source/table-source.ts'

/** In a hostile workbook thousands of sheets may be one part. */
const MAX_SHEETS = 100
/** Sheets that a question offers. */
const MAX_CHOICES = 6

/** Says that this sheet is not the only one, and which have the right columns; `isFitting` if one has. */
export async function readOtherSheets(
  sheets: Sheets | undefined,
  fields: readonly Field[],
): Promise<{ hints: string[]; isFitting: boolean; structure: Structure }> {
  const fitting: string[] = []
  for (const name of sheets?.others.slice(0, MAX_SHEETS) ?? [])
    if (await hasColumns(sheets!, name, fields)) fitting.push(name)
  const { otherSheets, fittingSheets } = fileProblemMessages
  const isFitting = fitting.length > 0
  const others =
    sheets === undefined || sheets.others.length === 0 ? [] : [otherSheets(sheets.read, sheets.others)]
  const hints = [...others, ...(isFitting ? [fittingSheets(fitting)] : [])]
  const names = fitting.map((name) => `"${name}"`)
  const choices = fitting.slice(0, MAX_CHOICES).map((name) => ({ value: name, label: name }))
  return { hints, isFitting, structure: fileStructure('otherSheet', names, choices) }
}

/** False for a sheet that cannot be read, too. */
async function hasColumns(sheets: Sheets, name: string, fields: readonly Field[]): Promise<boolean> {
  try {
    const table = await sheets.open(name)
    return table !== null && compareHeader(table, fields).length === 0
  } catch (error) {
    if (error instanceof FileProblemError) return false
    throw error
  }
}
