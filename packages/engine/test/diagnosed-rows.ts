import type { Conclusion } from '#causes/conclusion.ts'
import { type DiagnosedCell, diagnosedCells } from '#causes/diagnosed-cells.ts'
import type { ColumnCheck } from '#compile/column-check.ts'
import { nobody, type TableSource } from '#source/table-source.ts'

export type DiagnosedRow = { readonly rowNumber: number; readonly cells: readonly DiagnosedCell[] }

/** What a second reading says of the bad cells of a table. `read`: the columns that find them. */
export async function diagnosedRows(
  table: TableSource,
  columns: readonly ColumnCheck[],
  conclusion: Conclusion,
  read: readonly ColumnCheck[] = columns,
): Promise<DiagnosedRow[]> {
  const rows: DiagnosedRow[] = []
  const diagnosed = diagnosedCells(columns, conclusion)
  await table.validate(read, {
    ...nobody,
    badCells: (rowNumber, cells, row) => {
      rows.push({ rowNumber, cells: diagnosed(rowNumber, cells, row) })
    },
  })
  return rows
}
