import type { Field } from '@veridict/contract/model/field'
import { claimsColumns } from '../generate/claims-columns.ts'
import { SeededRandom } from '../generate/seeded-random.ts'
import type { Pair } from './pair.ts'
import { type PlantedError, plantedErrors } from './plant-errors.ts'

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
