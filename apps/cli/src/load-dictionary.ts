import { emptyRuleBook } from '@veridict/contract/model/row-rule'
import { isObject } from '@veridict/contract/notation/is-object'
import { commandLineGuards, readDictionary, type ReadDictionary, readTableSchema } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { UsageError } from '#exit-code.ts'
import { openOrRefuse } from '#open-or-refuse.ts'
import { type LoadedDictionary, parseDictionary } from '#parse-dictionary.ts'

// Not imported: see fresh-bundle.ts.
const { readFileSync } = process.getBuiltinModule('node:fs')

/**
 * Reads a dictionary from JSON, from a workbook that the portal exported, or from a
 * Frictionless Table Schema. What the dictionary cannot express of a schema is printed on stderr. Throws
 * `UsageError` with every problem.
 */
export async function loadDictionary(path: string): Promise<LoadedDictionary> {
  const bytes = await openOrRefuse(path, () => readFileSync(path))
  if (path.toLowerCase().endsWith('.xlsx')) return fieldsOf(path, await readWorkbook(path, bytes))
  const json = bytes.toString('utf8')
  return isTableSchema(json) ? fieldsOf(path, await readSchema(json, path)) : parseDictionary(json, path)
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

function fieldsOf(path: string, read: ReadDictionary): LoadedDictionary {
  if (read.kind === 'fields') return { fields: read.fields, ruleBook: emptyRuleBook }
  throw new UsageError([`${path} is not a data dictionary:`, ...read.problems].join('\n  '))
}

/**
 * Whether a JSON text is probably a Frictionless Table Schema, valid or not (alone, in a data resource or in
 * a data package), and not a list of fields in the portal's form. False for text that is not JSON.
 */
function isTableSchema(json: string): boolean {
  const content = parse(json)
  if (!isObject(content)) return false
  if ('$schema' in content || 'schema' in content || 'resources' in content) return true
  const fields: unknown[] = Array.isArray(content.fields) ? content.fields : []
  return fields.length > 0 && !fields.some((field) => isObject(field) && 'itemName' in field)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json.replace(/^\uFEFF/, ''))
  } catch {
    return null
  }
}
