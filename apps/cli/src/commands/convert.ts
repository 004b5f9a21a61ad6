import { fieldToWire } from '@veridict/contract/api/wire-field'
import { isEmptyRuleBook } from '@veridict/contract/model/row-rule'
import { writeDictionary, writeTableSchema } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import { ExitCode, UsageError, openOrRefuse, refuseSameFile } from '#exit-code.ts'
import { loadDictionary } from '#load-dictionary.ts'
import type { LoadedDictionary } from '#parse-dictionary.ts'

// Not imported: see fresh-bundle.ts.
const { writeFileSync } = process.getBuiltinModule('node:fs')

/** `veridict convert`: the ending of `out` decides the kind of file. Never overwrites the dictionary. */
export async function convert({ file, out }: { file: string; out: string }): Promise<ExitCode> {
  const write = writers.find(({ ending }) => ending.test(out))?.write
  if (write === undefined)
    throw new UsageError(`${out}: the ending must be .xlsx, .json or .schema.json (Table Schema).`)
  const dictionary = await loadDictionary(file)
  await refuseSameFile(file, out)
  const content = await write(dictionary)
  await openOrRefuse(out, () => writeFileSync(out, content))
  return ExitCode.Passed
}

const writers: { ending: RegExp; write: (dictionary: LoadedDictionary) => Promise<string | Buffer> }[] = [
  {
    ending: /\.xlsx$/i,
    write: async (dictionary) =>
      Buffer.concat(await Array.fromAsync(writeDictionary(whole(dictionary), nodePlatform()))),
  },
  // Also schema.json, tableschema.json, table-schema.json, as others call them.
  { ending: /schema\.json$/i, write: (dictionary) => writeTableSchema(whole(dictionary)) },
  { ending: /\.json$/i, write: async (dictionary) => jsonOf(dictionary) },
]

const whole = ({ name, fields, ruleBook }: LoadedDictionary) => ({ name, fields, ...ruleBook })

/** A dictionary as JSON, as `parseDictionary` reads it. */
export function jsonOf({ name, fields, ruleBook }: LoadedDictionary): string {
  const rules = isEmptyRuleBook(ruleBook) && ruleBook.lists.length === 0 ? {} : ruleBook
  return `${JSON.stringify({ name, fields: fields.map(fieldToWire), ...rules }, null, 2)}\n`
}
