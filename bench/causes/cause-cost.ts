// The script of a measured process: `node cause-cost.ts JOB PAIRS`. Validates the file of a job as the portal
// does, and in turn without causes, from the first file of the process on. Prints `CauseTimes` as JSON.
import { type BadCell, compileColumns, type FaultSink, openTable, portalGuards } from '@veridict/engine'
import { nodePlatform, validateFile, withFile } from '@veridict/engine-node'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Job } from '../findings.ts'
import type { CauseTimes, ValidationTime } from './measure-causes.ts'

/** Rows with errors that the portal shows. */
const KEPT_ROWS = 100

type KeptCell = { column: number; error: string; expected: string; value: string }

/** Without causes: counts errors by column and kind, and stores the first rows with all their errors. */
class CountingSink implements FaultSink {
  cellErrors = 0
  readonly rows: { rowNumber: number; cells: readonly KeptCell[] }[] = []
  readonly #counts: Map<string, number>[]

  constructor(columns: number) {
    this.#counts = Array.from({ length: columns + 1 }, () => new Map())
  }

  badCells(rowNumber: number, cells: readonly BadCell[]): void {
    this.cellErrors += cells.length
    for (const { column, fault } of cells) {
      const counts = this.#counts[Math.min(column, this.#counts.length - 1)]
      counts.set(fault.code, (counts.get(fault.code) ?? 0) + 1)
    }
    if (this.rows.length >= KEPT_ROWS) return
    const kept = cells.map(({ column, fault: { error, expected }, value }) => {
      return { column, error, expected, value }
    })
    this.rows.push({ rowNumber, cells: kept })
  }

  records(): void {}
}

const [jobPath, pairs] = process.argv.slice(2)
const { path, fields } = JSON.parse(readFileSync(jobPath, 'utf8')) as Job
const fileName = basename(path)
const platform = nodePlatform()
const kinds = { with: withCauses, without: withoutCauses }
const times: CauseTimes = { with: [], without: [] }
for (let pair = 0; pair < Number(pairs); pair++) {
  for (const kind of pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    times[kind].push(await timeOf(kinds[kind]))
  }
}
console.log(JSON.stringify(times))

async function timeOf(validate: () => Promise<void>): Promise<ValidationTime> {
  const processorBefore = process.cpuUsage()
  const before = performance.now()
  await validate()
  const elapsed = (performance.now() - before) / 1e3
  // Of all threads; that of one thread is only exact to 4 ms.
  const { user, system } = process.cpuUsage(processorBefore)
  return { elapsed, processor: (user + system) / 1e6 }
}

async function withCauses(): Promise<void> {
  await validateFile(path, fileName, fields)
}

function withoutCauses(): Promise<void> {
  return withFile(path, async (source) => {
    const table = await openTable({ source, fileName, fields, platform, limits: portalGuards })
    const columns = await compileColumns(fields, table.terminators, platform, table.firstColumn)
    await table.validate(columns, new CountingSink(columns.length))
  })
}
