import { FileProblemError } from '#formats/file-problem-error.ts'
import type { SourceRow, TableSource } from '#source/table-source.ts'

/** How many rows below the header are read to explain it: enough also for titles above the header. */
const MAX_ROWS = 50

/** The first rows below a header that does not match. None if the file cannot be read further. */
export async function readFirstRows(table: TableSource): Promise<readonly SourceRow[]> {
  const rows: SourceRow[] = []
  try {
    for await (const batch of table.rows({ withKinds: true })) {
      rows.push(...batch.slice(0, MAX_ROWS - rows.length))
      if (rows.length >= MAX_ROWS) break
    }
  } catch (error) {
    // A problem further down does not matter while the header is wrong.
    if (!(error instanceof FileProblemError)) throw error
  }
  return rows
}
