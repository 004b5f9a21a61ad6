// Measures Veridict against other programs: generates the data, runs everything, prints Markdown tables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Comparison, type ComparisonName, comparisons } from './comparisons.ts'
import { dataFile } from './generate/data-files.ts'
import type { Results } from './goals.ts'
import { runComparison } from './measure/run-comparison.ts'
import { summarize } from './measure/summary.ts'
import { type Options, readOptions } from './options.ts'
import { bundleOurs } from './ours/bundle.ts'
import { machineLine } from './print/machine-line.ts'
import { comparisonTable, goalTable } from './print/tables.ts'
import { writeFigures } from './print/write-figures.ts'

/** The size of every file with `--quick`, as a fraction. */
const QUICK_SCALE = 0.1

const options = readOptions(process.argv.slice(2))
const folder = join(import.meta.dirname, 'data', options.quick ? 'quick' : 'full')

const printed: string[] = []
const results: Results = {}

await bundleOurs()
print(`${machineLine()}; ${options.runs} ${options.runs === 1 ? 'round' : 'rounds'}.\n`)
for (const name of options.comparisons) results[name] = await measure(name, options)
print(options.quick ? 'Small files: these figures mean nothing.' : goalTable(results))
writeFileSync(join(folder, 'results.json'), JSON.stringify({ machine: machineLine(), results }, null, 2))
if (options.write) writeFigures(printed.join('\n'))

async function measure(name: ComparisonName, { runs, only, quick }: Options) {
  const comparison: Comparison = comparisons[name]
  const file = dataFile(comparison.data, folder, quick ? QUICK_SCALE : 1)
  const measured = await runComparison(comparison, file, { rounds: runs, only, folder })
  print(comparisonTable(comparison.title, file.truth.bytes, measured))
  return measured.map(summarize).filter((summary) => summary !== null)
}

function print(text: string): void {
  console.log(text)
  printed.push(text)
}
