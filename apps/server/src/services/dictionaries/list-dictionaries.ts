import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countDictionaries, findDictionaries } from '#repositories/dictionaries.ts'

/** A page of the dictionaries by name, and how many match in all. */
export async function listDictionaries(paging: Paging, deps: Pick<Deps, 'db'>) {
  const [dictionaries, totalCount] = await Promise.all([
    findDictionaries(deps.db, paging),
    countDictionaries(deps.db, paging.SearchText),
  ])
  return { dictionaries, totalCount }
}
