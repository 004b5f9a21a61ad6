// `npm run suggestions [-- --pairs <folder>] [--tables <folder>] [--misses]`: how many suggestions are right
// (precision), and how many bad cells that have a right value get it (recall). Errors of every kind are
// planted in generated tables, and in the CSV files of the folder `--tables`. `--pairs` is a folder with
// folders that hold `dirty.csv` and `clean.csv`. Exits with 1 if precision is below 0.95.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { measurePair, type Miss, noScore, type Score } from './measure-pair.ts'
import { type CleanTable, generatedTable, plantedPairs } from './planted-pairs.ts'
import { provenFields, readPair, readRows } from './read-pair.ts'

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

const sumOf = (one: Score, other: Score): Score => ({
  badCells: one.badCells + other.badCells,
  correctable: one.correctable + other.correctable,
  suggestions: one.suggestions + other.suggestions,
  right: one.right + other.right,
})
const add = (scores: Map<string, Score>, name: string, part: Score) =>
  scores.set(name, sumOf(scores.get(name) ?? noScore(), part))

async function measurePlanted(tables: readonly CleanTable[]): Promise<Map<string, Score>> {
  const scores = new Map<string, Score>()
  for (const [seed, table] of tables.entries())
    for (const pair of plantedPairs(table, seed)) {
      const measured = await measurePair(pair)
      for (const score of measured.byKind.values()) add(scores, pair.error, score)
      misses.push(...measured.misses)
    }
  return scores
}

async function measurePairs(folder: string): Promise<Map<string, Score>> {
  const scores = new Map<string, Score>()
  for (const name of readdirSync(folder).toSorted()) {
    const measured = await measurePair(await readPair(folder, name))
    for (const [kind, score] of measured.byKind) add(scores, `${name}, ${kind}`, score)
    misses.push(...measured.misses)
  }
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
function printScores(title: string, scores: ReadonlyMap<string, Score>): number {
  const all = [...scores.values()].reduce(sumOf, noScore())
  console.log(`\n### ${title}\n`)
  console.log('| | Bad cells | Suggestions | Precision | Recall |')
  console.log('|---|--:|--:|--:|--:|')
  for (const [name, score] of [...scores, ['**All**', all] as const]) {
    const { badCells, suggestions } = score
    console.log(
      `| ${name} | ${badCells} | ${suggestions} | ${shown(precisionOf(score))} | ${shown(recallOf(score))} |`,
    )
  }
  return precisionOf(all) ?? 1
}

/** null if there is no suggestion. */
const precisionOf = ({ suggestions, right }: Score) => (suggestions === 0 ? null : right / suggestions)
const recallOf = ({ correctable, right }: Score) => (correctable === 0 ? null : right / correctable)
const shown = (share: number | null) => (share === null ? '–' : share.toFixed(3))

const results = [
  { title: 'Planted in generated tables', scores: await measurePlanted(SEEDS.map(generatedTable)) },
]
if (values.tables !== undefined)
  results.push({
    title: `Planted in the files of ${values.tables}`,
    scores: await measurePlanted(await tablesOf(values.tables)),
  })
if (values.pairs !== undefined)
  results.push({ title: `Pairs of ${values.pairs}`, scores: await measurePairs(values.pairs) })
const precisions = results.map(({ title, scores }) => printScores(title, scores))
if (values.misses) for (const miss of misses) console.log(JSON.stringify(miss))
process.exitCode = precisions.every((precision) => precision >= GOAL) ? 0 : 1
