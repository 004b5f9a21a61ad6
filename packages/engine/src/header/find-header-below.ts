import type { Field } from '@veridict/contract/model/field'
import { compareHeader } from '#header/compare-header.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { TableSource } from '#source/table-source.ts'

/** Records that are searched; titles and notes above a table are rarely longer. */
const MAX_RECORDS = 20

/**
 * For a wrong header: the number of the row below it that has the dictionary's columns, because titles or
 * notes are above the table. null if none of the first records has them.
 */
export async function findHeaderBelow(table: TableSource, fields: readonly Field[]): Promise<number | null> {
  try {
    for await (const records of table.rows()) {
      const header = records
        .slice(0, MAX_RECORDS)
        .find(({ cells }) => compareHeader(labelsIn(cells), fields).length === 0)
      return header?.rowNumber ?? null
    }
    return null
  } catch (error) {
    // A problem further down does not matter while the header is wrong.
    if (error instanceof FileProblemError) return null
    throw error
  }
}

function labelsIn(cells: readonly string[]): readonly string[] {
  const isFilled = (cell: string) => cell.trim() !== ''
  return cells.slice(Math.max(0, cells.findIndex(isFilled)), cells.findLastIndex(isFilled) + 1)
}
