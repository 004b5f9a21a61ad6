import type { Paging } from '@veridict/contract/api/paging'
import type { UserRow } from '#platform/database/tables.ts'
import type { Deps } from '#deps.ts'
import { notFound } from '#errors.ts'
import { recordView } from '#audit/record-audit.ts'
import { countAdministrators, findAdministrators, findUser } from '#users/users.ts'

type Needs = Pick<Deps, 'db' | 'caller'>

/** Throws 404 when there is no such user, or the user or the company was deleted. */
export async function readUser(id: number, { db }: Pick<Deps, 'db'>): Promise<UserRow> {
  const user = await findUser(db, id)
  if (user === undefined) throw notFound('User')
  return user
}

/** Like `readUser`, and records that the caller looks at the user. */
export async function viewUser(id: number, deps: Needs): Promise<UserRow> {
  const user = await readUser(id, deps)
  const { email: subject, companyId } = user
  await recordView({ action: 'people.viewed', subject, companyId, key: `user ${id}` }, deps)
  return user
}

/** A page of the administrators by name, and the number of all that match. */
export async function listAdministrators(paging: Paging, deps: Needs) {
  const { db } = deps
  await recordView({ action: 'people.viewed', subject: 'Administrators', key: 'administrators' }, deps)
  const [users, totalCount] = await Promise.all([
    findAdministrators(db, paging),
    countAdministrators(db, paging.SearchText),
  ])
  return { users, totalCount }
}
