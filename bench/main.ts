// Measures Veridict against other programs: generates the data, runs everything, prints Markdown tables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CauseCosts, causeTable, measureCauses } from './causes/measure-causes.ts'
import { type Comparison, type ComparisonName, comparisons } from './comparisons.ts'
import { dataFile } from './generate/data-files.ts'
import type { Results } from './goals.ts'
import { runComparison } from './measure/run-comparison.ts'
import { summarize } from './measure/summary.ts'
import { type Options, readOptions } from './options.ts'
import { bundleOurs } from './ours/bundle.ts'
import { machineLine } from './print/machine-line.ts'
import { comparisonTable, goalTable } from './print/tables.ts'
import { writeBetween } from './print/write-between.ts'

/** The size of every file with `--quick`, as a fraction. */
const QUICK_SCALE = 0.1
/** Validations with and without causes, in each process whose code is compiled. */
const CAUSE_PAIRS = 25

const marks: [string, string] = [
  '<!-- figures: written by npm run bench -- --write -->',
  '<!-- end of figures -->',
]

const options = readOptions(process.argv.slice(2))
const folder = join(import.meta.dirname, 'data', options.quick ? 'quick' : 'full')

const printed: string[] = []
const results: Results = {}

await bundleOurs()
print(`${machineLine()}; ${options.runs} ${options.runs === 1 ? 'round' : 'rounds'}.\n`)
for (const name of options.comparisons) results[name] = await measure(name, options)
const causes = await causesOf(options)
if (causes !== null) print(causeTable(causes))
print(options.quick ? 'Small files: these figures mean nothing.' : goalTable(results, causes))
writeFileSync(
  join(folder, 'results.json'),
  JSON.stringify({ machine: machineLine(), results, causes }, null, 2),
)
if (options.write) writeBetween('PERFORMANCE.md', marks, printed.join('\n'))

async function measure(name: ComparisonName, { runs, only, quick }: Options) {
  const comparison: Comparison = comparisons[name]
  const file = await dataFile(comparison.data, folder, quick ? QUICK_SCALE : 1)
  const measured = await runComparison(comparison, file, { rounds: runs, only, folder })
  print(comparisonTable(comparison.title, file.truth.bytes, measured))
  return measured.map(summarize).filter((summary) => summary !== null)
}

async function causesOf({ comparisons: names, only, quick }: Options): Promise<CauseCosts | null> {
  if (!names.includes('csv25') || (only !== null && !only.includes('ours'))) return null
  const file = await dataFile('csv25', folder, quick ? QUICK_SCALE : 1)
  return measureCauses(file, folder, quick ? 2 : CAUSE_PAIRS)
}

function print(text: string): void {
  console.log(text)
  printed.push(text)
}
