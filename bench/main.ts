// Measures Veridict against other programs: generates the data, runs everything, prints Markdown tables.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type CauseCosts, causeTable, measureCauses } from './causes/measure-causes.ts'
import { type Comparison, type ComparisonName, comparisonNames, comparisons } from './comparisons.ts'
import { dataFile } from './generate/data-files.ts'
import { goalTable, type Results } from './goals.ts'
import { runComparison } from './measure/run-comparison.ts'
import { comparisonTable, summarize } from './measure/summary.ts'
import { namesIn, readOptions, wholeNumber } from './options.ts'
import { bundleOurs } from './ours/bundle.ts'
import { machineLine, writeBetween } from './print.ts'
import { programNames } from './programs.ts'

/** The size of every file with `--quick`, as a fraction. */
const QUICK_SCALE = 0.1
/** Validations with and without causes, in each process whose code is compiled. */
const CAUSE_PAIRS = 25

const marks: [string, string] = [
  '<!-- figures: written by npm run bench -- --write -->',
  '<!-- end of figures -->',
]

const DEFAULT_RUNS = 5

const USAGE = `npm run bench -- [options]

  --files <names>  what to measure, by name: ${comparisonNames.join(', ')}
  --only <names>   which programs: ${programNames.join(', ')}
  --runs <n>       rounds, after one to warm up (${DEFAULT_RUNS}; 1 with --quick)
  --write          also writes the tables into docs/PERFORMANCE.md
  --quick          a tenth of every file: a test of the measurements, not of speed
  --help           this text

Data is generated once from a seed, in bench/data.`

const options = readOptions(
  USAGE,
  {
    files: { type: 'string' },
    only: { type: 'string' },
    runs: { type: 'string' },
    quick: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
  ({ files, only, runs, quick, write }) => ({
    comparisons: namesIn(files, comparisonNames),
    only: namesIn(only, programNames),
    runs: wholeNumber('runs', runs ?? String(quick ? 1 : DEFAULT_RUNS)),
    quick,
    write,
  }),
)
const { runs, only, quick } = options
const folder = join(import.meta.dirname, 'data', quick ? 'quick' : 'full')

const printed: string[] = []
const results: Results = {}

await bundleOurs()
print(`${machineLine()}; ${runs} ${runs === 1 ? 'round' : 'rounds'}.\n`)
for (const name of options.comparisons) results[name] = await measure(name)
const causes = await measureCauseCosts()
if (causes !== null) print(causeTable(causes))
print(quick ? 'Small files: these figures mean nothing.' : goalTable(results, causes))
writeFileSync(
  join(folder, 'results.json'),
  JSON.stringify({ machine: machineLine(), results, causes }, null, 2),
)
if (options.write) writeBetween('PERFORMANCE.md', marks, printed.join('\n'))

async function measure(name: ComparisonName) {
  const comparison: Comparison = comparisons[name]
  const file = await dataFile(comparison.data, folder, quick ? QUICK_SCALE : 1)
  const measured = await runComparison(comparison, file, { rounds: runs, only, folder })
  print(comparisonTable(comparison.title, file.truth.bytes, measured))
  return measured.map(summarize).filter((summary) => summary !== null)
}

async function measureCauseCosts(): Promise<CauseCosts | null> {
  if (!options.comparisons.includes('csv25') || !only.includes('ours')) return null
  const file = await dataFile('csv25', folder, quick ? QUICK_SCALE : 1)
  return measureCauses(file, folder, quick ? 2 : CAUSE_PAIRS)
}

function print(text: string): void {
  console.log(text)
  printed.push(text)
}
