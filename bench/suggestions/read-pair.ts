import { join } from 'node:path'
import type { Field } from '@veridict/contract/model/field'
import { commandLineGuards } from '@veridict/engine'
import { proposeFile } from '@veridict/engine-node'
import { readCells } from '../read-cells.ts'
import type { Pair } from './pair.ts'

/** How often each value must stand in a column, on average, to make it a list. */
const MIN_REPEATS = 5

/**
 * The pair in a folder with `dirty.csv` and `clean.csv`. Its dictionary is what the clean table proves, so
 * the clean table passes. Rows beyond the shorter table are left out.
 */
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

/** The fields that every value of the table proves. */
export async function provenFields(path: string): Promise<Field[]> {
  const result = await proposeFile(path, path, commandLineGuards)
  if (result.kind === 'fileProblem') throw new Error(`${path}: ${result.problem.message}`)
  return result.proposal.fields
}

/** The rows below the header, as texts. */
export async function readRows(path: string): Promise<string[][]> {
  const table = await readCells(path, path, commandLineGuards)
  if ('problem' in table) throw new Error(`${path}: ${table.problem.message}`)
  return table.cells.slice(1)
}
