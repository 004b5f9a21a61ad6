import type { Field } from '@veridict/contract/model/field'
import { commandLineGuards, readDictionary } from '@veridict/engine'
import { bytesSource, nodePlatform } from '@veridict/engine-node'
import { UsageError } from '#exit-code.ts'
import { opening } from '#open-file.ts'
import { parseFields } from '#parse-fields.ts'

// Not imported: see file-source.ts of the engine.
const { readFileSync } = process.getBuiltinModule('node:fs')

/** The fields of a dictionary, from JSON or from the workbook that the portal exports. Throws `UsageError` with every problem. */
export async function loadDictionary(path: string): Promise<Field[]> {
  const bytes = await opening(path, () => readFileSync(path))
  if (!path.toLowerCase().endsWith('.xlsx')) return parseFields(bytes.toString('utf8'), path)
  const { checkField } = await import('@veridict/contract/forms/check-field')
  const source = bytesSource(bytes)
  const read = await readDictionary({
    source,
    fileName: path,
    platform: nodePlatform(),
    limits: commandLineGuards,
    checkField: (field) => checkField(field),
  })
  if (read.kind === 'fields') return read.fields
  throw new UsageError([`${path} is not a data dictionary:`, ...read.problems].join('\n  '))
}
