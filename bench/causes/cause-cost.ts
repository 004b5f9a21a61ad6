// The script of a measured process: `node cause-cost.ts JOB PAIRS`. Validates the file of a job as the portal
// does, and in turn without causes, from the first file of the process on. Prints `CauseTimes` as JSON.
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { compileColumns, openTable, portalGuards, validateTable } from '@veridict/engine'
import { nodePlatform, openFileSource } from '@veridict/engine-node'
import type { Job } from '../job.ts'
import { CountingSink } from './counting-sink.ts'
import type { CauseTimes, ValidationTime } from './measure-causes.ts'

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
