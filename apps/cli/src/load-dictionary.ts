import type { Field } from '@veridict/contract/model/field'
import { commandLineGuards, type ReadDictionary, readDictionary, readTableSchema } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { UsageError } from '#exit-code.ts'
import { isTableSchema } from '#is-table-schema.ts'
import { openOrRefuse } from '#open-or-refuse.ts'
import { parseFields } from '#parse-fields.ts'

// Not imported: see fresh-bundle.ts.
const { readFileSync } = process.getBuiltinModule('node:fs')

/**
 * Reads the fields of a dictionary from JSON, from a workbook that the portal exported, or from a
 * Frictionless Table Schema. What the dictionary cannot express of a schema is printed on stderr. Throws
 * `UsageError` with every problem.
 */
export async function loadDictionary(path: string): Promise<Field[]> {
  const bytes = await openOrRefuse(path, () => readFileSync(path))
  if (path.toLowerCase().endsWith('.xlsx')) return fieldsOf(path, await readWorkbook(path, bytes))
  const json = bytes.toString('utf8')
  return isTableSchema(json) ? fieldsOf(path, await readSchema(json, path)) : parseFields(json, path)
}

async function readWorkbook(path: string, bytes: Buffer): Promise<ReadDictionary> {
  const platform = nodePlatform()
  return readDictionary({
    source: bytesSource(bytes),
    fileName: path,
    platform,
    limits: commandLineGuards,
  })
}

async function readSchema(json: string, path: string): Promise<ReadDictionary> {
  const read = await readTableSchema(json)
  const notes = read.kind === 'fields' ? read.notes : []
  if (notes.length > 0) process.stderr.write(`${[`${path} is not kept in full:`, ...notes].join('\n  ')}\n`)
  return read
}

function fieldsOf(path: string, read: ReadDictionary): Field[] {
  if (read.kind === 'fields') return read.fields
  throw new UsageError([`${path} is not a data dictionary:`, ...read.problems].join('\n  '))
}
