import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { countFields, findField, findFields, type StoredField } from '#dictionaries/fields.ts'
import { readDictionary } from '#dictionaries/read-dictionaries.ts'

type ReadDeps = Pick<Deps, 'db'>

/** A page of a dictionary's fields in order, and the number of all that match. Throws 404. */
export async function listFields(dictionaryId: number, paging: Paging, deps: ReadDeps) {
  await readDictionary(dictionaryId, deps)
  const [fields, totalCount] = await Promise.all([
    findFields(deps.db, dictionaryId, paging),
    countFields(deps.db, dictionaryId, paging.SearchText),
  ])
  return { fields, totalCount }
}

/** Throws 404 when there is no such field, or its dictionary was deleted. */
export async function readField(id: number, { db }: ReadDeps): Promise<StoredField> {
  const field = await findField(db, id)
  if (!field) throw notFound('Field')
  return field
}
