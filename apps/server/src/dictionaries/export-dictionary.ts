import { writeDictionary, writeTableSchema } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { Deps } from '#deps.ts'
import { readWholeDictionary } from '#dictionaries/read-dictionaries.ts'

/** A dictionary as a workbook; importing it gives an equal one. Throws 404. */
export async function exportDictionary(
  id: number,
  deps: Pick<Deps, 'db'>,
): Promise<{ name: string; workbook: Uint8Array }> {
  const dictionary = await readWholeDictionary(id, deps)
  const chunks = await Array.fromAsync(writeDictionary(dictionary, nodePlatform()))
  return { name: dictionary.name, workbook: Buffer.concat(chunks) }
}

/** A dictionary as a Frictionless Table Schema; importing it gives an equal one. Throws 404. */
export async function exportTableSchema(
  id: number,
  deps: Pick<Deps, 'db'>,
): Promise<{ name: string; schema: string }> {
  const dictionary = await readWholeDictionary(id, deps)
  return { name: dictionary.name, schema: await writeTableSchema(dictionary) }
}
