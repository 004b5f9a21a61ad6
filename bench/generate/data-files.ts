import { fieldToWire } from '@veridict/contract/api/wire-field'
import type { Dictionary, Field } from '@veridict/contract/model/field'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Column, column, text } from './columns.ts'
import { claimsColumns, wideColumns } from './generated-columns.ts'
import { RowMaker, type Truth, writeCsv } from './rows.ts'

const MIB = 1 << 20

type Recipe = { columns: readonly Column[]; seed: number; badShare: number } & (
  | { kind: 'csv'; bytes: number }
  | { kind: 'xlsx'; rows: number }
)

/** As many different values as there can be in a file that the portal takes. */
const shortColumns = [
  column('Code', text(1, 10), true, (_, row) => ((row * 7_919_333) % 36 ** 5).toString(36).padStart(5, '0')),
]

const claims = { columns: claimsColumns, badShare: 0.01 }

/** Every file that is measured. Equal seeds make equal rows: `xlsx` holds those of `csv25`. */
const recipes = {
  csv25: { kind: 'csv', ...claims, seed: 2, bytes: 25 * MIB },
  csv250: { kind: 'csv', ...claims, seed: 3, bytes: 250 * MIB },
  csv1g: { kind: 'csv', ...claims, seed: 5, bytes: 1024 * MIB },
  wide25: { kind: 'csv', columns: wideColumns, badShare: 0.01, seed: 4, bytes: 25 * MIB },
  clean25: { kind: 'csv', ...claims, badShare: 0, seed: 1, bytes: 25 * MIB },
  allbad25: { kind: 'csv', ...claims, badShare: 1, seed: 6, bytes: 25 * MIB },
  short25: { kind: 'csv', columns: shortColumns, badShare: 0, seed: 7, bytes: 25 * MIB },
  xlsx: { kind: 'xlsx', ...claims, seed: 2, rows: 161_562 },
} as const satisfies Record<string, Recipe>

export type DataName = keyof typeof recipes

/** A file to measure with, as every program gets it. */
export type DataFile = {
  name: DataName
  path: string
  /** The dictionary as JSON, in the form the command line reads. */
  dictionaryPath: string
  dictionary: Dictionary
  truth: Truth
}

/** Makes the file unless it is there. `scale` below 1 makes a smaller one, for trying the harness. */
export async function dataFile(name: DataName, folder: string, scale: number): Promise<DataFile> {
  const recipe: Recipe = recipes[name]
  const path = join(folder, `${name}.${recipe.kind}`)
  const truthPath = join(folder, `${name}.counts.json`)
  const dictionaryPath = join(folder, `${name}.dictionary.json`)
  const dictionary = { name, fields: recipe.columns.map(fieldOf) }
  if (!existsSync(truthPath)) {
    console.log(`Making ${name}.${recipe.kind} …`)
    mkdirSync(folder, { recursive: true })
    const truth = await makeFile(path, recipe, scale)
    const wire = { name, fields: dictionary.fields.map(fieldToWire) }
    writeFileSync(dictionaryPath, JSON.stringify(wire, null, 2))
    // Written last, so that after an aborted run it is missing, and the file is generated again.
    writeFileSync(truthPath, JSON.stringify(truth, null, 2))
  }
  return {
    name,
    path,
    dictionaryPath,
    dictionary,
    truth: JSON.parse(readFileSync(truthPath, 'utf8')) as Truth,
  }
}

async function makeFile(path: string, recipe: Recipe, scale: number): Promise<Truth> {
  const rows = new RowMaker(recipe.columns, recipe.seed, recipe.badShare)
  if (recipe.kind === 'csv') writeCsv(path, recipe.columns, rows, recipe.bytes * scale)
  else {
    // By its path, because it is installed with the peers.
    const { writeWorkbook } = await import(join(import.meta.dirname, '../peers/write-workbook.ts'))
    await writeWorkbook(path, recipe.columns, rows, Math.round(recipe.rows * scale))
  }
  return rows.truth
}

/** The field of a dictionary that a column fits. */
export function fieldOf(column: Column): Field {
  const { make: _, ...field } = column
  return field
}
