import type { DictionaryRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findDictionary } from '#repositories/dictionaries.ts'

/** Throws 404 when there is no such dictionary. */
export async function readDictionary(id: number, deps: Pick<Deps, 'db'>): Promise<DictionaryRow> {
  const dictionary = await findDictionary(deps.db, id)
  if (!dictionary) throw notFound('Data dictionary')
  return dictionary
}
