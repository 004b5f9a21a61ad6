import type { Dictionary } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { findAllFields } from '#repositories/fields.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/** A dictionary with all its fields, as the engine sees one. Throws 404 when there is no such dictionary. */
export async function loadDictionary(id: number, deps: Pick<Deps, 'db'>): Promise<Dictionary> {
  const { name } = await readDictionary(id, deps)
  return { name, fields: await findAllFields(deps.db, id) }
}
