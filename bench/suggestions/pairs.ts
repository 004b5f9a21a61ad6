import type { Field } from '@veridict/contract/model/field'
import { commandLineGuards } from '@veridict/engine'
import { proposeFile } from '@veridict/engine-node'
import { join } from 'node:path'
import { claimsColumns } from '../generate/generated-columns.ts'
import { SeededRandom } from '../generate/seeded-random.ts'
import { readCells } from '../read-cells.ts'
import { type PlantedError, plantedErrors } from './plant-errors.ts'

/** A table with errors, and what its cells should be. Both have the same rows and columns, no header. */
export type Pair = {
  readonly name: string
  readonly fields: readonly Field[]
  readonly dirty: readonly (readonly string[])[]
  readonly clean: readonly (readonly string[])[]
}

export type CleanTable = {
  readonly name: string
  readonly fields: readonly Field[]
  readonly rows: string[][]
}

const ROWS = 400

/** Medical claims, all valid. */
export function generatedTable(seed: number): CleanTable {
  const random = new SeededRandom(seed)
  const fields: readonly Field[] = claimsColumns
  const rows = Array.from({ length: ROWS }, (__, index) =>
    claimsColumns.map(({ make }) => make(random, index + 1)),
  )
  return { name: `claims ${seed}`, fields, rows }
}

/** For each kind of error that fits a column, a copy of the table with this error in that column. */
export function* plantedPairs(table: CleanTable, seed: number): Generator<Pair & { error: string }> {
  const random = new SeededRandom(seed)
  for (const error of plantedErrors)
    for (const [column, field] of table.fields.entries()) {
      const dirty = planted(table, column, field, error, random)
      if (dirty !== null)
        yield {
          name: `${table.name}, ${field.name}: ${error.name}`,
          error: error.name,
          fields: table.fields,
          clean: table.rows,
          dirty,
        }
    }
}

function planted(
  { fields, rows }: CleanTable,
  column: number,
  field: Field,
  { plant, share }: PlantedError,
  random: SeededRandom,
): string[][] | null {
  let count = 0
  const dirty = rows.map((row) => {
    const changed = random.isLikely(share) ? plant(field, row[column] ?? '', random) : null
    if (changed === null) return row
    count++
    return fields.map((_, index) => (index === column ? changed : (row[index] ?? '')))
  })
  return count === 0 ? null : dirty
}

/** How often each value must stand in a column, on average, to make it a list. */
const MIN_REPEATS = 5

/** The dictionary is what the clean table proves. Rows beyond the shorter table are left out. */
export async function readPair(folder: string, name: string): Promise<Pair> {
  const [cleanPath, dirtyPath] = ['clean.csv', 'dirty.csv'].map((file) => join(folder, name, file))
  const [clean, dirty] = [await readRows(cleanPath), await readRows(dirtyPath)]
  const fields = (await provenFields(cleanPath)).map((field, column) => listOfRepeated(field, column, clean))
  const count = Math.min(clean.length, dirty.length)
  return { name, fields, clean: clean.slice(0, count), dirty: dirty.slice(0, count) }
}

/** A text whose values repeat is a list, as a person who knows the table would say. */
function listOfRepeated(field: Field, column: number, rows: readonly string[][]): Field {
  if (field.rule.type !== 'text') return field
  const options = new Set(rows.map((row) => row[column]?.trim() ?? '').filter((value) => value !== ''))
  const isList = options.size > 1 && options.size * MIN_REPEATS <= rows.length
  return isList ? { ...field, rule: { type: 'list', options: [...options] } } : field
}

export async function provenFields(path: string): Promise<Field[]> {
  const result = await proposeFile(path, path, commandLineGuards)
  if (result.kind === 'fileProblem') throw new Error(`${path}: ${result.problem.message}`)
  return result.proposal.fields
}

/** Without the header. */
export async function readRows(path: string): Promise<string[][]> {
  const table = await readCells(path, path, commandLineGuards)
  if ('problem' in table) throw new Error(`${path}: ${table.problem.message}`)
  return table.cells.slice(1)
}
