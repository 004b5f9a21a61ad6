import type { Field } from '@veridict/contract/model/field'
import { compileColumns } from '#compile/compile-columns.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { xmlTerminators } from '#formats/terminators.ts'
import { portalGuards } from '#limits.ts'
import { openWorkbook } from '#source/xlsx/open-workbook.ts'
import { buildWorkbook, type WorkbookParts } from './build-workbook.ts'
import { bytesSource, testPlatform } from './test-platform.ts'

/** The row of the column names A and B. */
export const HEADER = '<row r="1"><c r="A1" t="str"><v>A</v></c><c r="B1" t="str"><v>B</v></c></row>'

/** UTF-16 with a byte order mark. */
export function utf16(text: string, bigEndian: boolean): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le')
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes)
}

/** Every row with content as the sheet's texts, the header first. */
export async function readTexts(spec: WorkbookParts, limits = portalGuards): Promise<string[][]> {
  const table = await openWorkbook(bytesSource(buildWorkbook(spec)), testPlatform(), limits)
  const rows = [[...table.header]]
  for await (const batch of table.rows()) rows.push(...batch.map(({ cells }) => [...cells]))
  return rows
}

/** The texts of row 2, which the given cells make up. */
export const readRow = async (cells: string, spec: WorkbookParts = {}) =>
  (await readTexts({ rows: `${HEADER}<row r="2">${cells}</row>`, ...spec }))[1]

/** The problem of a workbook with the columns A and B; null if it has none. */
export const problemOf = (spec: WorkbookParts, limits = portalGuards) =>
  problemIn(buildWorkbook(spec), limits)

export async function problemIn(bytes: Uint8Array, limits = portalGuards) {
  try {
    const table = await openWorkbook(bytesSource(bytes), testPlatform(), limits)
    await table.validate(
      await compileColumns([textField('A'), textField('B')], xmlTerminators, testPlatform()),
      { badCells() {}, records() {} },
    )
    return null
  } catch (error) {
    if (error instanceof FileProblemError) return error.problem
    throw error
  }
}

export const textField = (name: string, required = false): Field => ({
  name,
  description: '',
  category: '',
  required,
  rule: { type: 'text' },
})
