import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countFields, findFields } from '#repositories/fields.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/**
 * A page of a dictionary's fields in order, and how many match in all. Throws 404 when there is no such
 * dictionary.
 */
export async function listFields(dictionaryId: number, paging: Paging, deps: Pick<Deps, 'db'>) {
  await readDictionary(dictionaryId, deps)
  const [fields, totalCount] = await Promise.all([
    findFields(deps.db, dictionaryId, paging),
    countFields(deps.db, dictionaryId, paging.SearchText),
  ])
  return { fields, totalCount }
}
