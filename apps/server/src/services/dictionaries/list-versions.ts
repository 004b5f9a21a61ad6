import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countVersions, findVersions } from '#repositories/dictionary-versions.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/**
 * A page of a dictionary's history, newest first, and how long it is in all. Throws 404 when there is no such
 * dictionary.
 */
export async function listVersions(id: number, paging: Omit<Paging, 'SearchText'>, deps: Pick<Deps, 'db'>) {
  await readDictionary(id, deps)
  const [versions, totalCount] = await Promise.all([
    findVersions(deps.db, id, paging),
    countVersions(deps.db, id),
  ])
  return { versions, totalCount }
}
