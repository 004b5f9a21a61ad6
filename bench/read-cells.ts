import type { FileProblem } from '@veridict/contract/model/verdict'
import { FileProblemError, type portalGuards, readTable } from '@veridict/engine'
import { nodePlatform, withFile } from '@veridict/engine-node'

/** The header and the rows of a table as the engine reads them, or why it cannot. */
export const readCells = (
  path: string,
  fileName: string,
  limits: typeof portalGuards,
): Promise<{ cells: string[][] } | { problem: FileProblem }> =>
  withFile(path, async (source) => {
    const table = await readTable({ source, fileName, fields: [], platform: nodePlatform(), limits })
    if (table.kind === 'fileProblem') return { problem: table.problem }
    const cells = [[...table.header]]
    for await (const batch of table.rows) cells.push(...batch.map((row) => [...row.cells]))
    return { cells }
  }).catch((error: unknown) => {
    if (error instanceof FileProblemError) return { problem: error.problem }
    throw error
  })
