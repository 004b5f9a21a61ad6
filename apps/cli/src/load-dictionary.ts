import { isDay } from '@veridict/contract/model/check-rule-book'
import { dictionaryNameOf } from '@veridict/contract/notation/dictionary-name'
import { isObject } from '@veridict/contract/notation/is-object'
import { utcDay } from '@veridict/contract/notation/utc-day'
import { commandLineGuards, readDictionary, readTableSchema } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { openOrRefuse, parseJson, UsageError } from '#exit-code.ts'
import { type LoadedDictionary, notADictionary, parseDictionary } from '#parse-dictionary.ts'

// Not imported: see fresh-bundle.ts.
const { basename } = process.getBuiltinModule('node:path')
const { readFileSync } = process.getBuiltinModule('node:fs')

/**
 * Reads JSON, a workbook that the portal exported, or a Frictionless Table Schema, whose losses it prints on
 * stderr. Throws `UsageError` with every problem.
 */
export async function loadDictionary(path: string): Promise<LoadedDictionary> {
  const { name, ...dictionary } = await readAnyKind(path)
  return { name: name || dictionaryNameOf(basename(path)), ...dictionary }
}

async function readAnyKind(path: string): Promise<LoadedDictionary> {
  const bytes = await openOrRefuse(path, () => readFileSync(path))
  const platform = nodePlatform()
  if (path.toLowerCase().endsWith('.xlsx')) {
    const request = { source: bytesSource(bytes), fileName: path, limits: commandLineGuards, platform }
    return { name: '', ...readOrRefuse(path, await readDictionary({ ...request, bounds: 'engine' })) }
  }
  const json = bytes.toString('utf8')
  const content = parseJson(json, path)
  if (!isTableSchema(content)) return parseDictionary(content, path)
  const { notes, ...read } = readOrRefuse(path, await readTableSchema(json, platform))
  if (notes.length > 0) process.stderr.write(`${[`${path} is not kept in full:`, ...notes].join('\n  ')}\n`)
  return read
}

function readOrRefuse<Read extends { kind: 'dictionary' }>(
  path: string,
  read: Read | { kind: 'problems'; problems: string[] },
): Read {
  if (read.kind === 'problems') throw notADictionary(path, read.problems)
  return read
}

/** Whether it is meant as a Table Schema, alone or in a data resource or package, not as our own JSON. */
function isTableSchema(content: unknown): boolean {
  if (!isObject(content)) return false
  if ('$schema' in content || 'schema' in content || 'resources' in content) return true
  const fields: unknown[] = Array.isArray(content.fields) ? content.fields : []
  return fields.length > 0 && !fields.some((field) => isObject(field) && 'itemName' in field)
}

/** The day on which a file is checked, yyyy-MM-dd: the one of `--on`, or today's in UTC. */
export function dayOf(on: string | undefined): string {
  if (on === undefined) return utcDay()
  if (!isDay(on)) throw new UsageError(`--on needs a day, written yyyy-MM-dd: '${on}' is none.`)
  return on
}
