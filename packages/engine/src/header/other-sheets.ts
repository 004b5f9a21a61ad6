import { fileProblemMessages } from '@veridict/contract/messages/file-problems'
import type { Field } from '@veridict/contract/model/field'
import { compareHeader } from '#header/check-header.ts'
import { fileStructure, type Structure } from '#header/header-structure.ts'
import type { Sheets } from '#source/table-source.ts'

/** Sheets that a question offers. */
const MAX_CHOICES = 6

/** Says that this sheet is not the only one, and which have the right columns; `isFitting` if one has. */
export async function readOtherSheets(
  sheets: Sheets | undefined,
  fields: readonly Field[],
): Promise<{ hints: string[]; isFitting: boolean; structure: Structure }> {
  const fitting: string[] = []
  for await (const heading of sheets?.headings() ?? [])
    if (compareHeader(heading, fields).length === 0) fitting.push(heading.sheet)
  const { otherSheets, fittingSheets } = fileProblemMessages
  const isFitting = fitting.length > 0
  const others =
    sheets === undefined || sheets.others.length === 0 ? [] : [otherSheets(sheets.read, sheets.others)]
  const hints = [...others, ...(isFitting ? [fittingSheets(fitting)] : [])]
  const names = fitting.map((name) => `"${name}"`)
  const choices = fitting.slice(0, MAX_CHOICES).map((name) => ({ value: name, label: name }))
  return { hints, isFitting, structure: fileStructure('otherSheet', names, choices) }
}
