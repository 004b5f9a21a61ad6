// The script of a measured process: `node cause-cost.ts JOB PAIRS`. Validates the file of a job as the portal
// does, and in turn without causes. Prints `CauseTimes` as JSON.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compileColumns, openTable, portalGuards, validateTable } from '@veridict/engine'
import { nodePlatform, openFileSource } from '@veridict/engine-node'
import type { Job } from '../job.ts'
import { CountingSink } from './counting-sink.ts'
import type { CauseTimes } from './measure-causes.ts'

/** As in a server, whose validators stay. Until then V8 compiles what runs once for each file. */
const PAIRS_TO_WARM_UP = 40

const [jobPath, pairs] = process.argv.slice(2)
const { path, fields } = JSON.parse(readFileSync(jobPath, 'utf8')) as Job
const fileName = basename(path)
const platform = nodePlatform()
const kinds = { with: withCauses, without: withoutCauses }
const times: CauseTimes = { with: [], without: [] }
for (let pair = -PAIRS_TO_WARM_UP; pair < Number(pairs); pair++) {
  for (const kind of pair % 2 === 0 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
    const seconds = await timeOf(kinds[kind])
    if (pair >= 0) times[kind].push(seconds)
  }
}
console.log(JSON.stringify(times))

/** Processor time of all threads; that of one thread is only exact to 4 ms. */
async function timeOf(validate: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await validate()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

async function withCauses(): Promise<void> {
  const source = openFileSource(path)
  await validateTable({ source, fileName, fields, platform })
  source.close()
}

async function withoutCauses(): Promise<void> {
  const source = openFileSource(path)
  const table = await openTable({ source, fileName, fields, platform, limits: portalGuards })
  const columns = await compileColumns(fields, table.terminators, platform, table.firstColumn)
  await table.validate(columns, new CountingSink(columns.length))
  source.close()
}
