import type { ReplyOf, Page, Paging } from '@veridict/contract/api/endpoint'
import type * as endpoints from '@veridict/contract/api/users'
import { Role } from '@veridict/contract/model/role'
import { recordView } from '#audit/record-audit.ts'
import type { Deps } from '#deps.ts'
import { found } from '#errors.ts'
import type { UserRow } from '#platform/database/tables.ts'
import { userEtag } from '#platform/etags.ts'
import { readPage } from '#platform/page.ts'
import { countAdministrators, findAdministrators, findUser } from '#users/users.ts'

type Needs = Pick<Deps, 'db' | 'caller'>

/** Throws 404 when there is no such user, or the user or the company was deleted. */
export const readUser = (id: number, { db }: Pick<Deps, 'db'>): Promise<UserRow> =>
  found(findUser(db, id), 'User')

/** Like `readUser`, as a call returns it; records that the caller looks at the user. */
export async function viewUser(id: number, deps: Needs): Promise<ReplyOf<typeof endpoints.readUser>> {
  const user = await readUser(id, deps)
  const { email: subject, companyId, role } = user
  await recordView({ action: 'people.viewed', subject, companyId, key: `user ${id}` }, deps)
  return { ...presentUserItem(user), companyId, isSuperAdmin: role === Role.SuperAdmin }
}

export async function listAdministrators(paging: Paging, deps: Needs): Promise<Page<endpoints.UserItem>> {
  const { db } = deps
  await recordView({ action: 'people.viewed', subject: 'Administrators', key: 'administrators' }, deps)
  const count = countAdministrators(db, paging.SearchText)
  return readPage(findAdministrators(db, paging), count, presentUserItem, paging)
}

const presentUserItem = (user: UserRow): endpoints.UserItem => ({
  id: user.id,
  name: user.name,
  email: user.email,
  phone: user.phone,
  version: userEtag(user),
})
