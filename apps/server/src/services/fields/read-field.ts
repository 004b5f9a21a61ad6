import type { FieldRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findField } from '#repositories/fields.ts'

/** Throws 404 when there is no such field, or its dictionary was deleted. */
export async function readField(id: number, deps: Pick<Deps, 'db'>): Promise<FieldRow> {
  const field = await findField(deps.db, id)
  if (!field) throw notFound('Field')
  return field
}
