import { writeTableSchema } from '@veridict/engine'
import type { Deps } from '#deps.ts'
import { loadDictionary } from '#services/dictionaries/load-dictionary.ts'

/**
 * A dictionary as a Frictionless Table Schema; a dictionary made from it is equal. It names what other
 * programs do differently. Throws 404 when there is no such dictionary.
 */
export async function exportTableSchema(
  id: number,
  deps: Pick<Deps, 'db'>,
): Promise<{ name: string; schema: string }> {
  const dictionary = await loadDictionary(id, deps)
  return { name: dictionary.name, schema: await writeTableSchema(dictionary) }
}
