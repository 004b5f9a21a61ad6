import type { Field } from '@veridict/contract/model/field'
import { labelKey } from '@veridict/contract/notation/label'
import type { SourceRow } from '#source/table-source.ts'

/** Records that are searched; titles and notes above a table are rarely longer. */
const MAX_RECORDS = 20

/**
 * For a wrong header: the number of the row below it that has the dictionary's columns, because titles or
 * notes are above the table. null if none of the first records has them.
 */
export function findHeaderBelow(rows: readonly SourceRow[], fields: readonly Field[]): number | null {
  const keys = fields.map(({ name }) => labelKey(name))
  const header = rows.slice(0, MAX_RECORDS).find(({ cells }) => {
    const labels = labelsIn(cells)
    return labels.length === keys.length && keys.every((key, index) => labelKey(labels[index]) === key)
  })
  return header?.rowNumber ?? null
}

function labelsIn(cells: readonly string[]): readonly string[] {
  const isFilled = (cell: string) => cell.trim() !== ''
  return cells.slice(Math.max(0, cells.findIndex(isFilled)), cells.findLastIndex(isFilled) + 1)
}
