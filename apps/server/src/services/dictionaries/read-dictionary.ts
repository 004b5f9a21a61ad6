import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { type DictionaryDetail, findDictionary } from '#repositories/dictionaries.ts'

/** Throws 404 when there is no such dictionary. */
export async function readDictionary(id: number, deps: Pick<Deps, 'db'>): Promise<DictionaryDetail> {
  const dictionary = await findDictionary(deps.db, id)
  if (!dictionary) throw notFound('Data dictionary')
  return dictionary
}
