import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findField, type StoredField } from '#repositories/fields.ts'

/** Throws 404 when there is no such field, or its dictionary was deleted. */
export async function readField(id: number, deps: Pick<Deps, 'db'>): Promise<StoredField> {
  const field = await findField(deps.db, id)
  if (!field) throw notFound('Field')
  return field
}
