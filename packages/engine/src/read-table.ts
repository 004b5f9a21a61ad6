import type { FileProblem } from '@veridict/contract/model/verdict'
import { openTable, type TableRequest } from '#source/open-table.ts'
import { FileProblemError } from '#formats/file-problem-error.ts'
import type { SourceRow } from '#source/table-source.ts'

/** A table read as it stands. A problem met while reading ends the rows with a `FileProblemError`. */
export type ReadTable =
  | { kind: 'table'; header: readonly string[]; rows: AsyncIterable<readonly SourceRow[]> }
  | { kind: 'fileProblem'; problem: FileProblem }

/** Opens a file for reading its rows, blank ones left out, without judging them. */
export async function readTable(request: TableRequest): Promise<ReadTable> {
  try {
    const table = await openTable(request)
    return { kind: 'table', header: table.header, rows: table.rows() }
  } catch (error) {
    if (error instanceof FileProblemError) return { kind: 'fileProblem', problem: error.problem }
    throw error
  }
}
