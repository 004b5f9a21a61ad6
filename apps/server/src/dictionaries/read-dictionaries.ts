import type { DictionaryDeletion } from '@veridict/contract/api/dictionaries'
import type { Paging } from '@veridict/contract/api/paging'
import type { Dictionary } from '@veridict/contract/model/field'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { countDictionaryUses } from '#platform/database/deletion-counts.ts'
import {
  countDictionaries,
  type DictionaryDetail,
  findDictionaries,
  findDictionary,
} from '#dictionaries/dictionaries.ts'
import { findAllFields } from '#dictionaries/fields.ts'

type ReadDeps = Pick<Deps, 'db'>

/** A page of the dictionaries by name, and the number of all that match. */
export async function listDictionaries(paging: Paging, { db }: ReadDeps) {
  const [dictionaries, totalCount] = await Promise.all([
    findDictionaries(db, paging),
    countDictionaries(db, paging.SearchText),
  ])
  return { dictionaries, totalCount }
}

/** Throws 404 when there is no such dictionary. */
export async function readDictionary(id: number, { db }: ReadDeps): Promise<DictionaryDetail> {
  const dictionary = await findDictionary(db, id)
  if (!dictionary) throw notFound('Data dictionary')
  return dictionary
}

/** A dictionary with all its fields. Throws 404 when there is no such dictionary. */
export async function readWholeDictionary(id: number, deps: ReadDeps): Promise<Dictionary> {
  const { name } = await readDictionary(id, deps)
  return { name, fields: await findAllFields(deps.db, id) }
}

/** Who uses a dictionary that is to be deleted. Throws 404 when there is no such dictionary. */
export async function previewDictionaryDeletion(id: number, deps: ReadDeps): Promise<DictionaryDeletion> {
  await readDictionary(id, deps)
  return countDictionaryUses(deps.db, id)
}
