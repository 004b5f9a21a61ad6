import { writeDictionary } from '@veridict/engine'
import { nodePlatform } from '@veridict/engine-node'
import type { Deps } from '#deps.ts'
import { loadDictionary } from '#services/dictionaries/load-dictionary.ts'

/**
 * A dictionary as a workbook; importing it again gives an equal one. Throws 404 when there is no such
 * dictionary.
 */
export async function exportDictionary(
  id: number,
  deps: Pick<Deps, 'db'>,
): Promise<{ name: string; workbook: Uint8Array }> {
  const dictionary = await loadDictionary(id, deps)
  const chunks = await Array.fromAsync(writeDictionary(dictionary, nodePlatform()))
  return { name: dictionary.name, workbook: Buffer.concat(chunks) }
}
