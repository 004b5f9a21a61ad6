import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import {
  countVersions,
  findVersionFields,
  findVersionOf,
  findVersions,
} from '#dictionaries/dictionary-versions.ts'
import { readDictionary } from '#dictionaries/read-dictionaries.ts'

type ReadDeps = Pick<Deps, 'db'>

/** A page of a dictionary's history, newest first, and its whole length. Throws 404. */
export async function listVersions(id: number, paging: Omit<Paging, 'SearchText'>, deps: ReadDeps) {
  await readDictionary(id, deps)
  const [versions, totalCount] = await Promise.all([
    findVersions(deps.db, id, paging),
    countVersions(deps.db, id),
  ])
  return { versions, totalCount }
}

/** A dictionary as it was at a revision. Throws 404 when there is no such dictionary or revision. */
export async function readVersion(id: number, revision: number, deps: ReadDeps) {
  await readDictionary(id, deps)
  const version = await findVersionOf(deps.db, id, revision)
  if (!version) throw notFound('Version')
  return { version, fields: await findVersionFields(deps.db, version.id) }
}
