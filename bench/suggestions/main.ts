// `npm run suggestions [-- --pairs <folder>] [--tables <folder>] [--misses]`: how many suggestions are right
// (precision), and how many bad cells that have a right value get it (recall). Errors of every kind are
// planted in generated tables, and in the CSV files of the folder `--tables`. `--pairs` is a folder with
// folders that hold `dirty.csv` and `clean.csv`. Exits with 1 if precision is below 0.95.
import { readdirSync } from 'node:fs'
import { measureStructures, type StructureScore } from '@veridict/engine/test/planted-structures'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { markdownTable } from '../print.ts'
import { type Measured, measurePair, type Miss, type Score } from './measure-pair.ts'
import { type CleanTable, generatedTable, plantedPairs, provenFields, readPair, readRows } from './pairs.ts'

const GOAL = 0.95
const SEEDS = [1, 2, 3]

const { values } = parseArgs({
  options: {
    pairs: { type: 'string' },
    tables: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
})
const misses: Miss[] = []

async function measurePlanted(tables: readonly CleanTable[]): Promise<Measured['scores']> {
  const scores: Measured['scores'] = new Map()
  for (const [seed, table] of tables.entries())
    for (const pair of plantedPairs(table, seed))
      await measurePair(pair, () => pair.error, { scores, misses })
  return scores
}

async function measurePairs(folder: string): Promise<Measured['scores']> {
  const scores: Measured['scores'] = new Map()
  for (const name of readdirSync(folder).toSorted())
    await measurePair(await readPair(folder, name), (kind) => `${name}, ${kind}`, { scores, misses })
  return scores
}

/** The CSV files that prove a dictionary; others cannot hold a planted error. */
async function tablesOf(folder: string): Promise<CleanTable[]> {
  const tables: CleanTable[] = []
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!name.endsWith('.csv')) continue
    const path = join(folder, name)
    const fields = await provenFields(path).catch(() => [])
    if (fields.length > 0) tables.push({ name, fields, rows: await readRows(path) })
  }
  return tables
}

/** Prints a table with a line for each name, and one for all. Returns the precision of all. */
function printScores(title: string, scores: Measured['scores']): number {
  const sum = (name: keyof Score) => scores.values().reduce((total, score) => total + score[name], 0)
  const all: Score = {
    badCells: sum('badCells'),
    correctable: sum('correctable'),
    suggestions: sum('suggestions'),
    right: sum('right'),
  }
  const rows = [...scores, ['**All**', all] as const].map(([name, score]) => {
    const { badCells, suggestions } = score
    return [name, `${badCells}`, `${suggestions}`, shown(precisionOf(score)), shown(recallOf(score))]
  })
  console.log(`\n### ${title}\n`)
  console.log(markdownTable(['', 'Bad cells', 'Suggestions', 'Precision', 'Recall'], rows))
  return precisionOf(all) ?? 1
}

/** null if there is no suggestion. */
const precisionOf = ({ suggestions, right }: Score) => (suggestions === 0 ? null : right / suggestions)
const recallOf = ({ correctable, right }: Score) => (correctable === 0 ? null : right / correctable)
const shown = (share: number | null) => (share === null ? '–' : share.toFixed(3))

const tables: [title: string, scores: Measured['scores']][] = [
  ['Planted in generated tables', await measurePlanted(SEEDS.map(generatedTable))],
]
if (values.tables !== undefined)
  tables.push([
    `Planted in the files of ${values.tables}`,
    await measurePlanted(await tablesOf(values.tables)),
  ])
if (values.pairs !== undefined) tables.push([`Pairs of ${values.pairs}`, await measurePairs(values.pairs)])
const structures = (await Promise.all(SEEDS.map(measureStructures))).flatMap((scores) => [...scores])
const wrong = structures.filter(([, { planted, right }]) => right < planted)
const count = (name: keyof StructureScore) => structures.reduce((sum, [, score]) => sum + score[name], 0)
console.log(`\nOf ${count('planted')} faults of the structure and controls, ${count('right')} end right.`)
for (const [name] of wrong) console.log(`- ${name}: wrong`)
const precisions = tables.map(([title, scores]) => printScores(title, scores))
if (values.misses) for (const miss of misses) console.log(JSON.stringify(miss))
process.exitCode = precisions.every((precision) => precision >= GOAL) && wrong.length === 0 ? 0 : 1
