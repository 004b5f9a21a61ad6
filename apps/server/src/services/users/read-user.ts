import type { UserRow } from '#db/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { findUser } from '#repositories/users.ts'

/** Throws 404 when there is no such user, or the user or their company was deleted. */
export async function readUser(id: number, deps: Pick<Deps, 'db'>): Promise<UserRow> {
  const user = await findUser(deps.db, id)
  if (user === undefined) throw notFound('User')
  return user
}
