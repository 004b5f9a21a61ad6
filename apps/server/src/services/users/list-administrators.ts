import type { Paging } from '@veridict/contract/api/paging'
import type { Deps } from '#deps.ts'
import { countAdministrators, findAdministrators } from '#repositories/users.ts'

/** A page of the administrators by name, and how many match in all. */
export async function listAdministrators(paging: Paging, deps: Pick<Deps, 'db'>) {
  const [users, totalCount] = await Promise.all([
    findAdministrators(deps.db, paging),
    countAdministrators(deps.db, paging.SearchText),
  ])
  return { users, totalCount }
}
