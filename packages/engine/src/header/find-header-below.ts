import type { Field } from '@veridict/contract/model/field'
import { compareHeader } from '#header/compare-header.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { TableSource } from '#source/table-source.ts'

/** Records that are looked at; titles and notes above a table hardly ever take more. */
const MAX_RECORDS = 20

/**
 * For a header that is not the dictionary's: the number of the row below that has its columns, because titles
 * or notes stand above the table. null where none of the first records has them.
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
    // What is wrong further down is no matter while the header is.
    if (error instanceof FileProblemError) return null
    throw error
  }
}

function labelsIn(cells: readonly string[]): readonly string[] {
  const isFilled = (cell: string) => cell.trim() !== ''
  return cells.slice(Math.max(0, cells.findIndex(isFilled)), cells.findLastIndex(isFilled) + 1)
}
