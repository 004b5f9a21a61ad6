import type { DictionaryDeletion } from '@veridict/contract/api/dictionaries'
import type { Deps } from '#deps.ts'
import { countDictionaryUses } from '#repositories/deletion-counts.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/** Whom `deleteDictionary` would concern. Throws 404 when there is no such dictionary. */
export async function previewDictionaryDeletion(
  id: number,
  deps: Pick<Deps, 'db'>,
): Promise<DictionaryDeletion> {
  await readDictionary(id, deps)
  return countDictionaryUses(deps.db, id)
}
