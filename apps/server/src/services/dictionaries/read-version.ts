import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findVersionFields, findVersionOf } from '#repositories/dictionary-versions.ts'
import { readDictionary } from '#services/dictionaries/read-dictionary.ts'

/**
 * A dictionary as it was at a revision. Throws 404 when there is no such dictionary or it has no such
 * revision.
 */
export async function readVersion(id: number, revision: number, deps: Pick<Deps, 'db'>) {
  await readDictionary(id, deps)
  const version = await findVersionOf(deps.db, id, revision)
  if (!version) throw notFound('Version')
  return { version, fields: await findVersionFields(deps.db, version.id) }
}
