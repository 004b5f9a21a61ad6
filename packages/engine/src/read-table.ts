import type { FileProblem } from '@veridict/contract/model/verdict'
import { FileProblemError } from '#formats/file-problem-error.ts'
import { openTable, type TableRequest } from '#source/open-table.ts'
import type { SourceRow } from '#source/table-source.ts'

/** A table whose rows are read, not checked. A problem met later ends the rows with a `FileProblemError`. */
export type ReadTable =
  | { kind: 'table'; header: readonly string[]; rows: AsyncIterable<readonly SourceRow[]> }
  | { kind: 'fileProblem'; problem: FileProblem }

/** Opens a file to read its rows, without blank ones and without checks. */
export async function readTable(request: TableRequest): Promise<ReadTable> {
  try {
    const table = await openTable(request)
    return { kind: 'table', header: table.header, rows: table.rows() }
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'fileProblem', problem: error.problem }
    throw error
  }
}
